// The part of talk for asks, schedules and the time that is used.
#include "talk.h"

#include <stdio.h>
#include <string.h>

static void done(gate *gate, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s done\n", (const char *)what);
}

// The outcome of a request that may wait.
static void decided(gate *gate, const gate_error *error, void *what) {
    uint64_t ask;
    int64_t until;
    (void)gate;
    if (gate_error_is_asked(error, &ask, &until)) printf("%s asked ask=%llu until=%lld\n", (const char *)what, (unsigned long long)ask, (long long)until);
    else if (error) print_error(what, error);
    else printf("%s granted\n", (const char *)what);
}

static void print_ask(const gate_ask *one) {
    printf("ask %llu state=%d until=%lld uid=%u person=%s action=%s title=%s titles=%d details=%s choices=", (unsigned long long)one->number,
        one->state, (long long)one->until_unix_ms, (unsigned)one->uid, one->person, one->gated_action, one->title, one->titles[0] != NULL,
        one->details);
    for (const char *const *offered = one->choices; *offered; offered++) printf("%s%s", offered == one->choices ? "" : ",", *offered);
    printf(" choice=%s%s%s%s%s\n", one->choice, one->is_more_time ? " more-time" : "", one->is_until_tomorrow ? " until-tomorrow" : "",
        *one->refusal ? " refusal=" : "", one->refusal);
}

static void listed(gate *gate, const gate_ask *const *asks, const gate_error *error, void *what) {
    (void)gate;
    size_t count = 0;
    if (error) {
        print_error(what, error);
        return;
    }
    for (; asks[count]; count++) print_ask(asks[count]);
    printf("%s count=%zu\n", (const char *)what, count);
}

static void used(gate *gate, const gate_use *use, const gate_error *error, void *what) {
    (void)gate;
    if (error) print_error(what, error);
    else printf("%s limited=%d left=%llu over=%d\n", (const char *)what, use->is_limited, (unsigned long long)use->left_ms, use->is_over);
}

void print_asks_and_schedules(gate *handle) {
    for (const gate_ask *const *one = gate_get_asks(handle); *one; one++) printf(" ask=%llu/%d", (unsigned long long)(*one)->number, (*one)->state);
    for (const gate_schedule *const *one = gate_get_schedules(handle); *one; one++)
        printf(" schedule=%s/%s%s", (*one)->name, gate_is_schedule_open(handle, (*one)->name) ? "open" : "closed", (*one)->until_unix_ms ? "" : "/for-good");
}

int act_on_asks(gate *handle, char **word, char *what, uint64_t *number) {
    uint64_t ask = number_of(word[1]);
#define IS(name) (strcmp(word[0], name) == 0)
    if (IS("ask")) return gate_authorize(handle, word[1], word[2], (unsigned)number_of(word[3]) | GATE_MAY_WAIT, decided, what, number);
    if (IS("ask-sync")) {
        int result = gate_authorize_or_ask_sync(handle, word[1], word[2]);
        printf("ask-sync %d\n", result);
        if (result >= 0) decided(handle, gate_get_error(handle), what);
        return result;
    }
    if (IS("asks")) return gate_list_asks(handle, listed, what, number);
    if (IS("answer-ask")) return gate_answer_ask(handle, ask, (int)number_of(word[2]), word[3], done, what, number);
    if (IS("more-time")) return gate_ask_more_time(handle, word[1], word[2], listed, what, number);
    if (IS("use")) return gate_count_use(handle, word[1], word[2], used, what, number);
    if (IS("withdraw-ask")) return gate_withdraw_ask(handle, ask, done, what, number);
    return 1;
}
