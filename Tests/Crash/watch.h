// Watchers of the state, which resume after restarts from the last revision that they received.
#pragma once
#include "peer.h"

enum { WATCHERS = 4 };
struct peer *watcher_peer(int index);
void connect_watchers(void);
// Waits until each watcher has received the start, and compares all messages with the journal.
void compare_watchers(uint64_t newest);
