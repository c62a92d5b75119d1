// The wrong answers of one user at one gate as they must be: how many there are, and how long they lock.
#pragma once
#include "actor.h"

struct failures {
    // The name under which they are counted.
    const char *gate;
    unsigned wrong, unanswered;
    // 0: it never locked.
    int64_t lock_nanoseconds;
    // The lock ends between these two moments; 0: it does not lock.
    int64_t until_least, until_most;
};

// A wrong answer was counted at a moment between these two. Records the entries that must be in the journal.
void count_wrong(struct failures *failures, uid_t uid, int64_t sent, int64_t received);
// A question was dismissed. The first dismissal costs nothing.
void count_dismissed(struct failures *failures, uid_t uid, int64_t sent, int64_t received);
void forgive(struct failures *failures);
bool is_locked(const struct failures *failures);
bool has_failures(const struct failures *failures);
// Asks the daemon and compares.
void compare_failures(struct actor *actor, const struct failures *failures);
// The daemon's counter of a gate, for the actor's user or for many owners together. NULL: nothing was wrong.
const Gate__V1__Lockout *find_lockout(struct actor *actor, const char *gate, Gate__V1__OwnerKind owner);
// Whether this user has wrong answers at this gate.
bool are_failures_there(struct actor *actor, const char *gate);
// An administrator clears them.
void clear_failures(
    struct actor *actor, const struct failures *failures, void (*answered)(struct actor *, const struct answer *));
void expect_failure_rows(struct actor *actor, const struct failures *failures);
