// The presentations that this program shows: those of its own requests, and those that it has claimed as a presenter. Each one is closed on
// the screen exactly once if it was shown.
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

struct open *open_find(const gate *gate, uint64_t id) {
    for (struct open *open = gate->opens; open; open = open->next)
        if (open->id == id) return open;
    return NULL;
}

struct open *open_of_request(const gate *gate, uint64_t request) {
    for (struct open *open = gate->opens; open; open = open->next)
        if (open->request == request) return open;
    return NULL;
}

static bool is_closed_by_state(const struct open *open) {
    switch (open->message->content_case) {
    case GATE__V1__PRESENTATION__CONTENT_SIGN_IN:
    case GATE__V1__PRESENTATION__CONTENT_PAYWALL:
    case GATE__V1__PRESENTATION__CONTENT_FORM: return true;
    default: return false;
    }
}

static int64_t deadline_of(const struct open *open) {
    const Gate__V1__PresentationSummary *summary = open->message->summary;
    if (summary->closes_case != GATE__V1__PRESENTATION_SUMMARY__CLOSES_DEADLINE_BOOTTIME_NANOSECONDS) return INT64_MAX;
    return summary->deadline_boottime_nanoseconds;
}

// MARK: closing

static void run_close(gate *gate, struct delivery *delivery) {
    if (gate->close) gate->close(gate, delivery->closed, gate->screen_userdata);
}

void open_close(gate *gate, uint64_t id) {
    for (struct open **link = &gate->opens; *link; link = &(*link)->next) {
        struct open *open = *link;
        if (open->id != id) continue;
        *link = open->next;
        deliveries_drop(gate, 0, id);
        forms_close(gate, id);
        if (open->is_shown) {
            struct delivery delivery = {.closed = id, .run = run_close};
            struct answer answer = {0};
            deliver(gate, delivery, &answer);
        }
        call_cancel(gate, open->awaiting);
        error_free(open->closing);
        message_free(open->message);
        free(open);
        own_watch_update(gate);
        return;
    }
}

// Closes a presentation, and ends this program's request for it, if there is one, with the error. Takes ownership of the error.
static void close_with(gate *gate, struct open *open, gate_error *error) {
    uint64_t request = open->request;
    open_close(gate, open->id);
    if (request) request_failed(gate, request, error);
    else error_free(error);
}

// As close_with(), unless an answer is under way: its reply says more than that the presentation is closed.
static void closed(gate *gate, struct open *open, gate_error *error) {
    if (!open->answering) {
        close_with(gate, open, error);
        return;
    }
    if (open->closing) error_free(error);
    else open->closing = error;
}

static gate_error *expired(void) {
    return error_new(GATE_DEADLINE_EXCEEDED, GATE_REASON_EXPIRED, "Nobody answered in time. Ask again when somebody is there.");
}

// MARK: opening

static void show_again(gate *gate, const struct open *open, gate_error *refusal) {
    struct delivery delivery = {.id = open->id, .run = presentation_show};
    struct answer answer = {.error = refusal, .is_failed = refusal != NULL};
    deliver(gate, delivery, &answer);
}

static void state_closed(gate *gate, struct call *call, struct answer *answer) {
    struct open *open = open_find(gate, call->owner);
    if (!open || open->awaiting != call->number) return;
    open->awaiting = 0;
    if (!answer->is_failed) {
        uint64_t request = open->request;
        open_close(gate, open->id);
        request_completed(gate, request, answer);
        return;
    }
    // The limit of waiting calls was reached, so this program would not learn when the presentation closes.
    if (error_or_none(answer->error)->code == GATE_RESOURCE_EXHAUSTED) open_dismiss(gate, open);
    gate_error *error = answer->error;
    answer->error = NULL;
    closed(gate, open, error);
}

