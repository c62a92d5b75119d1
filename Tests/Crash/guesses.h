// The wrong answers of one user to a secret of the device as they must be; no other user answers it. They have a limit,
// and are counted in addition to those that lock.
#pragma once
#include "actor.h"

struct guesses {
    // The name under which they are counted.
    const char *gate;
    // Those among all strangers, who never gave the right answer, and those in the user's own lane, which begins with
    // its first right answer.
    unsigned as_stranger, in_lane;
    bool has_lane;
};

// The answers of administrators are not counted, and without root every actor is one.
void guess_was_wrong(struct guesses *guesses);
void guess_was_right(struct guesses *guesses);
// An administrator clears this user's locks at the secret. Returns how many more counters that clears.
unsigned clear_lane(struct guesses *guesses);
// The secret was replaced or removed.
void forget_guesses(struct guesses *guesses);
// The daemon was killed with an answer in flight that it may have begun to check. Asks whether it was counted.
void find_guess(struct actor *actor, struct guesses *guesses);
void expect_guess_rows(struct actor *actor, const struct guesses *guesses);
