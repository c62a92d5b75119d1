// Watchers of the state, which go on over restarts from the last revision that they have heard of.
#pragma once
#include "peer.h"

enum { WATCHERS = 4 };
struct peer *watcher_peer(int index);
void connect_watchers(void);
// Waits until each has heard of the start, and compares all that was heard with the journal.
void compare_watchers(uint64_t newest);