static void await_closing(gate *gate, struct open *open) {
    Gate__V1__AwaitClosingRequest message = GATE__V1__AWAIT_CLOSING_REQUEST__INIT;
    message.cookie = open->message->cookie;
    struct call call = {
        .output = &gate__v1__await_closing_response__descriptor, .answered = state_closed, .owner = open->id, .due = UINT64_MAX};
    call_start(gate, "gate.v1.Presentations", "AwaitClosing", &message.base, &call, &open->awaiting);
}

bool open_add(gate *gate, Gate__V1__Presentation *message, uint64_t request, const Gate__V1__Revision *revision) {
    struct open *open = message && message->summary ? calloc(1, sizeof *open) : NULL;
    if (!open) {
        message_free(message);
        return false;
    }
    // Two requests for parent mode share one question. It then belongs to the newer request, and the older one ends.
    struct open *older = open_find(gate, message->summary->id);
    if (older) close_with(gate, older, error_new(GATE_ABORTED, GATE_REASON_CLOSED, "The same was asked for again, so this request was closed."));
    open->id = message->summary->id;
    open->message = message;
    open->request = request;
    open->attempts = 1;
    if (revision) {
        open->epoch = revision->epoch;
        open->number = revision->number;
    }
    open->next = gate->opens;
    gate->opens = open;
    if (request && is_closed_by_state(open)) await_closing(gate, open);
    own_watch_update(gate);
    show_again(gate, open, NULL);
    return true;
}

// MARK: withdrawn

static bool is_held(const Gate__V1__OpenPresentations *list, uint64_t id) {
    for (size_t i = 0; i < list->n_presentations; i++) {
        const Gate__V1__PresentationSummary *summary = list->presentations[i];
        // If the presentation was handed back, its cookie is not valid any more.
        if (summary->id == id) return summary->stage == GATE__V1__STAGE__STAGE_CLAIMED || summary->stage == GATE__V1__STAGE__STAGE_SHOWN;
    }
    return false;
}

static struct open *first_withdrawn(const gate *gate, const Gate__V1__WatchResponse *message) {
    for (struct open *open = gate->opens; open; open = open->next) {
        if (!open->request || is_closed_by_state(open) || open->closing) continue;
        const Gate__V1__Revision *revision = message->revision;
        if (revision && revision->epoch == open->epoch && revision->number < open->number) continue; // the list is older than the presentation
        if (!is_held(message->presentations, open->id)) return open;
    }
    return NULL;
}

// A program that takes part in a presentation sees it listed as long as it is open. One that is missing from the list was closed.
static void own_watch_answered(gate *gate, struct call *call, struct answer *answer) {
    if (call->number != gate->own_watch) return;
    if (answer->is_failed) { // the daemon may refuse one more watch; then only deadlines and answers close presentations
        gate->own_watch = 0;
        return;
    }
    const Gate__V1__WatchResponse *message = (const Gate__V1__WatchResponse *)answer->message;
    if (!message->presentations) return;
    for (struct open *open; (open = first_withdrawn(gate, message));) {
        bool is_late = boottime_ns() >= deadline_of(open);
        closed(gate, open, is_late ? expired() : error_new(GATE_ABORTED, GATE_REASON_CLOSED,
            "The question was answered or withdrawn: something else has decided the request."));
        if (!gate->own_watch) return;
    }
}

void own_watch_update(gate *gate) {
    bool is_needed = false;
    for (const struct open *open = gate->opens; open; open = open->next) is_needed |= open->request && !is_closed_by_state(open);
    if (is_needed && !gate->own_watch && gate->connection == CONNECTED && !gate->is_breaking) {
        Gate__V1__Topic topic = GATE__V1__TOPIC__TOPIC_PRESENTATIONS;
        Gate__V1__WatchRequest message = GATE__V1__WATCH_REQUEST__INIT;
        message.n_topics = 1;
        message.topics = &topic;
        struct call call = {.is_stream = true, .output = &gate__v1__watch_response__descriptor, .answered = own_watch_answered,
            .due = UINT64_MAX};
        call_start(gate, "gate.v1.Watch", "Watch", &message.base, &call, &gate->own_watch);
    } else if (!is_needed && gate->own_watch) {
        uint64_t number = gate->own_watch;
        gate->own_watch = 0;
        call_cancel(gate, number);
    }
}

