// The person who has the passcode: sets it, removes it, and opens the safe with it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "database.h"
#include "failures.h"
#include "guesses.h"
#include "journal.h"
#include "promises.h"
#include "question.h"

enum { PASSCODE_BYTES = 16 };
static const char safe_gate[] = "safe.open";

enum doing { SETTING, REMOVING, ASKING, ANSWERING_RIGHT, ANSWERING_WRONG, CLEARING };

struct keeper {
    struct actor actor;
    struct failures failures;
    struct guesses guesses;
    struct question question;
    // Empty: no passcode is set up.
    char passcode[PASSCODE_BYTES], next[PASSCODE_BYTES];
    enum doing doing;
    unsigned asked;
    char details[32];
};

static void done(struct keeper *keeper, int64_t sent, int64_t received) {
    uid_t uid = uid_of(&keeper->actor, OWN), administrator = uid_of(&keeper->actor, ADMINISTRATOR);
    const char *name = keeper->question.name;
    switch (keeper->doing) {
        case SETTING:
            expect_entry(ENTRY(SECRET_SET), administrator, "passcode");
            memcpy(keeper->passcode, keeper->next, sizeof keeper->passcode);
            forget_guesses(&keeper->guesses);
            return;
        case REMOVING:
            expect_entry(ENTRY(SECRET_REMOVED), administrator, "passcode");
            *keeper->passcode = '\0';
            forget_guesses(&keeper->guesses);
            return;
        case ASKING: return;
        case ANSWERING_RIGHT:
            expect_entry(ENTRY(ANSWERED_RIGHT), uid, "%s", name);
            expect_entry(ENTRY(GRANTED), uid, "%s: %s", safe_gate, keeper->details);
            guess_was_right(&keeper->guesses);
            return forgive(&keeper->failures);
        case ANSWERING_WRONG:
            expect_entry(ENTRY(ANSWERED_WRONG), uid, "%s", name);
            guess_was_wrong(&keeper->guesses);
            return count_wrong(&keeper->failures, uid, sent, received);
        case CLEARING:
            expect_entry(ENTRY(LOCKOUT_CLEARED), administrator, "%u", 1 + clear_lane(&keeper->guesses));
            return forgive(&keeper->failures);
    }
}

static void answered(struct actor *actor, const struct answer *answer) {
    struct keeper *keeper = (struct keeper *)actor;
    switch (keeper->doing) {
        case ASKING: {
            if (is_locked(&keeper->failures)) {
                if (answer->reason != REASON(LOCKED_OUT)) broken("the passcode is locked, and asked for");
                run.refusals++;
                return;
            }
            // These grants are never taken, so their limit may be reached.
            if (answer->reason == REASON(LIMIT)) return;
            must_work(actor, "Authorize", answer);
            const Gate__V1__AuthorizeResponse *response = (const Gate__V1__AuthorizeResponse *)answer->message;
            if (response->result_case != GATE__V1__AUTHORIZE_RESPONSE__RESULT_PRESENTATION)
                broken("the safe opens unasked");
            take_question(&keeper->question, response->presentation, safe_gate, uid_of(actor, OWN));
            if (!keeper->question.is_secret) broken("the passcode is set up, and the safe asks a sum");
            return;
        }
        case ANSWERING_WRONG:
            if (answer->reason != REASON(WRONG_ANSWER) && answer->reason != REASON(LOCKED_OUT))
                broken("a wrong passcode is told %d: %s", answer->code, answer->text);
            keeper->question.is_open = false;
            break;
        case ANSWERING_RIGHT: keeper->question.is_open = false;  // fallthrough
        case SETTING:
        case REMOVING:
        case CLEARING: must_work(actor, "a command about the passcode", answer); break;
    }
    done(keeper, answer->sent, answer->received);
}

static Gate__V1__AuthorizeRequest request_for_safe(struct keeper *keeper) {
    Gate__V1__AuthorizeRequest request = GATE__V1__AUTHORIZE_REQUEST__INIT;
    keeper->doing = ASKING;
    snprintf(keeper->details, sizeof keeper->details, "for the %uth time", ++keeper->asked);
    request.gated_action = (char *)safe_gate;
    request.details = keeper->details;
    request.presents_itself = true;
    return request;
}

