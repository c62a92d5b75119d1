// A presenter, over any number of connections. Only claimed presentations are shown, and each one is closed exactly once, before the next.
//
// Each message of the stream replaces the one before, so only the newest counts. The daemon sends the message about a claim before it
// answers the claim, so an old offer is never taken for a new state of the presentation that was claimed.
#include <errno.h>

#include "internal.h"

static void run_told(gate *gate, struct delivery *delivery) {
    gate_done_handler handler = (gate_done_handler)delivery->handler;
    if (handler) handler(gate, delivery->is_failed ? error_or_none(delivery->error) : NULL, delivery->userdata);
}

// Takes ownership of the error, which may be NULL for want of memory: `is_failed` says whether there is one.
static void tell(gate *gate, gate_error *error, bool is_failed) {
    struct presenter *presenter = &gate->presenter;
    struct delivery delivery = {.run = run_told, .handler = (any_handler)presenter->handler, .userdata = presenter->userdata};
    struct answer answer = {.error = error, .is_failed = is_failed};
    deliver(gate, delivery, &answer);
}

// Whether the same request would fail again until somebody changes something.
static bool is_lasting(const gate_error *error) {
    switch (error->code) {
    case GATE_PERMISSION_DENIED: case GATE_UNAUTHENTICATED: case GATE_INVALID_ARGUMENT: case GATE_FAILED_PRECONDITION:
    case GATE_UNIMPLEMENTED: case GATE_NOT_FOUND: return true;
    // The program has registered again. If both streams tried again, they would displace each other for ever.
    case GATE_ABORTED: return error->reason == GATE_REASON_CLOSED;
    default: return false;
    }
}

static void let_go(gate *gate) {
    struct presenter *presenter = &gate->presenter;
    uint64_t stream = presenter->stream, claim = presenter->claim;
    presenter->stream = presenter->claim = 0;
    message_free(presenter->newest);
    presenter->newest = NULL;
    call_cancel(gate, claim);
    call_cancel(gate, stream);
}

static void close_shown(gate *gate) {
    if (gate->presenter.state == SHOWING) open_close(gate, gate->presenter.id);
}

static void presenter_failed(gate *gate, const gate_error *error) {
    struct presenter *presenter = &gate->presenter;
    if (presenter->state == NOT_PRESENTING || presenter->state == AWAY || presenter->state == REFUSED) return;
    close_shown(gate);
    let_go(gate);
    if (is_lasting(error)) {
        presenter->state = REFUSED;
        tell(gate, error_copy(error), true);
        return;
    }
    uint64_t wait = RECONNECT_LONGEST_USEC;
    reconnecting_failed(&presenter->reconnect, gate_chance(gate), &wait);
    presenter->state = AWAY;
    presenter->wait_until = monotonic_usec() + wait;
    if (!presenter->has_told_loss) tell(gate, error_copy(error), true);
    presenter->has_told_loss = true;
}

// MARK: claiming

static void claimed(gate *gate, struct call *call, struct answer *answer) {
    struct presenter *presenter = &gate->presenter;
    if (presenter->claim != call->number || presenter->state != CLAIMING) return;
    presenter->claim = 0;
    if (answer->is_failed) {
        const gate_error *error = error_or_none(answer->error);
        // Another presenter was faster, or the policy has changed and the presentation is not for this presenter any more.
        if (error->reason == GATE_REASON_CLOSED || error->reason == GATE_REASON_NOT_PERMITTED) {
            presenter->state = IDLE;
            presenter_run(gate);
        } else {
            presenter_failed(gate, error); // it may have been claimed; closing the stream hands it back
        }
        return;
    }
    Gate__V1__ClaimResponse *response = (Gate__V1__ClaimResponse *)answer->message;
    Gate__V1__Presentation *presentation = response->presentation;
    response->presentation = NULL;
    bool is_it = presentation && presentation->summary && presentation->summary->id == presenter->id;
    if (!is_it) {
        message_free(presentation);
        gate_error *error = error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The daemon sent another presentation than the one that was claimed.");
        presenter_failed(gate, error_or_none(error));
        error_free(error);
        return;
    }
    if (!open_add(gate, presentation, 0, NULL)) return presenter_failed(gate, error_or_none(NULL)); // out of memory
    presenter->state = SHOWING;
    presenter_run(gate);
}

static void offered(gate *gate, const Gate__V1__PresentationSummary *now) {
    struct presenter *presenter = &gate->presenter;
    presenter->state = IDLE;
    // It may also be not yet on offer, or held by this presenter without its content: then there is nothing to show.
    if (!now || now->stage != GATE__V1__STAGE__STAGE_OFFERED) return;
    Gate__V1__ClaimRequest message = GATE__V1__CLAIM_REQUEST__INIT;
    message.id = presenter->id = now->id;
    struct call call = {.answered = claimed, .output = &gate__v1__claim_response__descriptor, .due = call_limit(gate)};
    if (call_start(gate, "gate.v1.Presentations", "Claim", &message.base, &call, &presenter->claim) == 0) presenter->state = CLAIMING;
}

