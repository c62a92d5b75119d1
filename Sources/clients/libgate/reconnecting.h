// When to try again after the daemon was lost: at once at first, then ever more rarely, so that a thousand watchers do not all knock in
// the same moment. Only having caught up counts as success.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum reconnecting_state {
    RECONNECT_ATTEMPTING, // an attempt is under way. Can go to: attached, waiting
    RECONNECT_ATTACHED,   // caught up with the daemon. Can go to: waiting
    RECONNECT_WAITING,    // the next attempt comes after a wait. Can go to: attempting
};
struct reconnecting {
    enum reconnecting_state state;
    unsigned failures; // in a row, until now
};

#define RECONNECT_SHORTEST_USEC UINT64_C(10000) // the longest first wait
#define RECONNECT_LONGEST_USEC UINT64_C(1000000)

// The attempt failed, or the daemon was lost. False: the wait has begun already. `chance`, from 0 up to 1, spreads the wait over the
// upper half of its length.
bool reconnecting_failed(struct reconnecting *machine, double chance, uint64_t *wait_usec);
// The wait is over. Elsewhere late and harmless.
void reconnecting_waited(struct reconnecting *machine);
// The client knows what the daemon knows: the next failure is the first one again. In a wait late and harmless.
void reconnecting_caught_up(struct reconnecting *machine);
