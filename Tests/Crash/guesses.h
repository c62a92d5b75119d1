// The wrong answers of one user to a secret of the device, as they have to be: nobody else answers with it. They have a limit, and
// count beside those that lock.
#pragma once
#include "actor.h"

struct guesses {
    // Under which name they are counted.
    const char *gate;
    // With all who never gave it right, and in a lane of its own, which is there from the first right answer on.
    unsigned as_stranger, in_lane;
    bool has_lane;
};

// Administrators' answers count nowhere, and without root everybody is one.
void guess_was_wrong(struct guesses *guesses);
void guess_was_right(struct guesses *guesses);
// An administrator clears what locks this user at the secret. Returns how many counters that clears besides.
unsigned clear_lane(struct guesses *guesses);
// There is another secret, or none.
void forget_guesses(struct guesses *guesses);
// The daemon was killed with an answer in flight that it may have begun to check: asks whether that counts.
void find_guess(struct actor *actor, struct guesses *guesses);
void expect_guess_rows(struct actor *actor, const struct guesses *guesses);
