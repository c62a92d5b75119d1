// The watch of a handle: does what its state machine says, and keeps the event that the handler has not got yet.
#include <errno.h>
#include <stdlib.h>
#include <sys/timerfd.h>

#include "internal.h"

static struct watch_clock now_by_both(void) {
    return (struct watch_clock){boottime_ns(), wall_ms()};
}

// MARK: messages

static int64_t paid_until(const Gate__V1__EntitlementsState *state) {
    int64_t until = WATCH_NEVER;
    for (size_t i = 0; i < state->n_entitlements; i++) {
        const Gate__V1__Entitlement *entitlement = state->entitlements[i];
        const Gate__V1__EntitlementSource *source = entitlement->source;
        if (!entitlement->is_active || !source || source->ends_case != GATE__V1__ENTITLEMENT_SOURCE__ENDS_UNTIL_UNIX_MILLISECONDS) continue;
        if (source->until_unix_milliseconds < until) until = source->until_unix_milliseconds;
    }
    return until;
}

static int64_t open_until(const Gate__V1__Schedules *state) {
    int64_t until = WATCH_NEVER;
    for (size_t i = 0; i < state->n_schedules; i++) {
        const Gate__V1__ScheduleState *one = state->schedules[i];
        if (one->is_open && one->until_unix_milliseconds != 0 && one->until_unix_milliseconds < until) until = one->until_unix_milliseconds;
    }
    return until;
}

static struct watch_message summary_of(const Gate__V1__WatchResponse *message) {
    struct watch_message summary = {
        .epoch = message->revision ? message->revision->epoch : 0,
        .number = message->revision ? message->revision->number : 0,
        .is_snapshot = message->is_snapshot,
        .deadlines = {WATCH_NEVER, WATCH_NEVER, WATCH_NEVER, WATCH_NEVER},
    };
    if (message->mode) {
        int64_t deadline;
        mode_of_state(message->mode, &deadline);
        summary.topics |= WATCH_MODE;
        if (deadline != 0) summary.deadlines.mode = deadline;
    }
    if (message->sign_in) {
        summary.topics |= WATCH_SIGN_IN;
        if (message->sign_in->session) summary.deadlines.session = message->sign_in->session->deadline_boottime_nanoseconds;
    }
    if (message->entitlements) {
        summary.topics |= WATCH_ENTITLEMENTS;
        summary.deadlines.paid = paid_until(message->entitlements);
    }
    if (message->presentations) summary.topics |= WATCH_PRESENTATIONS;
    if (message->forms) summary.topics |= WATCH_FORMS;
    if (message->asks) summary.topics |= WATCH_ASKS;
    if (message->schedules) {
        summary.topics |= WATCH_SCHEDULES;
        summary.deadlines.hours = open_until(message->schedules);
    }
    return summary;
}

// MARK: telling

// Keeps an event for the handler. A change is added to the event that waits already; any other event replaces that one. Nothing is lost by
// this, since the getters return the newest state.
static void to_tell(gate *gate, enum watch_event event, unsigned changed, const gate_error *error) {
    struct watch *watch = &gate->watch;
    switch (event) {
    case WATCH_SAYS_NOTHING: return;
    case WATCH_SAYS_SNAPSHOT: watch->untold = GATE_EVENT_SNAPSHOT; break;
    case WATCH_SAYS_RESUMED: watch->untold = GATE_EVENT_RESUMED; break;
    case WATCH_SAYS_CHANGE:
        if (!watch->untold) watch->untold = GATE_EVENT_CHANGE;
        break;
    case WATCH_SAYS_LOST: watch->untold = GATE_EVENT_LOST; break;
    }
    watch->untold_changes = event == WATCH_SAYS_CHANGE ? watch->untold_changes | changed : watch->topics;
    error_free(watch->untold_error);
    watch->untold_error = event == WATCH_SAYS_LOST ? error_copy(error) : NULL;
}

