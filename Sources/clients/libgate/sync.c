// Calls that wait for their answer. They call no handlers: gate_process() handles later what arrives meanwhile.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct waiting { int code, outcome; size_t size; };

static int sync_begin(gate *gate) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    if (gate->is_running) return -EBUSY; // in a handler
    error_free(gate->sync_error);
    gate->sync_error = NULL;
    free(gate->sync_bytes);
    gate->sync_bytes = NULL;
    return 0;
}

static int failed(gate *gate, const gate_error *error) {
    if (!error) return GATE_OK;
    gate->sync_error = error_copy(error);
    return error->code;
}

static void take_outlook(gate *gate, const gate_outlook *outlook, const gate_error *error, void *userdata) {
    struct waiting *waiting = userdata;
    waiting->code = failed(gate, error);
    if (outlook) waiting->outcome = outlook->outcome;
}

int gate_check_sync(gate *gate, const char *gated_action, int *outcome) {
    struct waiting waiting = {.outcome = GATE_OUTCOME_DENIED};
    uint64_t number;
    if (!outcome) return -EINVAL;
    *outcome = GATE_OUTCOME_DENIED;
    int problem = sync_begin(gate);
    if (problem == 0) problem = gate_check(gate, gated_action, take_outlook, &waiting, &number);
    if (problem == 0) problem = sync_run(gate, number);
    if (problem < 0) return problem;
    *outcome = waiting.outcome;
    return waiting.code;
}

static void take_decision(gate *gate, const gate_error *error, void *userdata) {
    ((struct waiting *)userdata)->code = failed(gate, error);
}

static int authorize_sync(gate *gate, const char *gated_action, const char *details, unsigned flags) {
    struct waiting waiting = {0};
    uint64_t number;
    int problem = sync_begin(gate);
    if (problem == 0) problem = gate_authorize(gate, gated_action, details, flags, take_decision, &waiting, &number);
    if (problem == 0) problem = sync_run(gate, number);
    return problem < 0 ? problem : waiting.code;
}

int gate_authorize_sync(gate *gate, const char *gated_action, const char *details) {
    return authorize_sync(gate, gated_action, details, 0);
}

int gate_authorize_or_ask_sync(gate *gate, const char *gated_action, const char *details) {
    return authorize_sync(gate, gated_action, details, GATE_MAY_WAIT);
}

static void take_age_range(gate *gate, const gate_age_range *range, const gate_error *error, void *userdata) {
    ((struct waiting *)userdata)->code = failed(gate, error);
    if (range) gate->sync_age_range = *range;
}

int gate_query_age_range_sync(gate *gate, const gate_age_range **range) {
    static const gate_age_range nothing;
    struct waiting waiting = {0};
    uint64_t number;
    if (!range) return -EINVAL;
    *range = &nothing;
    int problem = sync_begin(gate);
    if (problem == 0) problem = gate_query_age_range(gate, take_age_range, &waiting, &number);
    if (problem == 0) problem = sync_run(gate, number);
    if (problem < 0) return problem;
    if (waiting.code == GATE_OK) *range = &gate->sync_age_range;
    return waiting.code;
}

// Takes the bytes instead of copying them, since they can be large.
static void take_bytes(gate *gate, struct delivery *delivery) {
    struct waiting *waiting = delivery->userdata;
    waiting->code = failed(gate, delivery->is_failed ? error_or_none(delivery->error) : NULL);
    if (delivery->is_failed) return;
    gate->sync_bytes = delivery->bytes;
    delivery->bytes = NULL;
    waiting->size = delivery->size;
}

int gate_call_sync(gate *gate, const char *service, const char *method, const void *message, size_t size, uint64_t usec,
    const void **answer, size_t *answer_size) {
    struct waiting waiting = {0};
    uint64_t number;
    if (!answer || !answer_size) return -EINVAL;
    *answer = NULL;
    *answer_size = 0;
    int problem = sync_begin(gate);
    if (problem == 0 && (!service || !method || (!message && size))) problem = -EINVAL;
    if (problem < 0) return problem;
    struct call call = {
        .answered = call_deliver, .run = take_bytes, .userdata = &waiting, .due = usec ? time_after(usec) : call_limit(gate)};
    problem = call_start_bytes(gate, service, method, message, size, &call, &number);
    if (problem == 0) problem = sync_run(gate, number);
    if (problem < 0) return problem;
    *answer = gate->sync_bytes;
    *answer_size = waiting.size;
    return waiting.code;
}
