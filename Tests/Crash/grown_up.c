// A grown-up who enters and leaves parent mode, and an administrator who sets it. The mode does not survive the daemon.
#include <stdio.h>

#include "chance.h"
#include "database.h"
#include "failures.h"
#include "journal.h"
#include "promises.h"
#include "question.h"

enum doing { TOGGLING, ANSWERING_RIGHT, ANSWERING_WRONG, DISMISSING, LOCKING, EXTENDING, OVERRIDING, CLEARING };

// How often a user may end another user's parent mode at once. One more is allowed after each hour.
enum { MOST_INTERRUPTIONS = 3 };

struct grown_up {
    struct actor actor;
    struct failures failures;
    struct question question;
    bool is_parent;
    // Whether an administrator set parent mode, and how often it was ended all the same since the daemon started.
    bool is_administrators;
    unsigned interruptions;
    enum doing doing;
    bool is_override_to_parent;
    unsigned overrides;
};

static void entry(struct grown_up *grown_up, Gate__V1__AuditKind kind, const char *detail) {
    expect_entry(kind, uid_of(&grown_up->actor, OWN), "%s", detail);
}

static void write_override(const struct grown_up *grown_up, char *detail, size_t size) {
    snprintf(detail, size, "%s: number %u", grown_up->is_override_to_parent ? "parent for 15m" : "child", grown_up->overrides);
}

static void done(struct grown_up *grown_up, int64_t sent, int64_t received) {
    uid_t uid = uid_of(&grown_up->actor, OWN), administrator = uid_of(&grown_up->actor, ADMINISTRATOR);
    const char *name = grown_up->question.name;
    char detail[96];
    switch (grown_up->doing) {
        case TOGGLING:
            entry(grown_up, ENTRY(PARENT_LEFT), "");
            grown_up->is_parent = false;
            return;
        case ANSWERING_RIGHT:
            entry(grown_up, ENTRY(ANSWERED_RIGHT), name);
            entry(grown_up, ENTRY(PARENT_ENTERED), "for 15m");
            forgive(&grown_up->failures);
            grown_up->is_parent = true;
            grown_up->is_administrators = false;
            return;
        case ANSWERING_WRONG:
            entry(grown_up, ENTRY(ANSWERED_WRONG), name);
            return count_wrong(&grown_up->failures, uid, sent, received);
        case DISMISSING:
            entry(grown_up, ENTRY(DISMISSED), name);
            return count_dismissed(&grown_up->failures, uid, sent, received);
        case LOCKING:
            if (grown_up->is_parent) entry(grown_up, ENTRY(LOCKED), "");
            grown_up->is_parent = false;
            return;
        case EXTENDING:
            expect_entry(ENTRY(EXTENDED), administrator, "for 5m");
            return;
        case OVERRIDING:
            write_override(grown_up, detail, sizeof detail);
            expect_entry(ENTRY(OVERRIDDEN), administrator, "%s", detail);
            grown_up->is_parent = grown_up->is_administrators = grown_up->is_override_to_parent;
            return;
        case CLEARING:
            expect_entry(ENTRY(LOCKOUT_CLEARED), administrator, "1");
            forgive(&grown_up->failures);
            return;
    }
}

static bool is_interruption(const struct grown_up *grown_up) {
    return (grown_up->doing == TOGGLING || grown_up->doing == LOCKING) && grown_up->is_parent && grown_up->is_administrators;
}

static void answered(struct actor *actor, const struct answer *answer) {
    struct grown_up *grown_up = (struct grown_up *)actor;
    if (is_interruption(grown_up)) {
        if (grown_up->interruptions == MOST_INTERRUPTIONS) {
            if (answer->reason != REASON(LIMIT))
                broken("the administrator's parent mode is ended once more, and answers %d: %s", answer->code, answer->text);
            run.refusals++;
            return;
        }
        grown_up->interruptions++;
    }
    switch (grown_up->doing) {
        case TOGGLING: {
            if (is_locked(&grown_up->failures) && !grown_up->is_parent) {
                if (answer->reason != REASON(LOCKED_OUT)) broken("parent mode is locked, and asks");
                run.refusals++;
                return;
            }
            must_work(actor, "Toggle", answer);
            if (grown_up->is_parent) break;
            const Gate__V1__ToggleResponse *response = (const Gate__V1__ToggleResponse *)answer->message;
            if (!response->presentation
                || response->state->mode == GATE__V1__MODE_STATE__MODE__MODE_PARENT)
                broken("parent mode without a question");
            return take_question(&grown_up->question, response->presentation, "", uid_of(actor, OWN));
        }
        case ANSWERING_WRONG:
            if (answer->reason != REASON(WRONG_ANSWER) && answer->reason != REASON(LOCKED_OUT))
                broken("a wrong answer is told %d: %s", answer->code, answer->text);
            grown_up->question.is_open = false;
            break;
        case ANSWERING_RIGHT:
        case DISMISSING: grown_up->question.is_open = false;  // fallthrough
        case LOCKING:
        case EXTENDING:
        case OVERRIDING:
        case CLEARING: must_work(actor, "a command about the mode", answer); break;
    }
    done(grown_up, answer->sent, answer->received);
}

