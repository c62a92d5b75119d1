// JSON from the daemon: questionnaires, kept responses, and the result of checking a draft.
#include <errno.h>

#include "forms.h"

static const ProtobufCBinaryData *json_of(const ProtobufCMessage *message) {
    if (!message) return NULL;
    if (message->descriptor == &gate__v1__get_questionnaire_response__descriptor)
        return &((const Gate__V1__GetQuestionnaireResponse *)message)->questionnaire;
    if (message->descriptor == &gate__v1__get_response_response__descriptor)
        return &((const Gate__V1__GetResponseResponse *)message)->response;
    return NULL;
}

static void run_json(gate *gate, struct delivery *delivery) {
    gate_json_handler handler = (gate_json_handler)delivery->handler;
    const ProtobufCBinaryData *bytes = json_of(delivery->message);
    struct arena arena = {0};
    const char *json = bytes ? text_of(&arena, bytes) : NULL;
    gate_error *made;
    const gate_error *error = error_unless(json, delivery, &made);
    if (handler) handler(gate, error ? NULL : json, error ? 0 : bytes->len, error, delivery->userdata);
    error_free(made);
    arena_free(&arena);
}

static int read_questionnaire(gate *gate, const char *name, const ProtobufCBinaryData *cookie, gate_json_handler handler, void *userdata,
    uint64_t *number) {
    Gate__V1__GetQuestionnaireRequest message = GATE__V1__GET_QUESTIONNAIRE_REQUEST__INIT;
    message.name = (char *)name;
    if (cookie) message.cookie = *cookie;
    return call_ask(gate, "gate.v1.Questionnaires", "GetQuestionnaire", &message.base,
        &gate__v1__get_questionnaire_response__descriptor, run_json, (any_handler)handler, userdata, number);
}

int gate_read_questionnaire(gate *gate, const char *name, gate_json_handler handler, void *userdata, uint64_t *number) {
    int problem = name ? gate_start(gate) : -EINVAL;
    return problem < 0 ? problem : read_questionnaire(gate, name, NULL, handler, userdata, number);
}

int gate_read_form_questionnaire(gate *gate, uint64_t id, gate_json_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__FormTarget target;
    struct form *form;
    int problem = form_ready(gate, id, &form, &target);
    if (problem == -EBUSY) problem = 0; // a call under way does not change the questionnaire
    return problem < 0 ? problem : read_questionnaire(gate, form->name, &target.cookie, handler, userdata, number);
}

int gate_read_response(gate *gate, uint64_t response_id, gate_json_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__GetResponseRequest message = GATE__V1__GET_RESPONSE_REQUEST__INIT;
    message.response_id = response_id;
    return call_ask(gate, "gate.v1.Questionnaires", "GetResponse", &message.base, &gate__v1__get_response_response__descriptor, run_json,
        (any_handler)handler, userdata, number);
}

static void run_verdict(gate *gate, struct delivery *delivery) {
    gate_verdict_handler handler = (gate_verdict_handler)delivery->handler;
    const Gate__V1__ValidateFormResponse *verdict = (const Gate__V1__ValidateFormResponse *)delivery->message;
    struct arena arena = {0};
    const char *outcome = verdict ? text_of(&arena, &verdict->outcome) : NULL;
    gate_error *made;
    const gate_error *error = error_unless(outcome, delivery, &made);
    if (handler && error) handler(gate, false, NULL, 0, error, delivery->userdata);
    else if (handler) handler(gate, verdict->is_valid, outcome, verdict->outcome.len, NULL, delivery->userdata);
    error_free(made);
    arena_free(&arena);
}

int gate_validate_form(gate *gate, uint64_t id, gate_verdict_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__ValidateFormRequest message = GATE__V1__VALIDATE_FORM_REQUEST__INIT;
    struct call call = {.output = &gate__v1__validate_form_response__descriptor, .answered = call_deliver, .run = run_verdict,
        .handler = (any_handler)handler, .userdata = userdata};
    return form_send(gate, id, "ValidateForm", &message.base, &message.target, NULL, &call, number);
}
