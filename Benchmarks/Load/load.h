// The load test: what its processes share. One holds the watchers (audience.c), one commands and asks (commander.c).
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spread.h"

enum {
    CONNECTIONS = 1000,
    WATCHES_PER_CONNECTION = 10,
    WATCHES = CONNECTIONS * WATCHES_PER_CONNECTION,
    ADMINISTRATORS = 16,
    COMMANDS_PER_SECOND = 1000,
    // One watch each of so many connections is asked when it heard of each command.
    SAMPLED_WATCHES = 20,
    // Commands whose times are kept; more of them are never on their way at the same time.
    KEPT_COMMANDS = 1 << 16,
};
static const double QUESTIONS_PER_SECOND = 200;

// What the processes tell each other.
struct shared {
    // When the command was to be sent that made a revision, by its number; 0 where its answer has not come yet.
    _Atomic uint64_t sent[KEPT_COMMANDS];
    // The number of the last revision of all, once it is there; 0 before.
    _Atomic uint64_t last_number;
    // All watches have their snapshots.
    _Atomic bool is_listening;
    // Of the audience, for the others to read when it has ended.
    struct spread pushes;
    uint64_t messages, revisions_told;
    double audience_seconds;
};

// Opens all watches, and reads until every one of them has heard of the last revision. Ends the program where one hears of
// something twice, not at all or in another order.
void listen_to_changes(const char *path, struct shared *shared);

// What the commander found.
struct findings {
    // From when a call was to be sent, so that a pause of either side is in all calls that it held up.
    struct spread commands, questions;
    uint64_t command_count, question_count;
    // The most commands without an answer at a time.
    uint64_t most_in_flight;
};
struct commander;
struct commander *connect_commander(const char *path);
// Commands and asks at their paces for so many seconds, then waits for all answers, and at last makes the last revision.
// `each_second` is called between calls.
void command(
    struct commander *commander, struct shared *shared, double seconds, struct findings *findings,
    void (*each_second)(double second, void *context), void *context);
