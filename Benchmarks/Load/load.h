// What the processes of the load test share. One process has the watchers (audience.c), one sends commands and
// questions (commander.c).
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
    // On this many connections, one watch each records when it learned of each command.
    SAMPLED_WATCHES = 20,
    // How many commands' times are kept. More of them are never under way at the same time.
    KEPT_COMMANDS = 1 << 16,
};
static const double QUESTIONS_PER_SECOND = 200;

// What the processes tell each other.
struct shared {
    // When the command that made a revision was due, by the revision's number; 0 if its answer has not arrived yet.
    _Atomic uint64_t sent[KEPT_COMMANDS];
    // The number of the last revision of all; 0 before it is made.
    _Atomic uint64_t last_number;
    // Whether all watches have their snapshots.
    _Atomic bool is_listening;
    // The watchers' results, which the other processes read when the watchers have ended.
    struct spread pushes;
    uint64_t messages, revisions_told;
    double audience_seconds;
};

// Opens all watches, and reads until each of them has learned of the last revision. Ends the program if a watch learns
// of a change twice, not at all, or in the wrong order.
void listen_to_changes(const char *path, struct shared *shared);

// What the commander found.
struct findings {
    // Measured from when a call was due, so that a pause of either side counts for all calls that it delayed.
    struct spread commands, questions;
    uint64_t command_count, question_count;
    // The most commands without an answer at one time.
    uint64_t most_in_flight;
};
struct commander;
struct commander *connect_commander(const char *path);
// Sends commands and questions at their pace for this many seconds, waits for all answers, and makes the last revision.
// Calls `each_second` in between.
void command(
    struct commander *commander, struct shared *shared, double seconds, struct findings *findings,
    void (*each_second)(double second, void *context), void *context);
