// What a run has come to so far, and how it ends where a promise is broken.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// When a daemon was killed.
enum moment {
    // At any time under load.
    AT_ANY_TIME,
    // As soon as an answer has come.
    AFTER_ANSWER,
    // As soon as something was written to the log of the store: in the middle of a commit.
    DURING_COMMIT,
    // As soon as something was brought from the log into the database.
    DURING_CHECKPOINT,
    // Between its start and its first answer, at any time, ...
    DURING_START,
    // ... or as soon as it has written to the files of its store: it recovers what the one before it has left.
    DURING_RECOVERY,
    MOMENTS,
};

struct run {
    uint64_t seed;
    // Where everything lies; kept where a promise is broken.
    const char *directory;
    unsigned kills, kills_at[MOMENTS];
    // Of the kills, those that came with a cut of the file system.
    unsigned cuts;
    // Commands with an answer; those in flight at a kill; of these, those that were found done.
    uint64_t confirmed, in_flight, found_done;
    // Comparisons after restarts: of records, and of journal entries.
    uint64_t records_compared, entries_compared;
    // Questions for something that must be refused: grants of before a restart, or used ones, doors that are closed.
    uint64_t refusals;
    // Messages to watchers.
    uint64_t messages;
};
extern struct run run;

// A promise is broken: says which, and how to have it again, and ends the program.
_Noreturn void broken(const char *format, ...) __attribute__((format(printf, 1, 2)));
