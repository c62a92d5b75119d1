// Requests that may need a person, like parent mode, a grant or news. One can lead through several presentations, one after the other.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"

enum request_kind { TO_AUTHORIZE, TO_GRANT, TO_TOGGLE, TO_EXTEND, TO_PAY, TO_TELL, TO_CHANGE };

struct request {
    struct request *next;
    uint64_t number, call;      // the call that is open for it; 0: none
    enum request_kind kind;
    char *name, *details;       // the gated action and its details; the entitlement; or the app and its version
    bool has_redeemer, has_retried;
    bool by_secondary;          // whether the person's last answer was the secondary button
    uid_t redeemer;
    int64_t duration_ms;
    unsigned flags;
    struct change change;       // owned; `name` and `details` stay empty until the daemon wants a grant for it
    void (*run)(gate *gate, struct delivery *delivery);
    any_handler handler;
    void *userdata;
};

static struct request *find(const gate *gate, uint64_t number) {
    for (struct request *request = gate->requests; request; request = request->next)
        if (request->number == number) return request;
    return NULL;
}

static void request_free(struct request *request) {
    free(request->name);
    free(request->details);
    message_free(request->change.message);
    free(request);
}

static void take_out(gate *gate, const struct request *request) {
    struct request **link = &gate->requests;
    while (*link && *link != request) link = &(*link)->next;
    if (*link) *link = request->next;
}

void requests_free(gate *gate) {
    while (gate->requests) {
        struct request *request = gate->requests;
        gate->requests = request->next;
        request_free(request);
    }
}

// Ends a request, and queues the answer for its handler.
static void finish(gate *gate, struct request *request, struct answer *answer) {
    struct delivery delivery = {
        .number = request->number, .is_end = true, .run = request->run, .handler = request->handler, .userdata = request->userdata};
    take_out(gate, request);
    deliver(gate, delivery, answer);
    request_free(request);
}

static void finish_failed(gate *gate, struct request *request, gate_error *error) {
    finish(gate, request, &(struct answer){.error = error, .is_failed = true});
}

// MARK: redeeming

static void redeemed(gate *gate, struct call *call, struct answer *answer) {
    struct request *request = find(gate, call->owner);
    if (!request || request->call != call->number) return;
    request->call = 0;
    finish(gate, request, answer);
}

static void redeem(gate *gate, struct request *request, const Gate__V1__Grant *grant) {
    Gate__V1__RedeemRequest message = GATE__V1__REDEEM_REQUEST__INIT;
    message.proof = grant->proof;
    // These are the words of the program's request, not the grant's: the daemon refuses a grant for anything else.
    message.gated_action = request->name;
    message.details = request->details;
    struct call call = {.answered = redeemed, .output = &gate__v1__redeem_response__descriptor, .owner = request->number,
        .due = call_limit(gate)};
    int problem = call_start(gate, "gate.v1.Authorization", "Redeem", &message.base, &call, &request->call);
    if (problem < 0)
        finish_failed(gate, request, error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The grant can't be taken: %s.", strerror(-problem)));
}

// MARK: changes

static int begin(gate *gate, struct request *request);

static void begin_again(gate *gate, struct request *request) {
    int problem = begin(gate, request);
    if (problem < 0)
        finish_failed(gate, request, error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "It can't be asked: %s.", strerror(-problem)));
}

static void changed(gate *gate, struct call *call, struct answer *answer) {
    struct request *request = find(gate, call->owner);
    if (!request || request->call != call->number) return;
    request->call = 0;
    const char *details = answer->is_failed && !*request->name ? change_details(answer->error) : NULL;
    char *name = details ? strdup("gate.change") : NULL, *copy = details ? strdup(details) : NULL;
    if (!name || !copy) {
        free(name), free(copy);
        finish(gate, request, answer);
        return;
    }
    free(request->name);
    free(request->details);
    request->name = name;
    request->details = copy;
    begin_again(gate, request); // now it asks for the grant
}

static int change(gate *gate, struct request *request) {
    const struct change *change = &request->change;
    struct call call = {.answered = changed, .output = change->output, .owner = request->number, .due = call_limit(gate)};
    return call_start(gate, change->service, change->method, change->message, &call, &request->call);
}

