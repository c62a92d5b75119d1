// The results of a run so far, and how it ends if a promise is broken.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// When a daemon was killed.
enum moment {
    // At any time under load.
    AT_ANY_TIME,
    // As soon as an answer has arrived.
    AFTER_ANSWER,
    // As soon as something was written to the store's log, which is in the middle of a commit.
    DURING_COMMIT,
    // As soon as something was copied from the log into the database.
    DURING_CHECKPOINT,
    // At any time between its start and its first answer.
    DURING_START,
    // As soon as it has written to the store's files after its start, to recover what the previous daemon left.
    DURING_RECOVERY,
    MOMENTS,
};

struct run {
    uint64_t seed;
    // The folder of all files. It is kept if a promise is broken.
    const char *directory;
    unsigned kills, kills_at[MOMENTS];
    // How many of the kills came with a cut of the file system.
    unsigned cuts;
    // Commands with an answer; commands in flight at a kill; how many of the latter were executed.
    uint64_t confirmed, in_flight, found_done;
    // Comparisons after restarts: of records, and of journal entries.
    uint64_t records_compared, entries_compared;
    // Requests that had to be refused, like those with grants from before a restart, or used ones.
    uint64_t refusals;
    // Messages to watchers.
    uint64_t messages;
};
extern struct run run;

// A promise is broken. Prints which one and how to reproduce it, and ends the program.
_Noreturn void broken(const char *format, ...) __attribute__((format(printf, 1, 2)));