// MARK: deadlines

// The daemon closes a presentation at its deadline and reports that; this is for a daemon that does not.
void opens_timers(gate *gate, uint64_t now) {
    for (struct open *open = gate->opens, *next; open; open = next) {
        next = open->next;
        if (open->closing || deadline_of(open) == INT64_MAX) continue;
        if (boottime_ns() < deadline_of(open)) open->grace_end = 0;
        else if (!open->grace_end) open->grace_end = now + GRACE_USEC;
        else if (now >= open->grace_end) {
            closed(gate, open, expired());
            next = gate->opens;
        }
    }
}

uint64_t opens_due(const gate *gate, uint64_t now) {
    uint64_t due = UINT64_MAX;
    for (const struct open *open = gate->opens; open; open = open->next) {
        if (open->closing || deadline_of(open) == INT64_MAX) continue;
        uint64_t its = open->grace_end ? open->grace_end : monotonic_of_boottime(deadline_of(open), now);
        if (its < due) due = its;
    }
    return due;
}

// MARK: answers

static void answered(gate *gate, struct call *call, struct answer *answer) {
    struct open *open = open_find(gate, call->owner);
    if (!open || open->answering != call->number) return;
    open->answering = 0;
    bool is_dismissal = open->is_dismissing;
    open->is_dismissing = false;
    uint64_t request = open->request;
    if (!answer->is_failed) {
        // If it was claimed, the presenter's stream says what comes next.
        if (!request) return;
        if (is_dismissal) {
            close_with(gate, open, error_new(GATE_CANCELLED, GATE_REASON_DISMISSED, "It was dismissed."));
            return;
        }
        open_close(gate, open->id);
        request_completed(gate, request, answer);
        return;
    }
    gate_error *error = answer->error;
    answer->error = NULL;
    const gate_error *why = error_or_none(error);
    bool may_ask = leaves_question_open(why);
    if (may_ask && !open->closing && (open->attempts < MAXIMUM_ATTEMPTS || why->reason == GATE_REASON_NOT_DISMISSIBLE)) {
        open->attempts++;
        show_again(gate, open, error);
        return;
    }
    if (may_ask && open->closing) {
        error_free(error);
        error = open->closing;
        open->closing = NULL;
    } else if (request && (may_ask || (why->code == GATE_DEADLINE_EXCEEDED && why->reason != GATE_REASON_EXPIRED))) {
        open_dismiss(gate, open); // it may still be open, and will not be answered any more
    }
    if (request || open->closing || may_ask) close_with(gate, open, error);
    else error_free(error);
}

int open_answer(gate *gate, uint64_t id, const char *method, ProtobufCMessage *message, ProtobufCBinaryData *cookie, bool is_dismissal) {
    struct open *open = open_find(gate, id);
    if (!open) return -ENOENT;
    if (open->answering) return -EBUSY;
    *cookie = open->message->cookie;
    struct call call = {.answered = answered, .owner = id, .due = call_limit(gate)};
    call.output = is_dismissal ? &gate__v1__dismiss_response__descriptor : &gate__v1__complete_response__descriptor;
    int problem = call_start(gate, "gate.v1.Presentations", method, message, &call, &open->answering);
    if (problem < 0) open->answering = 0;
    else open->is_dismissing = is_dismissal;
    return problem;
}

static void nobody_listens(gate *gate, struct call *call, struct answer *answer) {
    (void)gate, (void)call, (void)answer;
}

// Dismisses a presentation on the daemon, and ignores the reply.
void open_dismiss(gate *gate, struct open *open) {
    Gate__V1__DismissRequest message = GATE__V1__DISMISS_REQUEST__INIT;
    message.cookie = open->message->cookie;
    struct call call = {.answered = nobody_listens, .output = &gate__v1__dismiss_response__descriptor, .due = call_limit(gate)};
    call_start(gate, "gate.v1.Presentations", "Dismiss", &message.base, &call, NULL);
}
