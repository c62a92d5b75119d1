// The functions of gate-forms.h that open, change and keep drafts, ask for a form, and withdraw responses. Lists are in listing.c, JSON is in
// reading.c.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"

static const char service[] = "gate.v1.Questionnaires";

// MARK: opening

int gate_open_form(gate *gate, const char *name, const char *own, gate_form_handler handler, void *userdata, uint64_t *number) {
    if (!name) return -EINVAL;
    struct form wanted = {.name = (char *)name};
    return form_open(gate, &wanted, NULL, own, handler, userdata, number);
}

int gate_open_draft(gate *gate, const char *name, uint64_t draft_id, gate_form_handler handler, void *userdata, uint64_t *number) {
    if (!name) return -EINVAL;
    struct form wanted = {.name = (char *)name, .draft_id = draft_id};
    return form_open(gate, &wanted, NULL, NULL, handler, userdata, number);
}

int gate_begin_draft(gate *gate, const char *name, const char *label, const char *own, uint64_t response_id, gate_form_handler handler,
    void *userdata, uint64_t *number) {
    if (!name) return -EINVAL;
    struct form wanted = {.name = (char *)name, .begins_another = true, .loads = response_id != 0, .response_id = response_id};
    return form_open(gate, &wanted, label, own, handler, userdata, number);
}

static int open_shown(gate *gate, uint64_t presentation, struct form wanted, gate_form_handler handler, void *userdata, uint64_t *number) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    const struct open *open = open_find(gate, presentation);
    if (!open || open->message->content_case != GATE__V1__PRESENTATION__CONTENT_FORM) return -ENOENT;
    wanted.presentation = presentation;
    wanted.name = (char *)known(open->message->form->name);
    return form_open(gate, &wanted, NULL, NULL, handler, userdata, number);
}

int gate_open_shown_form(gate *gate, uint64_t presentation, uint64_t draft_id, gate_form_handler handler, void *userdata, uint64_t *number) {
    return open_shown(gate, presentation, (struct form){.draft_id = draft_id}, handler, userdata, number);
}

int gate_begin_shown_form(gate *gate, uint64_t presentation, uint64_t response_id, gate_form_handler handler, void *userdata,
    uint64_t *number) {
    struct form wanted = {.begins_another = true, .loads = response_id != 0, .response_id = response_id};
    return open_shown(gate, presentation, wanted, handler, userdata, number);
}

// MARK: changing

int gate_read_form(gate *gate, uint64_t id, gate_form_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__FormTarget target;
    struct form *form;
    int problem = form_ready(gate, id, &form, &target);
    return problem < 0 ? problem : form_read(gate, form, handler, userdata, number);
}

int gate_set_answers(gate *gate, uint64_t id, const char *path, const char *answers, gate_form_handler handler, void *userdata,
    uint64_t *number) {
    if (!path) return -EINVAL;
    Gate__V1__SetAnswerRequest message = GATE__V1__SET_ANSWER_REQUEST__INIT;
    message.path = (char *)path;
    message.answers = bytes_of(answers ? answers : "[]");
    return form_change(gate, id, "SetAnswer", &message.base, &message.target, &message.at_revision,
        &gate__v1__set_answer_response__descriptor, handler, userdata, number);
}

int gate_suggest_answers(gate *gate, uint64_t id, const char *path, const char *answers, int64_t pending_ms, gate_form_handler handler,
    void *userdata, uint64_t *number) {
    if (!path || pending_ms < 0 || (answers && pending_ms)) return -EINVAL;
    Gate__V1__SuggestAnswerRequest message = GATE__V1__SUGGEST_ANSWER_REQUEST__INIT;
    message.path = (char *)path;
    // While the answers are being looked up, the field has to be empty; "[]" would mean that there are none.
    if (!pending_ms) message.answers = bytes_of(answers ? answers : "[]");
    message.pending_milliseconds = pending_ms;
    return form_change(gate, id, "SuggestAnswer", &message.base, &message.target, &message.at_revision,
        &gate__v1__suggest_answer_response__descriptor, handler, userdata, number);
}

int gate_remove_group(gate *gate, uint64_t id, const char *path, gate_form_handler handler, void *userdata, uint64_t *number) {
    if (!path) return -EINVAL;
    Gate__V1__RemoveGroupRequest message = GATE__V1__REMOVE_GROUP_REQUEST__INIT;
    message.path = (char *)path;
    return form_change(gate, id, "RemoveGroup", &message.base, &message.target, &message.at_revision,
        &gate__v1__remove_group_response__descriptor, handler, userdata, number);
}

int gate_fill_form(gate *gate, uint64_t id, const char *response, gate_form_handler handler, void *userdata, uint64_t *number) {
    if (!response) return -EINVAL;
    Gate__V1__FillFormRequest message = GATE__V1__FILL_FORM_REQUEST__INIT;
    message.response = bytes_of(response);
    return form_change(gate, id, "FillForm", &message.base, &message.target, &message.at_revision,
        &gate__v1__fill_form_response__descriptor, handler, userdata, number);
}