bool watch_tell(gate *gate) {
    struct watch *watch = &gate->watch;
    if (!watch->untold) return false;
    gate_error *error = watch->untold_error;
    gate_update update = {.event = watch->untold, .changed = watch->untold_changes};
    update.epoch = watch->machine.epoch;
    update.number = watch->machine.number;
    if (update.event == GATE_EVENT_LOST) update.error = error_or_none(error);
    watch->untold = 0;
    watch->untold_changes = 0;
    watch->untold_error = NULL;
    if (watch->handler) watch->handler(gate, &update, watch->userdata);
    error_free(error);
    return true;
}

// MARK: the machine

// Sets the timer, so that the descriptor becomes ready at the next deadline, even if the device sleeps until then.
static void arm(gate *gate) {
    const struct watching *machine = &gate->watch.machine;
    int64_t deadline = 0;
    if (machine->state == WATCH_LIVE || machine->state == WATCH_OVERDUE) {
        deadline = machine->deadlines.mode < machine->deadlines.session ? machine->deadlines.mode : machine->deadlines.session;
        // If the deadline has passed, the timer is switched off, so that the descriptor is not ready any more.
        if (deadline == WATCH_NEVER || deadline <= boottime_ns()) deadline = 0;
    }
    if (deadline == gate->watch.armed) return;
    struct itimerspec at = {.it_value = {.tv_sec = (time_t)(deadline / 1000000000), .tv_nsec = (long)(deadline % 1000000000)}};
    timerfd_settime(gate->timer, TFD_TIMER_ABSTIME, &at, NULL);
    gate->watch.armed = deadline;
}

static void let_go(gate *gate) {
    uint64_t stream = gate->watch.stream;
    gate->watch.stream = 0;
    call_cancel(gate, stream);
}

// Carries out the outcome of a step of the machine.
static void follow(gate *gate, struct watch_outcome outcome, unsigned changed, const gate_error *error) {
    struct watch *watch = &gate->watch;
    if (outcome.content == WATCH_FORGETS) state_forget(gate);
    to_tell(gate, outcome.event, changed, error);
    watch->grace_end = 0;
    if (watching_action(&watch->machine) == WATCH_DO_WAIT && !watch->wait_until) {
        watch->wait_until = monotonic_usec() + watch->machine.wait_usec;
        let_go(gate);
    }
    arm(gate);
}

static void watch_failed(gate *gate, const gate_error *error) {
    follow(gate, watching_failed(&gate->watch.machine, gate_chance(gate)), 0, error);
}

static void heard(gate *gate, struct call *call, struct answer *answer) {
    struct watch *watch = &gate->watch;
    if (watch->stream != call->number) return;
    gate_error *error = NULL;
    if (answer->is_failed) {
        watch->stream = 0;
        const gate_error *why = error_or_none(answer->error);
        if (why->code == GATE_CANCELLED)
            why = error_or_none(error = error_new(GATE_UNAVAILABLE, GATE_REASON_UNSPECIFIED, "The daemon ended the watch."));
        watch_failed(gate, why);
        error_free(error);
        return;
    }
    Gate__V1__WatchResponse *message = (Gate__V1__WatchResponse *)answer->message;
    struct watch_message summary = summary_of(message);
    struct watch_outcome outcome = watching_received(&watch->machine, &summary, now_by_both(), gate_chance(gate));
    unsigned changed = 0;
    if (outcome.content == WATCH_REPLACES || outcome.content == WATCH_MERGES) {
        answer->message = NULL;
        if (!state_keep(gate, message, outcome.content == WATCH_REPLACES, &changed)) connection_break(gate, NULL);
    }
    if (outcome.event == WATCH_SAYS_LOST)
        error = error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The daemon sent a change that does not fit the state known so far.");
    follow(gate, outcome, changed, error_or_none(error));
    error_free(error);
}

