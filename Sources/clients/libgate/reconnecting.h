// How long to wait before trying to reach a lost daemon again. The first wait is at most 10 ms, and each further one may be twice as long,
// up to 1 s. The waits are random, so that a thousand watchers do not connect at the same moment. Only a client that has caught up with
// the daemon begins with the shortest wait again.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum reconnecting_state {
    RECONNECT_ATTEMPTING, // an attempt is under way. Can go to: attached, waiting
    RECONNECT_ATTACHED,   // the client has caught up with the daemon. Can go to: waiting
    RECONNECT_WAITING,    // the next attempt comes after a wait. Can go to: attempting
};
struct reconnecting {
    enum reconnecting_state state;
    unsigned failures; // in a row
};

#define RECONNECT_SHORTEST_USEC UINT64_C(10000) // the longest that the first wait may be
#define RECONNECT_LONGEST_USEC UINT64_C(1000000)

// The attempt failed, or the daemon was lost. Stores how long to wait; returns false if a wait has already begun. `chance`, a random number
// from 0 to 1, chooses the wait between half and all of its full length.
bool reconnecting_failed(struct reconnecting *machine, double chance, uint64_t *wait_usec);
// The wait is over. In other states this comes late and is ignored.
void reconnecting_waited(struct reconnecting *machine);
// The client has caught up with the daemon, so the next failure counts as the first. Ignored during a wait.
void reconnecting_caught_up(struct reconnecting *machine);
