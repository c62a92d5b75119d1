// The wrong answers of one user at one gate, as they have to be: counted, and locking for longer and longer.
#pragma once
#include "actor.h"

struct failures {
    // Under which name they are counted.
    const char *gate;
    unsigned wrong, unanswered;
    // 0: never locked.
    int64_t lock_nanoseconds;
    // When the lock ends: between these two moments; 0: it does not lock.
    int64_t until_least, until_most;
};

// A wrong answer was taken at some moment between these two. Says which entries follow from it.
void count_wrong(struct failures *failures, uid_t uid, int64_t sent, int64_t received);
// A question was dismissed: the first one is free.
void count_dismissed(struct failures *failures, uid_t uid, int64_t sent, int64_t received);
void forgive(struct failures *failures);
bool is_locked(const struct failures *failures);
bool has_failures(const struct failures *failures);
// Asks whether it is so.
void compare_failures(struct actor *actor, const struct failures *failures);
// What the daemon says of a gate: of the actor's user, or of others together. NULL: nothing was wrong.
const Gate__V1__Lockout *find_lockout(struct actor *actor, const char *gate, Gate__V1__OwnerKind owner);
// Whether there are any of this user at this gate.
bool are_failures_there(struct actor *actor, const char *gate);
// An administrator forgets them.
void clear_failures(
    struct actor *actor, const struct failures *failures, void (*answered)(struct actor *, const struct answer *));
void expect_failure_rows(struct actor *actor, const struct failures *failures);
