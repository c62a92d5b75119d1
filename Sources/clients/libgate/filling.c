// Open forms: opens and changes them, reads them again after each change, and passes them to handlers.
//
// A form's number is that of the call that has opened it. Its draft is kept by the daemon, and outlives connections. Only the form of a
// presentation is reached by the presentation's cookie, and is closed with the presentation.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"

static const char service[] = "gate.v1.Questionnaires";

// MARK: finding

struct form *form_find(const gate *gate, uint64_t id) {
    struct form *form = gate->forms;
    while (form && form->id != id) form = form->next;
    return form;
}

static void forget_change(struct form *form) {
    message_free(form->change);
    form->change = NULL;
}

void form_free(gate *gate, struct form *form) {
    struct form **link = &gate->forms;
    while (*link && *link != form) link = &(*link)->next;
    if (*link) *link = form->next;
    forget_change(form);
    error_free(form->why);
    free(form->name);
    free(form);
}

void forms_free(gate *gate) {
    while (gate->forms) form_free(gate, gate->forms);
}

static bool is_busy(const gate *gate, const struct form *form) {
    return call_is_open(gate, form->call) || delivery_waits(gate, form->call);
}

// Stores how to reach the form's draft. Returns false if the presentation that shows it is closed.
static bool put_target(const gate *gate, const struct form *form, Gate__V1__FormTarget *target) {
    const struct open *open = form->presentation ? open_find(gate, form->presentation) : NULL;
    if (form->presentation && !open) return false;
    gate__v1__form_target__init(target);
    target->name = form->name;
    target->draft_id = form->draft_id;
    if (open) target->cookie = open->message->cookie;
    return true;
}

int form_ready(gate *gate, uint64_t id, struct form **form, Gate__V1__FormTarget *target) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    *form = form_find(gate, id);
    if (!*form || !(*form)->is_open || !put_target(gate, *form, target)) return -ENOENT;
    return is_busy(gate, *form) ? -EBUSY : 0;
}

// MARK: ends

static void nobody_listens(gate *gate, struct call *call, struct answer *answer) {
    (void)gate, (void)call, (void)answer;
}

// Forgets a form that is not open, and discards a draft that was begun for it.
static void give_up(gate *gate, struct form *form) {
    Gate__V1__FormTarget target;
    if (form->is_begun && put_target(gate, form, &target)) {
        Gate__V1__DiscardFormRequest message = GATE__V1__DISCARD_FORM_REQUEST__INIT;
        message.target = &target;
        struct call call = {.answered = nobody_listens, .output = &gate__v1__discard_form_response__descriptor, .due = call_limit(gate)};
        call_start(gate, service, "DiscardForm", &message.base, &call, NULL);
    }
    form_free(gate, form);
}

void form_cancelled(gate *gate, uint64_t number) {
    struct form *form = form_find(gate, number);
    if (form && !form->is_open) give_up(gate, form);
}

void forms_close(gate *gate, uint64_t presentation) {
    for (struct form *form = gate->forms, *next; form; form = next) {
        next = form->next;
        // A call under way for it still ends, and its handler is called.
        if (form->presentation == presentation) form_free(gate, form);
    }
}

int gate_close_form(gate *gate, uint64_t id) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    struct form *form = form_find(gate, id);
    if (!form || !form->is_open) return -ENOENT;
    deliveries_drop(gate, form->call, 0);
    call_cancel(gate, form->call);
    form_free(gate, form);
    return 0;
}

// Passes the error to the handler, and forgets a form that was not open yet.
static void tell_failure(gate *gate, struct call *call, gate_error *error) {
    struct form *form = form_find(gate, call->owner);
    if (form && !form->is_open) form_free(gate, form);
    call_deliver(gate, call, &(struct answer){.error = error, .is_failed = true});
}

static void fail_closed(gate *gate, struct call *call) {
    tell_failure(gate, call, error_new(GATE_ABORTED, GATE_REASON_CLOSED, "The presentation that showed the form was closed meanwhile."));
}

static void thrown_away(gate *gate, struct call *call, struct answer *answer) {
    (void)answer; // whether the draft was discarded matters less than why the form was not opened
    struct form *form = form_find(gate, call->owner);
    if (!form) return fail_closed(gate, call);
    gate_error *error = form->why;
    form->why = NULL;
    tell_failure(gate, call, error);
}

// As tell_failure(), but first discards a draft that was begun for the form. Takes ownership of the error.
static void fail(gate *gate, struct call *call, gate_error *error) {
    struct form *form = form_find(gate, call->owner);
    Gate__V1__DiscardFormRequest message = GATE__V1__DISCARD_FORM_REQUEST__INIT;
    Gate__V1__FormTarget target;
    if (!form || form->is_open || !form->is_begun || form->is_ending || !put_target(gate, form, &target))
        return tell_failure(gate, call, error);
    message.target = &target;
    form->is_ending = true;
    form->why = error;
    struct call next = *call;
    next.next = NULL;
    next.output = &gate__v1__discard_form_response__descriptor;
    next.answered = thrown_away;
    if (call_start(gate, service, "DiscardForm", &message.base, &next, NULL) < 0) thrown_away(gate, call, NULL);
}