static void act_on_question(struct grown_up *grown_up) {
    unsigned choice = below(8);
    grown_up->doing = choice < 5 ? ANSWERING_RIGHT : choice < 7 ? ANSWERING_WRONG : DISMISSING;
    if (grown_up->doing == DISMISSING) dismiss_question(&grown_up->actor, &grown_up->question, answered);
    else answer_question(&grown_up->actor, &grown_up->question, grown_up->doing == ANSWERING_RIGHT, NULL, answered);
}

static void act(struct actor *actor) {
    struct grown_up *grown_up = (struct grown_up *)actor;
    const ProtobufCServiceDescriptor *service = &gate__v1__mode__descriptor;
    if (grown_up->question.is_open) return act_on_question(grown_up);
    unsigned choice = below(10);
    if (is_locked(&grown_up->failures) && choice < 5) {
        grown_up->doing = CLEARING;
        clear_failures(actor, &grown_up->failures, answered);
    } else if (choice < 6) {
        Gate__V1__ToggleRequest request = GATE__V1__TOGGLE_REQUEST__INIT;
        request.presents_itself = true;
        grown_up->doing = TOGGLING;
        command(actor, OWN, service, "Toggle", &request.base, answered);
    } else if (choice == 6) {
        Gate__V1__LockRequest request = GATE__V1__LOCK_REQUEST__INIT;
        grown_up->doing = LOCKING;
        command(actor, OWN, service, "Lock", &request.base, answered);
    } else if (choice == 7 && grown_up->is_parent) {
        Gate__V1__ExtendRequest request = GATE__V1__EXTEND_REQUEST__INIT;
        request.duration_milliseconds = 300000;
        grown_up->doing = EXTENDING;
        command(actor, ADMINISTRATOR, service, "Extend", &request.base, answered);
    } else {
        Gate__V1__OverrideModeRequest request = GATE__V1__OVERRIDE_MODE_REQUEST__INIT;
        char reason[32];
        grown_up->is_override_to_parent = once_in(2);
        snprintf(reason, sizeof reason, "number %u", ++grown_up->overrides);
        request.mode = grown_up->is_override_to_parent ? GATE__V1__MODE_STATE__MODE__MODE_PARENT
                                                       : GATE__V1__MODE_STATE__MODE__MODE_CHILD;
        request.reason = reason;
        grown_up->doing = OVERRIDING;
        command(actor, ADMINISTRATOR, service, "OverrideMode", &request.base, answered);
    }
}

static bool was_done(struct grown_up *grown_up) {
    uid_t uid = uid_of(&grown_up->actor, OWN), administrator = uid_of(&grown_up->actor, ADMINISTRATOR);
    const char *name = grown_up->question.name;
    char detail[96];
    switch (grown_up->doing) {
        case TOGGLING:
            if (!grown_up->is_parent) expect_question(uid);
            return grown_up->is_parent && is_entry_found(ENTRY(PARENT_LEFT), uid, "%s", "");
        case ANSWERING_RIGHT: return is_entry_found(ENTRY(ANSWERED_RIGHT), uid, "%s", name);
        case ANSWERING_WRONG: return is_entry_found(ENTRY(ANSWERED_WRONG), uid, "%s", name);
        case DISMISSING: return is_entry_found(ENTRY(DISMISSED), uid, "%s", name);
        case LOCKING: return grown_up->is_parent && is_entry_found(ENTRY(LOCKED), uid, "%s", "");
        case EXTENDING: return is_entry_found(ENTRY(EXTENDED), administrator, "for 5m");
        case OVERRIDING:
            write_override(grown_up, detail, sizeof detail);
            return is_entry_found(ENTRY(OVERRIDDEN), administrator, "%s", detail);
        case CLEARING: return !are_failures_there(&grown_up->actor, grown_up->failures.gate);
    }
    return false;
}

static void check(struct actor *actor) {
    struct grown_up *grown_up = (struct grown_up *)actor;
    if (actor->is_busy && was_done(grown_up)) {
        run.found_done++;
        done(grown_up, actor->peers[OWN].sent, boottime_nanoseconds());
    }
    grown_up->is_parent = false;
    grown_up->interruptions = 0;
    compare_failures(actor, &grown_up->failures);
    Gate__V1__GetModeRequest request = GATE__V1__GET_MODE_REQUEST__INIT;
    const Gate__V1__GetModeResponse *response = ask(&actor->peers[OWN], &gate__v1__mode__descriptor, "GetMode", &request.base);
    compare(actor, "the mode after a restart", response->state->mode, GATE__V1__MODE_STATE__MODE__MODE_CHILD);
}

static void attempt(struct actor *actor) {
    try_old_question(actor, &((struct grown_up *)actor)->question);
}

static void expect_rows(struct actor *actor) {
    expect_failure_rows(actor, &((struct grown_up *)actor)->failures);
}

static const struct subject subject = {"grown-up", act, check, attempt, expect_rows};

struct actor *new_grown_up(unsigned number) {
    struct grown_up *grown_up = (struct grown_up *)begin_actor(sizeof *grown_up, &subject, number);
    grown_up->failures.gate = "mode";
    return &grown_up->actor;
}