static void act(struct actor *actor) {
    struct keeper *keeper = (struct keeper *)actor;
    if (keeper->question.is_open) {
        bool is_right = !once_in(3);
        keeper->doing = is_right ? ANSWERING_RIGHT : ANSWERING_WRONG;
        return answer_question(actor, &keeper->question, is_right, is_right ? keeper->passcode : "none of these", answered);
    }
    unsigned choice = below(4);
    if (choice == 0 || !*keeper->passcode) {
        Gate__V1__SetPasscodeRequest request = GATE__V1__SET_PASSCODE_REQUEST__INIT;
        snprintf(keeper->next, sizeof keeper->next, "%u", 10000000 + below(90000000));
        request.passcode = (ProtobufCBinaryData){strlen(keeper->next), (uint8_t *)keeper->next};
        keeper->doing = SETTING;
        command(actor, ADMINISTRATOR, &gate__v1__secrets__descriptor, "SetPasscode", &request.base, answered);
    } else if (choice == 1 && once_in(3)) {
        Gate__V1__RemoveSecretRequest request = GATE__V1__REMOVE_SECRET_REQUEST__INIT;
        request.kind = GATE__V1__SECRET_KIND__SECRET_KIND_PASSCODE;
        keeper->doing = REMOVING;
        command(actor, ADMINISTRATOR, &gate__v1__secrets__descriptor, "RemoveSecret", &request.base, answered);
    } else if (is_locked(&keeper->failures) && choice == 2) {
        keeper->doing = CLEARING;
        clear_failures(actor, &keeper->failures, answered);
    } else {
        Gate__V1__AuthorizeRequest request = request_for_safe(keeper);
        command(actor, OWN, &gate__v1__authorization__descriptor, "Authorize", &request.base, answered);
    }
}

static bool was_done(struct keeper *keeper) {
    uid_t uid = uid_of(&keeper->actor, OWN), administrator = uid_of(&keeper->actor, ADMINISTRATOR);
    const char *name = keeper->question.name;
    switch (keeper->doing) {
        case SETTING: return is_entry_found(ENTRY(SECRET_SET), administrator, "passcode");
        case REMOVING: return is_entry_found(ENTRY(SECRET_REMOVED), administrator, "passcode");
        case ASKING: expect_question(uid); return false;
        case ANSWERING_RIGHT: return is_entry_found(ENTRY(ANSWERED_RIGHT), uid, "%s", name);
        case ANSWERING_WRONG: return is_entry_found(ENTRY(ANSWERED_WRONG), uid, "%s", name);
        case CLEARING: return !are_failures_there(&keeper->actor, keeper->failures.gate);
    }
    return false;
}

static void check(struct actor *actor) {
    struct keeper *keeper = (struct keeper *)actor;
    if (actor->is_busy && was_done(keeper)) {
        run.found_done++;
        done(keeper, actor->peers[OWN].sent, boottime_nanoseconds());
    } else if (actor->is_busy && (keeper->doing == ANSWERING_RIGHT || keeper->doing == ANSWERING_WRONG)) {
        find_guess(actor, &keeper->guesses);
    }
    compare_failures(actor, &keeper->failures);
    Gate__V1__GetSecretsRequest request = GATE__V1__GET_SECRETS_REQUEST__INIT;
    const Gate__V1__GetSecretsResponse *response =
        ask(&actor->peers[OWN], &gate__v1__secrets__descriptor, "GetSecrets", &request.base);
    bool is_there = false;
    for (size_t i = 0; i < response->n_kinds; i++)
        is_there = is_there || response->kinds[i] == GATE__V1__SECRET_KIND__SECRET_KIND_PASSCODE;
    compare(actor, "whether a passcode is set up", is_there, *keeper->passcode != 0);
}

// Asks for the safe, and answers. Waits for both.
static void open_safe(struct keeper *keeper) {
    struct actor *actor = &keeper->actor;
    Gate__V1__AuthorizeRequest request = request_for_safe(keeper);
    answered(actor, call_now(&actor->peers[OWN], &gate__v1__authorization__descriptor, "Authorize", &request.base));
    Gate__V1__CompleteRequest answer = GATE__V1__COMPLETE_REQUEST__INIT;
    answer.cookie = (ProtobufCBinaryData){keeper->question.cookie_size, keeper->question.cookie};
    answer.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_SECRET;
    answer.secret = (ProtobufCBinaryData){strlen(keeper->passcode), (uint8_t *)keeper->passcode};
    keeper->doing = ANSWERING_RIGHT;
    answered(actor, call_now(&actor->peers[OWN], &gate__v1__presentations__descriptor, "Complete", &answer.base));
}

// Checks that the passcode is the right one, and neither the previous nor the next one.
static void attempt(struct actor *actor) {
    struct keeper *keeper = (struct keeper *)actor;
    try_old_question(actor, &keeper->question);
    bool was_changed = keeper->doing == SETTING || keeper->doing == REMOVING;
    if (!*keeper->passcode || is_locked(&keeper->failures) || (!was_changed && !once_in(3))) return;
    open_safe(keeper);
    run.records_compared++;
}

static void expect_rows(struct actor *actor) {
    struct keeper *keeper = (struct keeper *)actor;
    expect_failure_rows(actor, &keeper->failures);
    expect_guess_rows(actor, &keeper->guesses);
    if (*keeper->passcode) expect_row("passcode");
}

static const struct subject subject = {"keeper of the passcode", act, check, attempt, expect_rows};

struct actor *new_keeper(unsigned number) {
    struct keeper *keeper = (struct keeper *)begin_actor(sizeof *keeper, &subject, number);
    keeper->failures.gate = "passcode";
    keeper->guesses.gate = "passcode on this device";
    return &keeper->actor;
}
