// Asks, which are requests that wait for a grown-up's answer. requests.c makes them, and state.c has those that a watch has reported.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// MARK: asking

// The number in a parameter of an error; 0 if there is none.
static uint64_t number_in(const gate_error *error, const char *name) {
    const char *text = gate_error_get_parameter(error, name);
    char *end = NULL;
    if (!text || *text < '0' || *text > '9') return 0;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    return *end || errno ? 0 : number;
}

bool gate_error_is_asked(const gate_error *error, uint64_t *ask, int64_t *until_unix_ms) {
    if (!error || error->code != GATE_FAILED_PRECONDITION || error->reason != GATE_REASON_ASKED) return false;
    uint64_t ends = number_in(error, "ends");
    if (ask) *ask = number_in(error, "ask");
    if (until_unix_ms) *until_unix_ms = ends <= INT64_MAX ? (int64_t)ends : 0;
    return true;
}

// MARK: lists and answers

static int state_of(Gate__V1__Ask__State state) {
    switch (state) {
    case GATE__V1__ASK__STATE__STATE_WAITING: return GATE_ASK_WAITING;
    case GATE__V1__ASK__STATE__STATE_ALLOWED: return GATE_ASK_ALLOWED;
    case GATE__V1__ASK__STATE__STATE_REFUSED: return GATE_ASK_REFUSED;
    case GATE__V1__ASK__STATE__STATE_CLOSED: return GATE_ASK_CLOSED;
    default: return GATE_ASK_UNSPECIFIED;
    }
}

const gate_ask *const *asks_of(struct arena *arena, size_t count, Gate__V1__Ask **from) {
    void *const *to = arena_list(arena, count, sizeof(gate_ask));
    for (size_t i = 0; to[i]; i++) {
        const Gate__V1__Ask *one = from[i];
        *(gate_ask *)to[i] = (gate_ask){one->number, state_of(one->state), one->ends_unix_milliseconds, (uid_t)one->uid, known(one->person),
            known(one->gated_action), known(one->title), texts_of(arena, one->n_titles, one->titles), known(one->details),
            known(one->device), choices_of(arena, one->n_choices, one->choices), known(one->choice),
            one->is_more_time, one->is_until_tomorrow, known(one->refusal)};
    }
    return (const gate_ask *const *)to;
}

static void run_asks(gate *gate, struct delivery *delivery) {
    gate_asks_handler handler = (gate_asks_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__ListAsksResponse *from = (const Gate__V1__ListAsksResponse *)delivery->message;
    struct arena arena = {0};
    const gate_ask *const *asks = asks_of(&arena, from ? from->n_asks : 0, from ? from->asks : NULL);
    gate_error *made;
    const gate_error *error = error_unless(from && !arena.has_failed, delivery, &made);
    handler(gate, error ? NULL : asks, error, delivery->userdata);
    error_free(made);
    arena_free(&arena);
}

int gate_list_asks(gate *gate, gate_asks_handler handler, void *userdata, uint64_t *number) {
    return listing_start(gate, NULL, &gate__v1__list_asks_response__descriptor, run_asks, (any_handler)handler, userdata, number);
}

int gate_answer_ask(gate *gate, uint64_t ask, int answer, const char *choice, gate_done_handler handler, void *userdata, uint64_t *number) {
    bool is_no = answer == GATE_ANSWER_NO && (!choice || strcmp(choice, "until-tomorrow") == 0);
    if (answer != GATE_ANSWER_YES && !is_no) return -EINVAL;
    Gate__V1__AnswerAskRequest message = GATE__V1__ANSWER_ASK_REQUEST__INIT;
    message.number = ask;
    message.is_allowed = answer == GATE_ANSWER_YES;
    if (choice) message.choice = (char *)choice;
    return call_ask(gate, "gate.v1.Authorization", "AnswerAsk", &message.base, &gate__v1__answer_ask_response__descriptor, run_done,
        (any_handler)handler, userdata, number);
}

int gate_withdraw_ask(gate *gate, uint64_t ask, gate_done_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__WithdrawAskRequest message = GATE__V1__WITHDRAW_ASK_REQUEST__INIT;
    message.number = ask;
    return call_ask(gate, "gate.v1.Authorization", "WithdrawAsk", &message.base, &gate__v1__withdraw_ask_response__descriptor, run_done,
        (any_handler)handler, userdata, number);
}

// A list of the one ask, so that both calls have one handler.
static void run_more_time(gate *gate, struct delivery *delivery) {
    gate_asks_handler handler = (gate_asks_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__AskMoreTimeResponse *from = (const Gate__V1__AskMoreTimeResponse *)delivery->message;
    Gate__V1__Ask *one = from ? from->ask : NULL;
    struct arena arena = {0};
    const gate_ask *const *asks = asks_of(&arena, one ? 1 : 0, &one);
    gate_error *made;
    const gate_error *error = error_unless(one && !arena.has_failed, delivery, &made);
    handler(gate, error ? NULL : asks, error, delivery->userdata);
    error_free(made);
    arena_free(&arena);
}

int gate_ask_more_time(gate *gate, const char *gated_action, const char *choice, gate_asks_handler handler, void *userdata, uint64_t *number) {
    if (!gated_action) return -EINVAL;
    Gate__V1__AskMoreTimeRequest message = GATE__V1__ASK_MORE_TIME_REQUEST__INIT;
    message.gated_action = (char *)gated_action;
    if (choice) message.choice = (char *)choice;
    return call_ask(gate, "gate.v1.Authorization", "AskMoreTime", &message.base, &gate__v1__ask_more_time_response__descriptor, run_more_time,
        (any_handler)handler, userdata, number);
}