static void failed(gate *gate, struct call *call, struct answer *answer) {
    gate_error *error = answer->error;
    answer->error = NULL;
    fail(gate, call, error);
}

// MARK: telling

static const gate_suggestion *const *suggestions_of(struct arena *arena, const Gate__V1__FormDraft *draft) {
    void *const *list = arena_list(arena, draft->n_pending, sizeof(gate_suggestion));
    for (size_t i = 0; list[i]; i++) {
        const Gate__V1__PendingSuggestion *from = draft->pending[i];
        const char *answers = text_of(arena, &from->answers);
        if (!answers) arena->has_failed = true;
        *(gate_suggestion *)list[i] = (gate_suggestion){known(from->path), known(answers), from->deadline_boottime_nanoseconds};
    }
    return (const gate_suggestion *const *)list;
}

// Stores the draft in `told`. Returns false if it can't be read.
static bool put_draft(gate_form *told, struct arena *arena, const Gate__V1__FormDraft *draft, const Gate__V1__FormChange *change) {
    static const char *const none[1];
    const char *response = text_of(arena, &draft->response);
    *told = (gate_form){.name = known(draft->summary->name), .draft_id = draft->summary->draft_id, .revision = draft->summary->revision,
        .label = known(draft->summary->label), .response = known(response), .response_size = draft->response.len};
    told->pending = suggestions_of(arena, draft);
    told->cleared = none;
    if (change && change->n_cleared > 0) {
        const char **paths = arena_take(arena, (change->n_cleared + 1) * sizeof *paths);
        for (size_t i = 0; paths && i < change->n_cleared; i++) paths[i] = known(change->cleared[i]);
        if (paths) told->cleared = paths;
        told->cleared_count = change->cleared_count > change->n_cleared ? change->cleared_count : change->n_cleared;
    }
    return response && !arena->has_failed;
}

static void run_form(gate *gate, struct delivery *delivery) {
    struct form *form = form_find(gate, delivery->owner);
    gate_form_handler handler = (gate_form_handler)delivery->handler;
    ProtobufCMessage **field = delivery->message ? message_field(delivery->message, "draft") : NULL;
    const Gate__V1__FormDraft *draft = field ? (const Gate__V1__FormDraft *)*field : NULL;
    struct arena arena = {0};
    gate_form told;
    gate_error *made = NULL;
    const gate_error *error;
    Gate__V1__FormChange *change = form ? form->change : NULL;
    if (form) form->change = NULL;
    if (!form && !delivery->is_failed)
        error = error_or_none(made = error_new(GATE_ABORTED, GATE_REASON_CLOSED, "The presentation that showed the form was closed meanwhile."));
    else error = error_unless(draft && draft->summary && put_draft(&told, &arena, draft, change), delivery, &made);
    if (!error) {
        form->is_open = true;
        form->is_begun = false;
        form->revision = told.revision;
        told.form = form->id;
    } else if (form && !form->is_open) {
        give_up(gate, form);
    }
    // The handler may close the form or free the handle, so the form is not used after this.
    if (handler) handler(gate, error ? NULL : &told, error, delivery->userdata);
    error_free(made);
    message_free(change);
    arena_free(&arena);
}

// MARK: steps

// Sends the next step of a call, with the same number, time limit and handler.
static void go_on(gate *gate, struct call *call, const char *method, const ProtobufCMessage *message,
    const ProtobufCMessageDescriptor *output, void (*answered)(struct gate *, struct call *, struct answer *)) {
    struct call next = *call;
    next.next = NULL;
    next.output = output;
    next.answered = answered;
    int problem = call_start(gate, service, method, message, &next, NULL);
    if (problem < 0) fail(gate, call, error_new(GATE_UNAVAILABLE, GATE_REASON_UNSPECIFIED, "It can't be asked: %s.", strerror(-problem)));
}

static void read_answered(gate *gate, struct call *call, struct answer *answer) {
    if (answer->is_failed) failed(gate, call, answer);
    else call_deliver(gate, call, answer);
}

static void read_again(gate *gate, struct call *call, struct form *form) {
    Gate__V1__ReadFormRequest message = GATE__V1__READ_FORM_REQUEST__INIT;
    Gate__V1__FormTarget target;
    if (!put_target(gate, form, &target)) return fail_closed(gate, call);
    message.target = &target;
    go_on(gate, call, "ReadForm", &message.base, &gate__v1__read_form_response__descriptor, read_answered);
}