int gate_load_response(gate *gate, uint64_t id, uint64_t response_id, gate_form_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__LoadFormRequest message = GATE__V1__LOAD_FORM_REQUEST__INIT;
    message.response_id = response_id;
    return form_change(gate, id, "LoadForm", &message.base, &message.target, &message.at_revision,
        &gate__v1__load_form_response__descriptor, handler, userdata, number);
}

int gate_reset_form(gate *gate, uint64_t id, gate_form_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__ResetFormRequest message = GATE__V1__RESET_FORM_REQUEST__INIT;
    return form_change(gate, id, "ResetForm", &message.base, &message.target, &message.at_revision,
        &gate__v1__reset_form_response__descriptor, handler, userdata, number);
}

int gate_label_draft(gate *gate, uint64_t id, const char *label, gate_form_handler handler, void *userdata, uint64_t *number) {
    if (!label) return -EINVAL;
    Gate__V1__LabelDraftRequest message = GATE__V1__LABEL_DRAFT_REQUEST__INIT;
    message.label = (char *)label;
    return form_change(gate, id, "LabelDraft", &message.base, &message.target, NULL, &gate__v1__label_draft_response__descriptor, handler,
        userdata, number);
}

// MARK: ends

static void run_kept(gate *gate, struct delivery *delivery) {
    const ProtobufCMessage *message = delivery->message;
    gate_kept_handler handler = (gate_kept_handler)delivery->handler;
    uint64_t response_id = 0;
    if (message && message->descriptor == &gate__v1__save_form_response__descriptor)
        response_id = ((const Gate__V1__SaveFormResponse *)message)->response_id;
    if (message && message->descriptor == &gate__v1__complete_form_response__descriptor)
        response_id = ((const Gate__V1__CompleteFormResponse *)message)->response_id;
    if (message && message->descriptor == &gate__v1__request_form_response__descriptor)
        response_id = ((const Gate__V1__RequestFormResponse *)message)->response_id;
    struct form *form = form_find(gate, delivery->owner);
    if (form && message && message->descriptor == &gate__v1__complete_form_response__descriptor) form_free(gate, form);
    gate_error *made;
    const gate_error *error = error_unless(message != NULL, delivery, &made);
    if (handler) handler(gate, error ? 0 : response_id, error, delivery->userdata);
    error_free(made);
}

int gate_save_form(gate *gate, uint64_t id, gate_kept_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__SaveFormRequest message = GATE__V1__SAVE_FORM_REQUEST__INIT;
    struct call call = {.output = &gate__v1__save_form_response__descriptor, .answered = call_deliver, .run = run_kept,
        .handler = (any_handler)handler, .userdata = userdata};
    return form_send(gate, id, "SaveForm", &message.base, &message.target, NULL, &call, number);
}

int gate_complete_form(gate *gate, uint64_t id, gate_kept_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__CompleteFormRequest message = GATE__V1__COMPLETE_FORM_REQUEST__INIT;
    struct call call = {.output = &gate__v1__complete_form_response__descriptor, .answered = call_deliver, .run = run_kept,
        .handler = (any_handler)handler, .userdata = userdata};
    return form_send(gate, id, "CompleteForm", &message.base, &message.target, &message.at_revision, &call, number);
}

static void run_discarded(gate *gate, struct delivery *delivery) {
    gate_done_handler handler = (gate_done_handler)delivery->handler;
    struct form *form = form_find(gate, delivery->owner);
    if (form && !delivery->is_failed) form_free(gate, form); // its draft was discarded
    if (handler) handler(gate, delivery->is_failed ? error_or_none(delivery->error) : NULL, delivery->userdata);
}

int gate_discard_form(gate *gate, uint64_t id, gate_done_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__DiscardFormRequest message = GATE__V1__DISCARD_FORM_REQUEST__INIT;
    struct call call = {.output = &gate__v1__discard_form_response__descriptor, .answered = call_deliver, .run = run_discarded,
        .handler = (any_handler)handler, .userdata = userdata};
    return form_send(gate, id, "DiscardForm", &message.base, &message.target, NULL, &call, number);
}

int gate_request_form(gate *gate, const char *name, const char *own, gate_kept_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__RequestFormRequest message = GATE__V1__REQUEST_FORM_REQUEST__INIT;
    int problem = name ? gate_start(gate) : -EINVAL;
    if (problem < 0) return problem;
    message.name = (char *)name;
    message.questionnaire = bytes_of(own);
    // No time limit, since the call waits for a person.
    struct call call = {.output = &gate__v1__request_form_response__descriptor, .answered = call_deliver, .run = run_kept,
        .handler = (any_handler)handler, .userdata = userdata, .due = UINT64_MAX};
    return call_start(gate, service, "RequestForm", &message.base, &call, number);
}

int gate_withdraw_response(gate *gate, uint64_t response_id, gate_done_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__WithdrawResponseRequest message = GATE__V1__WITHDRAW_RESPONSE_REQUEST__INIT;
    message.response_id = response_id;
    return call_ask(gate, service, "WithdrawResponse", &message.base, &gate__v1__withdraw_response_response__descriptor, run_done,
        (any_handler)handler, userdata, number);
}
