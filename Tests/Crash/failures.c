#include "failures.h"

#include <stdio.h>
#include <string.h>

#include "database.h"
#include "journal.h"
#include "promises.h"

// As the policy of the run says: the second wrong answer in a row locks for an hour, each later one for twice as long,
// up to 12 h.
static const unsigned AFTER = 2;
static const int64_t HOUR = 3600000000000, LONGEST = 12 * 3600000000000;

static void lock(struct failures *failures, uid_t uid, int64_t sent, int64_t received) {
    int64_t next = failures->lock_nanoseconds ? failures->lock_nanoseconds * 2 : HOUR;
    failures->lock_nanoseconds = next < LONGEST ? next : LONGEST;
    failures->until_least = sent + failures->lock_nanoseconds;
    failures->until_most = received + failures->lock_nanoseconds;
    expect_entry(
        ENTRY(LOCKED_OUT), uid, "for %dh, after %u wrong answers",
        (int)(failures->lock_nanoseconds / HOUR), failures->wrong);
}

void count_wrong(struct failures *failures, uid_t uid, int64_t sent, int64_t received) {
    failures->wrong++;
    if (failures->wrong >= AFTER) lock(failures, uid, sent, received);
}

void count_dismissed(struct failures *failures, uid_t uid, int64_t sent, int64_t received) {
    if (++failures->unanswered > 1) count_wrong(failures, uid, sent, received);
}

void forgive(struct failures *failures) {
    *failures = (struct failures){.gate = failures->gate};
}

bool is_locked(const struct failures *failures) {
    return failures->until_least != 0;
}

bool has_failures(const struct failures *failures) {
    return failures->wrong > 0 || failures->unanswered > 0;
}

/// The gate on the wire, from its text in the database. The caller owns the name.
static Gate__V1__LockoutGate gate_on_wire(const char *gate) {
    static const struct { const char *text; Gate__V1__LockoutGate__Kind kind; } kinds[] = {
        {"mode", GATE__V1__LOCKOUT_GATE__KIND__KIND_MODE},
        {"passcode", GATE__V1__LOCKOUT_GATE__KIND__KIND_PASSCODE},
        {"passcode on this device", GATE__V1__LOCKOUT_GATE__KIND__KIND_PASSCODE_OF_DEVICE},
        {"totp", GATE__V1__LOCKOUT_GATE__KIND__KIND_TOTP},
        {"totp on this device", GATE__V1__LOCKOUT_GATE__KIND__KIND_TOTP_OF_DEVICE},
    };
    Gate__V1__LockoutGate found = GATE__V1__LOCKOUT_GATE__INIT;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].text, gate) != 0) continue;
        found.kind = kinds[i].kind;
        return found;
    }
    found.kind = GATE__V1__LOCKOUT_GATE__KIND__KIND_GATED_ACTION;
    found.name = (char *)gate;
    return found;
}

const Gate__V1__Lockout *find_lockout(struct actor *actor, const char *gate, Gate__V1__OwnerKind owner) {
    Gate__V1__ListLockoutsRequest request = GATE__V1__LIST_LOCKOUTS_REQUEST__INIT;
    const Gate__V1__ListLockoutsResponse *response =
        ask(&actor->peers[ADMINISTRATOR], &gate__v1__authorization__descriptor, "ListLockouts", &request.base);
    if (*response->next_page_token) fail("more lockouts than a page has");
    Gate__V1__LockoutGate searched = gate_on_wire(gate);
    for (size_t i = 0; i < response->n_lockouts; i++) {
        const Gate__V1__Lockout *lockout = response->lockouts[i];
        bool is_of_owner = lockout->owner == owner
            && (owner != GATE__V1__OWNER_KIND__OWNER_KIND_USER || lockout->uid == uid_of(actor, OWN));
        if (!lockout->gate) fail("a lockout without its gate");
        bool is_at_gate = lockout->gate->kind == searched.kind && strcmp(lockout->gate->name, searched.name) == 0;
        if (is_of_owner && is_at_gate) return lockout;
    }
    return NULL;
}

bool are_failures_there(struct actor *actor, const char *gate) {
    return find_lockout(actor, gate, GATE__V1__OWNER_KIND__OWNER_KIND_USER) != NULL;
}

void compare_failures(struct actor *actor, const struct failures *failures) {
    const Gate__V1__Lockout *lockout =
        find_lockout(actor, failures->gate, GATE__V1__OWNER_KIND__OWNER_KIND_USER);
    int64_t now = boottime_nanoseconds();
    char what[96];
    snprintf(what, sizeof what, "the count of wrong answers at %s", failures->gate);
    compare(actor, what, lockout ? lockout->wrong_answers : 0, failures->wrong);
    int64_t remaining = lockout ? lockout->remaining_milliseconds * 1000000 : 0;
    run.records_compared++;
    if (!is_locked(failures)) {
        if (remaining != 0) broken("%s of user %u is locked, for nothing", failures->gate, (unsigned)uid_of(actor, OWN));
        return;
    }
    // The answer is a moment old, so a little more was left then; and parts of a millisecond are not reported.
    if (remaining + 1000000 < failures->until_least - now)
        broken("the lock of %s is shorter than it was: %lld ns", failures->gate, (long long)remaining);
    if (remaining > failures->until_most - now + 60000000000)
        broken("the lock of %s is longer than it was: %lld ns", failures->gate, (long long)remaining);
}

void clear_failures(
    struct actor *actor, const struct failures *failures, void (*answered)(struct actor *, const struct answer *)
) {
    Gate__V1__User whose = GATE__V1__USER__INIT;
    whose.uid = uid_of(actor, OWN);
    Gate__V1__ClearLockoutRequest request = GATE__V1__CLEAR_LOCKOUT_REQUEST__INIT;
    Gate__V1__LockoutGate gate = gate_on_wire(failures->gate);
    request.gate = &gate;
    request.user = &whose;
    command(actor, ADMINISTRATOR, &gate__v1__authorization__descriptor, "ClearLockout", &request.base, answered);
}

void expect_failure_rows(struct actor *actor, const struct failures *failures) {
    if (!has_failures(failures)) return;
    expect_row(
        "lockout %u %s wrong %u unanswered %u lock %lld", (unsigned)uid_of(actor, OWN), failures->gate, failures->wrong,
        failures->unanswered, (long long)failures->lock_nanoseconds);
}
