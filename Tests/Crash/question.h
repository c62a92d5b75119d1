// A sum or a secret that the daemon asks for, and its answer.
#pragma once
#include "actor.h"

struct question {
    bool is_open;
    uint8_t cookie[64];
    size_t cookie_size;
    // Its name in the journal: "challenge 12, sum.open".
    char name[96];
    // The result of a sum.
    int right;
    bool is_secret;
};
// `gate`: "" for the mode.
void take_question(struct question *question, const Gate__V1__Presentation *presentation, const char *gate, uid_t uid);
// Answers. `text`: NULL for the right or a wrong result of a sum.
void answer_question(
    struct actor *actor, struct question *question, bool is_right, const char *text,
    void (*answered)(struct actor *, const struct answer *));
void dismiss_question(
    struct actor *actor, struct question *question, void (*answered)(struct actor *, const struct answer *));
// Checks that a question from before a restart accepts no answer.
void try_old_question(struct actor *actor, struct question *question);