// MARK: the stream

static bool is_held(const Gate__V1__PresentationSummary *now) {
    return now->stage == GATE__V1__STAGE__STAGE_CLAIMED || now->stage == GATE__V1__STAGE__STAGE_SHOWN;
}

// Handles the newest message, unless there is none or a claim is under way.
void presenter_run(gate *gate) {
    struct presenter *presenter = &gate->presenter;
    while (presenter->newest && (presenter->state == REGISTERING || presenter->state == IDLE || presenter->state == SHOWING)) {
        Gate__V1__RegisterPresenterResponse *message = presenter->newest;
        const Gate__V1__PresentationSummary *now = message->presentation;
        presenter->newest = NULL;
        if (presenter->state == REGISTERING) {
            reconnecting_caught_up(&presenter->reconnect);
            presenter->has_told_loss = false;
            tell(gate, NULL, false);
            offered(gate, now);
        } else if (presenter->state == IDLE) {
            offered(gate, now);
        } else if (!now || now->id != presenter->id || !is_held(now)) {
            // Another presentation, or the same again: a sign-in cover gives way to others and comes back, with a new cookie.
            close_shown(gate);
            offered(gate, now);
        }
        message_free(message);
    }
}

static void heard(gate *gate, struct call *call, struct answer *answer) {
    struct presenter *presenter = &gate->presenter;
    if (presenter->stream != call->number) return;
    if (answer->is_failed) {
        presenter->stream = 0;
        const gate_error *why = error_or_none(answer->error);
        gate_error *ended = NULL;
        if (why->code == GATE_CANCELLED) // for a presenter, the end of the stream is an error too
            why = error_or_none(ended = error_new(GATE_UNAVAILABLE, GATE_REASON_UNSPECIFIED, "The daemon ended this presenter's stream."));
        presenter_failed(gate, why);
        error_free(ended);
        return;
    }
    message_free(presenter->newest);
    presenter->newest = (Gate__V1__RegisterPresenterResponse *)answer->message;
    answer->message = NULL;
    presenter_run(gate);
}

static int open_stream(gate *gate) {
    struct presenter *presenter = &gate->presenter;
    Gate__V1__PresentationKind kinds[32];
    Gate__V1__Style styles[32];
    Gate__V1__RegisterPresenterRequest message = GATE__V1__REGISTER_PRESENTER_REQUEST__INIT;
    for (unsigned bit = 1; bit < 32; bit++) {
        if (presenter->kinds >> bit & 1) kinds[message.n_kinds++] = (Gate__V1__PresentationKind)bit;
        if (presenter->styles >> bit & 1) styles[message.n_styles++] = (Gate__V1__Style)bit;
    }
    message.kinds = kinds;
    message.styles = styles;
    message.has_screen_of_its_own = presenter->has_own_screen;
    struct call call = {
        .is_stream = true, .answered = heard, .output = &gate__v1__register_presenter_response__descriptor, .due = UINT64_MAX};
    int problem = call_start(gate, "gate.v1.Presentations", "RegisterPresenter", &message.base, &call, &presenter->stream);
    if (problem == 0) presenter->state = REGISTERING;
    return problem;
}

void presenter_timers(gate *gate, uint64_t now) {
    struct presenter *presenter = &gate->presenter;
    if (presenter->state != AWAY || now < presenter->wait_until) return;
    reconnecting_waited(&presenter->reconnect);
    presenter->state = OPENING;
    if (open_stream(gate) < 0) presenter_failed(gate, error_or_none(NULL));
}

void presenter_stop(gate *gate) {
    close_shown(gate);
    let_go(gate);
    gate->presenter = (struct presenter){0};
}

// MARK: what programs call

int gate_start_presenting(gate *gate, unsigned kinds, unsigned styles, bool has_own_screen, gate_done_handler handler, void *userdata) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    if (!gate->show || !(kinds >> 1) || !(styles >> 1)) return -EINVAL;
    if (gate->presenter.state != NOT_PRESENTING && gate->presenter.state != REFUSED) return -EBUSY;
    gate->presenter = (struct presenter){.state = OPENING, .kinds = kinds, .styles = styles, .has_own_screen = has_own_screen,
        .handler = handler, .userdata = userdata};
    problem = open_stream(gate);
    if (problem < 0) gate->presenter = (struct presenter){0};
    return problem;
}

int gate_stop_presenting(gate *gate) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    if (gate->presenter.state == NOT_PRESENTING) return -ENOENT;
    presenter_stop(gate);
    return 0;
}

int gate_set_screen(gate *gate, gate_show_handler show, gate_close_handler close, void *userdata) {
    int problem = gate_check_thread(gate);
    if (problem < 0) return problem;
    // Presentations on the old screen have to be closed there first.
    if (gate->opens || (gate->presenter.state != NOT_PRESENTING && gate->presenter.state != REFUSED)) return -EBUSY;
    gate->show = show;
    gate->close = close;
    gate->screen_userdata = userdata;
    return 0;
}