static void change_with(gate *gate, struct request *request, Gate__V1__Grant *grant) {
    int problem = change_put_proof(&request->change, grant) ? change(gate, request) : -EINVAL;
    if (problem < 0)
        finish_failed(gate, request, error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The change can't be made: %s.", strerror(-problem)));
}

// MARK: results

static bool is_paid(ProtobufCMessage *message) {
    if (message->descriptor == &gate__v1__await_closing_response__descriptor)
        return ((Gate__V1__AwaitClosingResponse *)message)->result_case == GATE__V1__AWAIT_CLOSING_RESPONSE__RESULT_DONE;
    if (message->descriptor != &gate__v1__require_premium_response__descriptor) return false;
    const Gate__V1__RequirePremiumResponse *response = (const Gate__V1__RequirePremiumResponse *)message;
    return response->result_case == GATE__V1__REQUIRE_PREMIUM_RESPONSE__RESULT_OUTCOME
        && (response->outcome == GATE__V1__PAYWALL_OUTCOME__PAYWALL_OUTCOME_PAID
            || response->outcome == GATE__V1__PAYWALL_OUTCOME__PAYWALL_OUTCOME_ACTIVE_ALREADY);
}

// The outcome of showing news. If this program has shown them, the daemon's reply does not contain it.
static int news_outcome(const struct request *request, const ProtobufCMessage *message) {
    if (message->descriptor != &gate__v1__show_release_notes_response__descriptor)
        return request->by_secondary ? GATE_NEWS_SECONDARY_CHOSEN : GATE_NEWS_SHOWN;
    const Gate__V1__ShowReleaseNotesResponse *response = (const Gate__V1__ShowReleaseNotesResponse *)message;
    return response->result_case == GATE__V1__SHOW_RELEASE_NOTES_RESPONSE__RESULT_OUTCOME ? (int)response->outcome : 0;
}

static void finish_told(gate *gate, struct request *request, int outcome) {
    struct answer answer = {.bytes = malloc(1), .size = 1};
    if (!answer.bytes) answer = (struct answer){.is_failed = true};
    else answer.bytes[0] = (uint8_t)outcome;
    finish(gate, request, &answer);
}

// Handles the daemon's reply, which is a further presentation or the result.
static void take_result(gate *gate, struct request *request, struct answer *answer) {
    ProtobufCMessage **shown = message_field(answer->message, "presentation");
    if (!shown) shown = message_field(answer->message, "next");
    if (shown) {
        ProtobufCMessage **revision = message_field(answer->message, "revision");
        Gate__V1__Presentation *presentation = (Gate__V1__Presentation *)*shown;
        *shown = NULL;
        bool is_whole = presentation->summary; // if so, only memory can be missing below
        if (!open_add(gate, presentation, request->number, revision ? (const Gate__V1__Revision *)*revision : NULL))
            finish_failed(gate, request, is_whole ? NULL : error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The daemon sent no question although one was due."));
        return;
    }
    ProtobufCMessage **grant = message_field(answer->message, "grant");
    switch (request->kind) {
    case TO_AUTHORIZE: case TO_GRANT: case TO_CHANGE:
        if (!grant)
            finish_failed(gate, request,
                error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The daemon sent no grant and no reason. Are gated and this program of the same version?"));
        else if (request->kind == TO_AUTHORIZE) redeem(gate, request, (const Gate__V1__Grant *)*grant);
        else if (request->kind == TO_CHANGE) change_with(gate, request, (Gate__V1__Grant *)*grant);
        else finish(gate, request, answer);
        break;
    case TO_TOGGLE: case TO_EXTEND: finish(gate, request, answer); break;
    case TO_PAY:
        if (is_paid(answer->message)) finish(gate, request, answer);
        else finish_failed(gate, request, error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The daemon does not say that it was paid for."));
        break;
    case TO_TELL: {
        int outcome = news_outcome(request, answer->message);
        if (outcome >= GATE_NEWS_NOTHING_NEW && outcome <= GATE_NEWS_SECONDARY_CHOSEN) finish_told(gate, request, outcome);
        else finish_failed(gate, request, error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The daemon does not say whether it was shown."));
        break;
    }
    }
}

static void answered(gate *gate, struct call *call, struct answer *answer) {
    struct request *request = find(gate, call->owner);
    if (!request || request->call != call->number) return;
    request->call = 0;
    if (answer->is_failed) finish(gate, request, answer);
    else take_result(gate, request, answer);
}

void request_completed(gate *gate, uint64_t number, struct answer *answer) {
    struct request *request = find(gate, number);
    if (request) take_result(gate, request, answer);
}

void request_failed(gate *gate, uint64_t number, gate_error *error) {
    struct request *request = find(gate, number);
    if (!request) {
        error_free(error);
        return;
    }
    const gate_error *why = error_or_none(error);
    const char *what = gate_error_get_parameter(why, "what");
    if (request->kind == TO_TELL && why->reason == GATE_REASON_DISMISSED) { // dismissed news count as seen too
        error_free(error);
        finish_told(gate, request, GATE_NEWS_SHOWN);
        return;
    }
    bool is_of_another_state = why->reason == GATE_REASON_CLOSED && (!what || strcmp(what, "put-away") != 0);
    bool may_retry = request->flags & GATE_PRESENTS_IF_NEEDED && !request->has_retried
        && (request->kind == TO_AUTHORIZE || request->kind == TO_GRANT || request->kind == TO_CHANGE);
    // The question was withdrawn because the state has changed, which may decide otherwise now. Ask again, but only once.
    if (is_of_another_state && may_retry) {
        request->has_retried = true;
        error_free(error);
        begin_again(gate, request);
    } else {
        finish_failed(gate, request, error);
    }
}

// MARK: beginning

// Tells the daemon which program asks the person. Older daemons understand only presents_itself, so it is used if it is enough.
static void say_where(const struct request *request, Gate__V1__Presenting *presenting, protobuf_c_boolean *presents_itself) {
    if (request->flags & GATE_PRESENTS_ITSELF) *presents_itself = true;
    else if (request->flags & GATE_PRESENTS_IF_NEEDED) *presenting = GATE__V1__PRESENTING__PRESENTING_ELSEWHERE_IF_POSSIBLE;
}

static int begin(gate *gate, struct request *request) {
    if (request->kind == TO_CHANGE && !*request->name) return change(gate, request);
    struct call call = {.answered = answered, .owner = request->number, .due = UINT64_MAX};
    switch (request->kind) {
    case TO_AUTHORIZE: case TO_GRANT: case TO_CHANGE: {
        Gate__V1__AuthorizeRequest message = GATE__V1__AUTHORIZE_REQUEST__INIT;
        Gate__V1__User redeemer = GATE__V1__USER__INIT;
        message.gated_action = request->name;
        message.details = request->details;
        say_where(request, &message.presenting, &message.presents_itself);
        redeemer.uid = request->redeemer;
        if (request->has_redeemer) message.redeemer = &redeemer;
        message.may_wait = request->flags & GATE_MAY_WAIT;
        call.output = &gate__v1__authorize_response__descriptor;
        return call_start(gate, "gate.v1.Authorization", "Authorize", &message.base, &call, &request->call);
    }
    case TO_TOGGLE: {
        Gate__V1__ToggleRequest message = GATE__V1__TOGGLE_REQUEST__INIT;
        say_where(request, &message.presenting, &message.presents_itself);
        call.output = &gate__v1__toggle_response__descriptor;
        return call_start(gate, "gate.v1.Mode", "Toggle", &message.base, &call, &request->call);
    }
    case TO_EXTEND: {
        Gate__V1__ExtendRequest message = GATE__V1__EXTEND_REQUEST__INIT;
        message.duration_milliseconds = request->duration_ms;
        say_where(request, &message.presenting, &message.presents_itself);
        call.output = &gate__v1__extend_response__descriptor;
        return call_start(gate, "gate.v1.Mode", "Extend", &message.base, &call, &request->call);
    }
    case TO_PAY: {
        Gate__V1__RequirePremiumRequest message = GATE__V1__REQUIRE_PREMIUM_REQUEST__INIT;
        Gate__V1__PaywallRequest paywall = GATE__V1__PAYWALL_REQUEST__INIT;
        paywall.entitlement = request->name;
        message.paywall = &paywall;
        say_where(request, &message.presenting, &message.presents_itself);
        call.output = &gate__v1__require_premium_response__descriptor;
        return call_start(gate, "gate.v1.Entitlements", "RequirePremium", &message.base, &call, &request->call);
    }
    case TO_TELL: {
        Gate__V1__ShowReleaseNotesRequest message = GATE__V1__SHOW_RELEASE_NOTES_REQUEST__INIT;
        message.app = request->name;
        message.version = request->details;
        say_where(request, &message.presenting, &message.presents_itself);
        message.n_notes = gate->news_count;
        message.notes = gate->news;
        call.output = &gate__v1__show_release_notes_response__descriptor;
        return call_start(gate, "gate.v1.ReleaseNotes", "ShowReleaseNotes", &message.base, &call, &request->call);
    }
    }
    return -EINVAL;
}

static int request(gate *gate, const struct request *wanted, const char *name, const char *details, uint64_t *number) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    unsigned shows = wanted->flags & (unsigned)(GATE_PRESENTS_IF_NEEDED | GATE_PRESENTS_ITSELF);
    unsigned may_wait = wanted->kind == TO_AUTHORIZE || wanted->kind == TO_GRANT ? GATE_MAY_WAIT : 0;
    if (wanted->flags & ~(shows | may_wait) || (shows && !gate->show)) return -EINVAL;
    struct request *kept = malloc(sizeof *kept);
    if (!kept) return -ENOMEM;
    *kept = *wanted;
    kept->name = strdup(known(name));
    kept->details = strdup(known(details));
    kept->number = ++gate->last_number;
    if (wanted->change.message) kept->change.message = message_copy(wanted->change.message);
    bool is_copied = kept->name && kept->details && (kept->change.message || !wanted->change.message);
    problem = is_copied ? begin(gate, kept) : -ENOMEM;
    if (problem < 0) {
        request_free(kept);
        return problem;
    }
    kept->next = gate->requests;
    gate->requests = kept;
    if (number) *number = kept->number;
    return 0;
}

void request_answered_by(gate *gate, uint64_t number, bool by_secondary) {
    struct request *request = find(gate, number);
    if (request) request->by_secondary = by_secondary;
}

bool request_is_open(const gate *gate, uint64_t number) {
    return find(gate, number) != NULL;
}

bool request_cancel(gate *gate, uint64_t number) {
    struct request *request = find(gate, number);
    if (!request) return false;
    struct open *open = open_of_request(gate, number);
    call_cancel(gate, request->call);
    if (open) {
        open_dismiss(gate, open);
        open_close(gate, open->id);
    }
    take_out(gate, request);
    request_free(request);
    return true;
}

// MARK: what programs call

static void run_grant(gate *gate, struct delivery *delivery) {
    const gate_error *error = delivery->is_failed ? error_or_none(delivery->error) : NULL;
    ProtobufCMessage **field = delivery->message ? message_field(delivery->message, "grant") : NULL;
    const Gate__V1__Grant *granted = field ? (const Gate__V1__Grant *)*field : NULL;
    gate_grant grant = {0};
    if (granted) grant = (gate_grant){granted->proof.data, granted->proof.len, granted->deadline_boottime_nanoseconds};
    if (granted && delivery->handler) ((gate_grant_handler)delivery->handler)(gate, &grant, NULL, delivery->userdata);
    else if (delivery->handler) ((gate_grant_handler)delivery->handler)(gate, NULL, error_or_none(error), delivery->userdata);
}

int gate_authorize(gate *gate, const char *gated_action, const char *details, unsigned flags, gate_done_handler handler, void *userdata,
    uint64_t *number) {
    if (!gated_action || !details) return -EINVAL;
    struct request wanted = {
        .kind = TO_AUTHORIZE, .flags = flags, .run = run_done, .handler = (any_handler)handler, .userdata = userdata};
    return request(gate, &wanted, gated_action, details, number);
}

int gate_request_grant(gate *gate, const char *gated_action, const char *details, uid_t redeemer, unsigned flags,
    gate_grant_handler handler, void *userdata, uint64_t *number) {
    if (!gated_action || !details) return -EINVAL;
    struct request wanted = {.kind = TO_GRANT, .flags = flags, .has_redeemer = true, .redeemer = redeemer, .run = run_grant,
        .handler = (any_handler)handler, .userdata = userdata};
    return request(gate, &wanted, gated_action, details, number);
}

int gate_toggle(gate *gate, unsigned flags, gate_mode_handler handler, void *userdata, uint64_t *number) {
    struct request wanted = {.kind = TO_TOGGLE, .flags = flags, .run = run_mode, .handler = (any_handler)handler, .userdata = userdata};
    return request(gate, &wanted, NULL, NULL, number);
}

int gate_extend(gate *gate, int64_t ms, unsigned flags, gate_mode_handler handler, void *userdata, uint64_t *number) {
    struct request wanted = {.kind = TO_EXTEND, .flags = flags, .duration_ms = ms, .run = run_mode, .handler = (any_handler)handler,
        .userdata = userdata};
    return request(gate, &wanted, NULL, NULL, number);
}

int gate_require_premium(gate *gate, const char *entitlement, unsigned flags, gate_done_handler handler, void *userdata,
    uint64_t *number) {
    struct request wanted = {.kind = TO_PAY, .flags = flags, .run = run_done, .handler = (any_handler)handler, .userdata = userdata};
    return request(gate, &wanted, entitlement, NULL, number);
}

int request_change(gate *gate, const struct change *change, unsigned flags, void (*run)(struct gate *gate, struct delivery *delivery),
    any_handler handler, void *userdata, uint64_t *number) {
    struct request wanted = {.kind = TO_CHANGE, .flags = flags, .change = *change, .run = run, .handler = handler, .userdata = userdata};
    return request(gate, &wanted, NULL, NULL, number);
}

int request_news(gate *gate, const char *app, const char *version, unsigned flags, void (*run)(struct gate *gate, struct delivery *delivery),
    any_handler handler, void *userdata, uint64_t *number) {
    struct request wanted = {.kind = TO_TELL, .flags = flags, .run = run, .handler = handler, .userdata = userdata};
    return request(gate, &wanted, app, version, number);
}