void watch_run(gate *gate) {
    struct watch *watch = &gate->watch;
    if (!watch->is_on || watching_action(&watch->machine) != WATCH_DO_OPEN) return;
    Gate__V1__Topic topics[7];
    Gate__V1__WatchRequest message = GATE__V1__WATCH_REQUEST__INIT;
    Gate__V1__Revision after = GATE__V1__REVISION__INIT;
    if (watch->topics & GATE_TOPIC_MODE) topics[message.n_topics++] = GATE__V1__TOPIC__TOPIC_MODE;
    if (watch->topics & GATE_TOPIC_SIGN_IN) topics[message.n_topics++] = GATE__V1__TOPIC__TOPIC_SIGN_IN;
    if (watch->topics & GATE_TOPIC_ENTITLEMENTS) topics[message.n_topics++] = GATE__V1__TOPIC__TOPIC_ENTITLEMENTS;
    if (watch->topics & GATE_TOPIC_PRESENTATIONS) topics[message.n_topics++] = GATE__V1__TOPIC__TOPIC_PRESENTATIONS;
    if (watch->topics & GATE_TOPIC_FORMS) topics[message.n_topics++] = GATE__V1__TOPIC__TOPIC_FORMS;
    if (watch->topics & GATE_TOPIC_ASKS) topics[message.n_topics++] = GATE__V1__TOPIC__TOPIC_ASKS;
    if (watch->topics & GATE_TOPIC_SCHEDULES) topics[message.n_topics++] = GATE__V1__TOPIC__TOPIC_SCHEDULES;
    message.topics = topics;
    if (watch->machine.has_known) {
        after.epoch = watch->machine.epoch;
        after.number = watch->machine.number;
        message.after = &after;
    }
    struct call call = {.is_stream = true, .answered = heard, .output = &gate__v1__watch_response__descriptor, .due = UINT64_MAX};
    if (call_start(gate, "gate.v1.Watch", "Watch", &message.base, &call, &watch->stream) == 0) watching_opened(&watch->machine);
    else watch_failed(gate, error_or_none(NULL));
}

void watch_timers(gate *gate, uint64_t now) {
    struct watch *watch = &gate->watch;
    int64_t left;
    if (!watch->is_on) return;
    if (watch->wait_until && now >= watch->wait_until) {
        watch->wait_until = 0;
        watching_waited(&watch->machine);
        watch_run(gate);
    } else if (!watching_time_left(&watch->machine, now_by_both(), &left) || left > 0) {
        watch->grace_end = 0;
    } else if (!watch->grace_end) {
        watch->grace_end = now + GRACE_USEC;
    } else if (now >= watch->grace_end) {
        gate_error *error = error_new(GATE_UNAVAILABLE, GATE_REASON_UNSPECIFIED,
            "A deadline has passed, but the daemon has not reported it. Does it hang (`systemctl status gated`)?");
        watch_failed(gate, error_or_none(error));
        error_free(error);
    }
    arm(gate);
}

uint64_t watch_due(const gate *gate, uint64_t now) {
    const struct watch *watch = &gate->watch;
    int64_t left;
    if (!watch->is_on) return UINT64_MAX;
    if (watch->wait_until) return watch->wait_until;
    if (watch->grace_end) return watch->grace_end;
    if (!watching_time_left(&watch->machine, now_by_both(), &left)) return UINT64_MAX;
    uint64_t due = left <= 0 ? now : now + (uint64_t)left / 1000 + 1;
    // Ends of entitlements and schedules are times of the wall clock, which may be set, so it is looked at again and again.
    bool has_wall = watching_wall_deadline(&watch->machine.deadlines) != WATCH_NEVER;
    return has_wall && due > now + WALL_LOOK_USEC ? now + WALL_LOOK_USEC : due;
}

void watch_free(gate *gate) {
    state_forget(gate);
    error_free(gate->watch.untold_error);
    gate->watch = (struct watch){0};
}

int gate_watch(gate *gate, unsigned topics, gate_watch_handler handler, void *userdata) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    const unsigned known_topics = GATE_TOPIC_MODE | GATE_TOPIC_SIGN_IN | GATE_TOPIC_ENTITLEMENTS | GATE_TOPIC_PRESENTATIONS | GATE_TOPIC_FORMS
        | GATE_TOPIC_ASKS | GATE_TOPIC_SCHEDULES;
    if (!topics || topics & ~known_topics) return -EINVAL;
    if (gate->watch.is_on) return -EBUSY;
    gate->watch.is_on = true;
    gate->watch.topics = topics;
    gate->watch.handler = handler;
    gate->watch.userdata = userdata;
    gate->watch.machine = watching_new(topics);
    watch_run(gate);
    return 0;
}
