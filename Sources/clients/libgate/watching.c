#include "watching.h"

static const struct watch_outcome nothing = {WATCH_SAYS_NOTHING, WATCH_DROPS};

struct watching watching_new(unsigned topics) {
    return (struct watching){
        .is_resumable = !(topics & (WATCH_PRESENTATIONS | WATCH_FORMS | WATCH_ASKS)),
        .deadlines = {WATCH_NEVER, WATCH_NEVER, WATCH_NEVER, WATCH_NEVER},
    };
}

enum watch_action watching_action(const struct watching *machine) {
    switch (machine->state) {
    case WATCH_OPENING: return WATCH_DO_OPEN;
    case WATCH_CATCHING_UP: case WATCH_LIVE: case WATCH_OVERDUE: return WATCH_DO_RECEIVE;
    case WATCH_AWAY: return WATCH_DO_WAIT;
    case WATCH_ENDED: break;
    }
    return WATCH_DO_END;
}

// The difference, or the nearest representable number.
static int64_t minus(int64_t end, int64_t now) {
    int64_t difference;
    if (!__builtin_sub_overflow(end, now, &difference)) return difference;
    return end < now ? INT64_MIN : INT64_MAX;
}

int64_t watching_wall_deadline(const struct watch_deadlines *deadlines) {
    return deadlines->paid < deadlines->hours ? deadlines->paid : deadlines->hours;
}

static bool time_left(const struct watch_deadlines *deadlines, struct watch_clock now, int64_t *left_ns) {
    int64_t boot = deadlines->mode < deadlines->session ? deadlines->mode : deadlines->session, left = INT64_MAX;
    bool has_end = false;
    if (boot != WATCH_NEVER) {
        has_end = true;
        left = minus(boot, now.boot_ns);
    }
    int64_t wall = watching_wall_deadline(deadlines);
    if (wall != WATCH_NEVER) {
        has_end = true;
        int64_t by_wall, milliseconds = minus(wall, now.wall_ms);
        if (__builtin_mul_overflow(milliseconds, (int64_t)1000000, &by_wall)) by_wall = milliseconds < 0 ? INT64_MIN : INT64_MAX;
        if (by_wall < left) left = by_wall;
    }
    *left_ns = left;
    return has_end;
}

bool watching_time_left(const struct watching *machine, struct watch_clock now, int64_t *left_ns) {
    if (machine->state != WATCH_LIVE && machine->state != WATCH_OVERDUE) return false;
    return time_left(&machine->deadlines, now, left_ns);
}

// A loss is reported only once.
static struct watch_outcome go_away(struct watching *machine, bool keeps, double chance) {
    if (!reconnecting_failed(&machine->reconnect, chance, &machine->wait_usec)) machine->wait_usec = RECONNECT_LONGEST_USEC;
    machine->state = WATCH_AWAY;
    if (!keeps || !machine->is_resumable) machine->has_known = false;
    struct watch_outcome outcome = {WATCH_SAYS_NOTHING, machine->has_known ? WATCH_DROPS : WATCH_FORGETS};
    if (!machine->has_told_loss) outcome.event = WATCH_SAYS_LOST;
    machine->has_told_loss = true;
    return outcome;
}

static struct watch_outcome go_live(struct watching *machine, struct watch_outcome outcome, struct watch_clock now) {
    int64_t left;
    if (time_left(&machine->deadlines, now, &left) && left <= 0) {
        machine->state = WATCH_OVERDUE;
        outcome.event = WATCH_SAYS_NOTHING;
        return outcome;
    }
    machine->state = WATCH_LIVE;
    reconnecting_caught_up(&machine->reconnect);
    machine->has_told_loss = false;
    return outcome;
}

static struct watch_outcome take(
    struct watching *machine, const struct watch_message *message, enum watch_event event, struct watch_clock now) {
    if (message->is_snapshot) machine->deadlines = (struct watch_deadlines){WATCH_NEVER, WATCH_NEVER, WATCH_NEVER, WATCH_NEVER};
    if (message->topics & WATCH_MODE) machine->deadlines.mode = message->deadlines.mode;
    if (message->topics & WATCH_SIGN_IN) machine->deadlines.session = message->deadlines.session;
    if (message->topics & WATCH_ENTITLEMENTS) machine->deadlines.paid = message->deadlines.paid;
    if (message->topics & WATCH_SCHEDULES) machine->deadlines.hours = message->deadlines.hours;
    machine->has_known = true;
    machine->epoch = message->epoch;
    machine->number = message->number;
    struct watch_outcome outcome = {event, message->is_snapshot ? WATCH_REPLACES : WATCH_MERGES};
    return go_live(machine, outcome, now);
}

void watching_opened(struct watching *machine) {
    if (machine->state == WATCH_OPENING) machine->state = WATCH_CATCHING_UP;
}

struct watch_outcome watching_received(
    struct watching *machine, const struct watch_message *message, struct watch_clock now, double chance) {
    bool is_same_epoch = machine->has_known && message->epoch == machine->epoch;
    bool is_newer = !is_same_epoch || message->number > machine->number;
    switch (machine->state) {
    case WATCH_CATCHING_UP:
        if (message->is_snapshot) return take(machine, message, WATCH_SAYS_SNAPSHOT, now);
        // The state known so far may be wrong too, so the watch begins again without it.
        if (!is_same_epoch) return go_away(machine, false, chance);
        if (is_newer) return take(machine, message, WATCH_SAYS_RESUMED, now);
        if (message->number < machine->number) return go_away(machine, false, chance);
        return go_live(machine, (struct watch_outcome){WATCH_SAYS_RESUMED, WATCH_DROPS}, now);
    case WATCH_LIVE: case WATCH_OVERDUE:
        if (!is_newer) return nothing;
        if (message->is_snapshot) return take(machine, message, WATCH_SAYS_SNAPSHOT, now);
        if (!is_same_epoch) return go_away(machine, false, chance);
        // The overdue state was not reported to the watcher, so it needs the whole state rather than a
        // change.
        return take(machine, message, machine->state == WATCH_OVERDUE ? WATCH_SAYS_SNAPSHOT : WATCH_SAYS_CHANGE, now);
    case WATCH_OPENING: case WATCH_AWAY: case WATCH_ENDED: break;
    }
    return nothing;
}

struct watch_outcome watching_failed(struct watching *machine, double chance) {
    switch (machine->state) {
    case WATCH_OPENING: case WATCH_CATCHING_UP: case WATCH_LIVE: case WATCH_OVERDUE: return go_away(machine, true, chance);
    case WATCH_AWAY: case WATCH_ENDED: break;
    }
    return nothing;
}

void watching_waited(struct watching *machine) {
    if (machine->state != WATCH_AWAY) return;
    reconnecting_waited(&machine->reconnect);
    machine->state = WATCH_OPENING;
}

void watching_stopped(struct watching *machine) {
    machine->state = WATCH_ENDED;
}
