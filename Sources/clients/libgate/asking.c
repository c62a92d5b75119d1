// Calls that need no person, and raw calls.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const gate_error *error_of(const struct delivery *delivery) {
    return delivery->is_failed ? error_or_none(delivery->error) : NULL;
}

int call_ask(gate *gate, const char *service, const char *method, const ProtobufCMessage *message,
    const ProtobufCMessageDescriptor *output, void (*run)(struct gate *gate, struct delivery *delivery), any_handler handler, void *userdata,
    uint64_t *number) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    struct call call = {
        .output = output, .answered = call_deliver, .run = run, .handler = handler, .userdata = userdata, .due = call_limit(gate)};
    return call_start(gate, service, method, message, &call, number);
}

void run_done(gate *gate, struct delivery *delivery) {
    if (delivery->handler) ((gate_done_handler)delivery->handler)(gate, error_of(delivery), delivery->userdata);
}

// MARK: the mode

int mode_of_state(const Gate__V1__ModeState *state, int64_t *deadline) {
    *deadline = 0;
    if (!state) return GATE_MODE_CHILD;
    switch (state->mode) {
    case GATE__V1__MODE_STATE__MODE__MODE_VERIFYING: *deadline = state->deadline_boottime_nanoseconds; return GATE_MODE_VERIFYING;
    case GATE__V1__MODE_STATE__MODE__MODE_PARENT: *deadline = state->deadline_boottime_nanoseconds; return GATE_MODE_PARENT;
    default: return GATE_MODE_CHILD; // also a mode that this version does not know
    }
}

static int mode_of_answer(ProtobufCMessage *message, int64_t *deadline) {
    ProtobufCMessage **field = message ? message_field(message, "state") : NULL;
    const ProtobufCMessage *state = field ? *field : NULL;
    *deadline = 0;
    if (!state || state->descriptor != &gate__v1__mode_state__descriptor) return GATE_MODE_CHILD;
    return mode_of_state((const Gate__V1__ModeState *)state, deadline);
}

void run_mode(gate *gate, struct delivery *delivery) {
    int64_t deadline = 0;
    int mode = mode_of_answer(delivery->message, &deadline);
    if (delivery->handler) ((gate_mode_handler)delivery->handler)(gate, mode, deadline, error_of(delivery), delivery->userdata);
}

int gate_query_mode(gate *gate, gate_mode_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__GetModeRequest message = GATE__V1__GET_MODE_REQUEST__INIT;
    return call_ask(gate, "gate.v1.Mode", "GetMode", &message.base, &gate__v1__get_mode_response__descriptor, run_mode, (any_handler)handler,
        userdata, number);
}

int gate_lock(gate *gate, gate_mode_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__LockRequest message = GATE__V1__LOCK_REQUEST__INIT;
    return call_ask(gate, "gate.v1.Mode", "Lock", &message.base, &gate__v1__lock_response__descriptor, run_mode, (any_handler)handler, userdata,
        number);
}

int gate_cancel_verifying(gate *gate, gate_mode_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__CancelVerifyingRequest message = GATE__V1__CANCEL_VERIFYING_REQUEST__INIT;
    return call_ask(gate, "gate.v1.Mode", "CancelVerifying", &message.base, &gate__v1__cancel_verifying_response__descriptor, run_mode,
        (any_handler)handler, userdata, number);
}

int gate_override_mode(gate *gate, int mode, int64_t ms, const char *reason, gate_mode_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__OverrideModeRequest message = GATE__V1__OVERRIDE_MODE_REQUEST__INIT;
    if ((mode != GATE_MODE_CHILD && mode != GATE_MODE_PARENT) || !reason) return -EINVAL;
    message.mode = mode == GATE_MODE_PARENT ? GATE__V1__MODE_STATE__MODE__MODE_PARENT : GATE__V1__MODE_STATE__MODE__MODE_CHILD;
    message.duration_milliseconds = ms;
    message.reason = (char *)reason;
    return call_ask(gate, "gate.v1.Mode", "OverrideMode", &message.base, &gate__v1__override_mode_response__descriptor, run_mode,
        (any_handler)handler, userdata, number);
}

// MARK: gated actions