// Reads the form again after a change, which is kept for the handler.
static void changed(gate *gate, struct call *call, struct answer *answer) {
    struct form *form = form_find(gate, call->owner);
    if (answer->is_failed) return failed(gate, call, answer);
    if (!form) return fail_closed(gate, call);
    ProtobufCMessage **change = message_field(answer->message, "change"); // NULL after LabelDraft, which changes no answers
    forget_change(form);
    if (change) {
        form->change = (Gate__V1__FormChange *)*change;
        *change = NULL;
    }
    read_again(gate, call, form);
}

static void opened(gate *gate, struct call *call, struct answer *answer) {
    struct form *form = form_find(gate, call->owner);
    if (answer->is_failed) return failed(gate, call, answer);
    if (!form) return fail_closed(gate, call);
    const Gate__V1__FormDraft *draft = ((Gate__V1__OpenFormResponse *)answer->message)->draft;
    if (!draft || !draft->summary)
        return fail(gate, call, error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The daemon does not say which draft it has opened."));
    form->draft_id = draft->summary->draft_id;
    form->revision = draft->summary->revision;
    form->is_begun = form->begins_another;
    if (!form->loads) return call_deliver(gate, call, answer);
    Gate__V1__LoadFormRequest message = GATE__V1__LOAD_FORM_REQUEST__INIT;
    Gate__V1__FormTarget target;
    if (!put_target(gate, form, &target)) return fail_closed(gate, call);
    message.target = &target;
    message.at_revision = form->revision;
    message.response_id = form->response_id;
    go_on(gate, call, "LoadForm", &message.base, &gate__v1__load_form_response__descriptor, changed);
}

// MARK: calls

int form_open(gate *gate, const struct form *wanted, const char *label, const char *own, gate_form_handler handler, void *userdata,
    uint64_t *number) {
    size_t count = 0;
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    for (const struct form *one = gate->forms; one; one = one->next) count++;
    if (count >= MAXIMUM_FORMS) return -EAGAIN;
    struct form *form = malloc(sizeof *form);
    if (!form) return -ENOMEM;
    *form = *wanted;
    form->name = strdup(wanted->name);
    form->id = form->call = ++gate->last_number;
    form->next = gate->forms;
    gate->forms = form;
    Gate__V1__OpenFormRequest message = GATE__V1__OPEN_FORM_REQUEST__INIT;
    Gate__V1__FormTarget target;
    problem = !form->name ? -ENOMEM : put_target(gate, form, &target) ? 0 : -ENOENT;
    if (problem == 0) {
        message.target = &target;
        message.begins_another = form->begins_another;
        message.label = (char *)known(label);
        message.questionnaire = bytes_of(own);
        struct call call = {.number = form->id, .owner = form->id, .output = &gate__v1__open_form_response__descriptor, .answered = opened,
            .run = run_form, .handler = (any_handler)handler, .userdata = userdata, .due = call_limit(gate)};
        problem = call_start(gate, service, "OpenForm", &message.base, &call, number);
    }
    if (problem < 0) form_free(gate, form);
    return problem;
}

static int form_call(gate *gate, struct form *form, const char *method, const ProtobufCMessage *message, const struct call *call,
    uint64_t *number) {
    struct call sent = *call;
    uint64_t its;
    sent.owner = form->id;
    sent.due = call_limit(gate);
    int problem = call_start(gate, service, method, message, &sent, &its);
    if (problem < 0) return problem;
    form->call = its;
    forget_change(form);
    if (number) *number = its;
    return 0;
}

int form_send(gate *gate, uint64_t id, const char *method, const ProtobufCMessage *message, Gate__V1__FormTarget **target,
    uint64_t *revision, const struct call *call, uint64_t *number) {
    Gate__V1__FormTarget its;
    struct form *form;
    int problem = form_ready(gate, id, &form, &its);
    if (problem < 0) return problem;
    *target = &its;
    if (revision) *revision = form->revision;
    return form_call(gate, form, method, message, call, number);
}

int form_change(gate *gate, uint64_t id, const char *method, const ProtobufCMessage *message, Gate__V1__FormTarget **target,
    uint64_t *revision, const ProtobufCMessageDescriptor *output, gate_form_handler handler, void *userdata, uint64_t *number) {
    struct call call = {.output = output, .answered = changed, .run = run_form, .handler = (any_handler)handler, .userdata = userdata};
    return form_send(gate, id, method, message, target, revision, &call, number);
}

int form_read(gate *gate, struct form *form, gate_form_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__ReadFormRequest message = GATE__V1__READ_FORM_REQUEST__INIT;
    Gate__V1__FormTarget target;
    if (!put_target(gate, form, &target)) return -ENOENT;
    message.target = &target;
    struct call call = {.output = &gate__v1__read_form_response__descriptor, .answered = read_answered, .run = run_form,
        .handler = (any_handler)handler, .userdata = userdata};
    return form_call(gate, form, "ReadForm", &message.base, &call, number);
}
