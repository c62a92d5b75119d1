#include "guesses.h"

#include "database.h"
#include "failures.h"
#include "promises.h"

// The owner of strangers' guesses in the database.
static const unsigned STRANGERS = 0xfffffffc;

static unsigned *counter(struct guesses *guesses) {
    return guesses->has_lane ? &guesses->in_lane : &guesses->as_stranger;
}

void guess_was_wrong(struct guesses *guesses) {
    if (are_users_apart()) ++*counter(guesses);
}

void guess_was_right(struct guesses *guesses) {
    guesses->has_lane = are_users_apart();
    guesses->in_lane = 0;
}

unsigned clear_lane(struct guesses *guesses) {
    bool is_news = guesses->in_lane > 0;
    guesses->in_lane = 0;
    return is_news;
}

void forget_guesses(struct guesses *guesses) {
    *guesses = (struct guesses){.gate = guesses->gate};
}

void find_guess(struct actor *actor, struct guesses *guesses) {
    const Gate__V1__Lockout *found = find_lockout(
        actor, guesses->gate, guesses->has_lane ? GATE__V1__OWNER_KIND__OWNER_KIND_USER : GATE__V1__OWNER_KIND__OWNER_KIND_STRANGERS);
    unsigned wrong = found ? found->wrong_answers : 0, *known = counter(guesses);
    // The check was begun or not.
    run.records_compared++;
    if (wrong != *known && (!are_users_apart() || wrong != *known + 1))
        broken("%s: %u wrong answers, where %u were confirmed and at most one more was given", guesses->gate, wrong, *known);
    *known = wrong;
}

void expect_guess_rows(struct actor *actor, const struct guesses *guesses) {
    if (guesses->as_stranger > 0)
        expect_row("lockout %u %s wrong %u unanswered 0 lock 0", STRANGERS, guesses->gate, guesses->as_stranger);
    if (guesses->has_lane)
        expect_row("lockout %u %s wrong %u unanswered 0 lock 0", (unsigned)uid_of(actor, OWN), guesses->gate, guesses->in_lane);
}