static void run_outlook(gate *gate, struct delivery *delivery) {
    const gate_error *error = error_of(delivery);
    gate_outlook_handler handler = (gate_outlook_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__CheckResponse *response = (const Gate__V1__CheckResponse *)delivery->message;
    if (error || !response) {
        handler(gate, NULL, error_or_none(error), delivery->userdata);
        return;
    }
    gate_outlook outlook = {.outcome = GATE_OUTCOME_DENIED, .explanation = known(response->explanation), .name = "", .title = ""};
    // An outcome that this version does not know is a denial.
    if (response->outcome == GATE__V1__CHECK_RESPONSE__OUTCOME__OUTCOME_GRANTED) outlook.outcome = GATE_OUTCOME_GRANTED;
    if (response->outcome == GATE__V1__CHECK_RESPONSE__OUTCOME__OUTCOME_PERSON_NEEDED) outlook.outcome = GATE_OUTCOME_PERSON_NEEDED;
    if (response->need) {
        outlook.need = (int)response->need->kind;
        outlook.challenge = (int)response->need->challenge;
        outlook.name = known(response->need->name);
        outlook.title = known(response->need->title);
    }
    gate_error *refusal = response->refusal ? error_of_detail(response->refusal, response->explanation) : NULL;
    outlook.refusal = response->refusal ? error_or_none(refusal) : NULL;
    handler(gate, &outlook, NULL, delivery->userdata);
    error_free(refusal);
}

int gate_check(gate *gate, const char *gated_action, gate_outlook_handler handler, void *userdata, uint64_t *number) {
    if (!gated_action) return -EINVAL;
    Gate__V1__CheckRequest message = GATE__V1__CHECK_REQUEST__INIT;
    message.gated_action = (char *)gated_action;
    return call_ask(gate, "gate.v1.Authorization", "Check", &message.base, &gate__v1__check_response__descriptor, run_outlook,
        (any_handler)handler, userdata, number);
}

static void run_requester(gate *gate, struct delivery *delivery) {
    const gate_error *error = error_of(delivery);
    const Gate__V1__RedeemResponse *response = (const Gate__V1__RedeemResponse *)delivery->message;
    gate_requester_handler handler = (gate_requester_handler)delivery->handler;
    if (!handler) return;
    if (response) handler(gate, response->requester_uid, response->requester_pid, error, delivery->userdata);
    else handler(gate, (uid_t)-1, 0, error_or_none(error), delivery->userdata);
}

int gate_redeem(gate *gate, const void *proof, size_t size, const char *gated_action, const char *details,
    gate_requester_handler handler, void *userdata, uint64_t *number) {
    if (!proof || !gated_action || !details) return -EINVAL;
    Gate__V1__RedeemRequest message = GATE__V1__REDEEM_REQUEST__INIT;
    message.proof.data = (uint8_t *)proof;
    message.proof.len = size;
    message.gated_action = (char *)gated_action;
    message.details = (char *)details;
    return call_ask(gate, "gate.v1.Authorization", "Redeem", &message.base, &gate__v1__redeem_response__descriptor, run_requester,
        (any_handler)handler, userdata, number);
}

// MARK: signing in

static void run_session(gate *gate, struct delivery *delivery) {
    const gate_error *error = error_of(delivery);
    const Gate__V1__LogInResponse *response = (const Gate__V1__LogInResponse *)delivery->message;
    const Gate__V1__Session *signed_in = response && response->state ? response->state->session : NULL;
    gate_session_handler handler = (gate_session_handler)delivery->handler;
    gate_error *none = NULL;
    if (!handler) return;
    if (!error && !signed_in) // without a session in the answer, nobody is signed in
        error = error_or_none(none = error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The daemon does not say who is signed in."));
    gate_session session = {"", true, 0};
    if (signed_in) session = (gate_session){known(signed_in->name), signed_in->is_child, signed_in->deadline_boottime_nanoseconds};
    handler(gate, error ? NULL : &session, error, delivery->userdata);
    error_free(none);
}

int gate_log_in(gate *gate, const char *name, const void *password, size_t size, gate_session_handler handler, void *userdata,
    uint64_t *number) {
    if (!name || !password) return -EINVAL;
    Gate__V1__LogInRequest message = GATE__V1__LOG_IN_REQUEST__INIT;
    message.name = (char *)name;
    message.password.data = (uint8_t *)password;
    message.password.len = size;
    return call_ask(gate, "gate.v1.SignIn", "LogIn", &message.base, &gate__v1__log_in_response__descriptor, run_session, (any_handler)handler,
        userdata, number);
}

int gate_log_out(gate *gate, gate_done_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__LogOutRequest message = GATE__V1__LOG_OUT_REQUEST__INIT;
    return call_ask(gate, "gate.v1.SignIn", "LogOut", &message.base, &gate__v1__log_out_response__descriptor, run_done, (any_handler)handler,
        userdata, number);
}

// MARK: raw calls

static void run_bytes(gate *gate, struct delivery *delivery) {
    const gate_error *error = error_of(delivery);
    gate_bytes_handler handler = (gate_bytes_handler)delivery->handler;
    if (handler) handler(gate, error ? NULL : delivery->bytes, delivery->size, error, delivery->userdata);
}

static int start_raw(gate *gate, const char *service, const char *method, const void *message, size_t size, bool is_stream, uint64_t usec,
    gate_bytes_handler handler, void *userdata, uint64_t *number) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    if (!service || !method || (!message && size)) return -EINVAL;
    struct call call = {.is_stream = is_stream, .answered = call_deliver, .run = run_bytes, .handler = (any_handler)handler,
        .userdata = userdata, .due = is_stream ? UINT64_MAX : usec ? time_after(usec) : call_limit(gate)};
    return call_start_bytes(gate, service, method, message, size, &call, number);
}

int gate_call(gate *gate, const char *service, const char *method, const void *message, size_t size, uint64_t usec,
    gate_bytes_handler handler, void *userdata, uint64_t *number) {
    return start_raw(gate, service, method, message, size, false, usec, handler, userdata, number);
}

int gate_stream(gate *gate, const char *service, const char *method, const void *message, size_t size, gate_bytes_handler handler,
    void *userdata, uint64_t *number) {
    return start_raw(gate, service, method, message, size, true, 0, handler, userdata, number);
}

int gate_cancel(gate *gate, uint64_t number) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    size_t before = gate->delivery_count;
    if (number) deliveries_drop(gate, number, 0);
    bool was = number && (request_cancel(gate, number) || call_cancel(gate, number));
    if (number) form_cancelled(gate, number);
    return was || gate->delivery_count != before ? 0 : -ENOENT;
}
