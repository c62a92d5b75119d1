// The administrator whose commands change the mode.
#pragma once
#include "wire.h"

// How many commands are in flight when they are sent together.
enum { COMMANDS_TOGETHER = 64 };

struct administrator {
    int socket;
    uint32_t stream;
    // Parent, child, parent, …: each command is a change.
    struct frame commands[2];
    struct inbox inbox;
};
struct administrator *connect_administrator(const char *path);
// Sends commands with `window` in flight for a while. Returns how many were answered, and writes the time that took
// into `seconds`.
size_t command(struct administrator *administrator, int window, double *seconds);
void close_administrator(struct administrator *administrator);
