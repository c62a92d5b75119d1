// A person with an authenticator, who sets it up, opens the vault with its codes, each of them once, and tries used
// codes again.
#include <stdio.h>
#include <string.h>

#include "chance.h"
#include "database.h"
#include "failures.h"
#include "guesses.h"
#include "journal.h"
#include "promises.h"
#include "question.h"
#include "totp.h"

static const char vault_gate[] = "vault.open";

enum doing { ENROLLING, REMOVING, ASKING, ANSWERING_RIGHT, ANSWERING_AGAIN, CLEARING };

struct authenticator {
    struct actor actor;
    struct failures failures;
    struct guesses guesses;
    struct question question;
    bool is_enrolled;
    uint8_t key[TOTP_KEY_BYTES], next_key[TOTP_KEY_BYTES];
    // The newest time step whose code was used, and the one of the command in flight.
    uint64_t used, next_used;
    enum doing doing;
    unsigned asked;
    char details[32];
};

static void done(struct authenticator *authenticator, int64_t sent, int64_t received) {
    struct actor *actor = &authenticator->actor;
    uid_t uid = uid_of(actor, OWN), administrator = uid_of(actor, ADMINISTRATOR);
    const char *name = authenticator->question.name;
    switch (authenticator->doing) {
        case ENROLLING:
            expect_entry(ENTRY(SECRET_SET), administrator, "totp");
            memcpy(authenticator->key, authenticator->next_key, sizeof authenticator->key);
            authenticator->used = authenticator->next_used;
            authenticator->is_enrolled = true;
            forget_guesses(&authenticator->guesses);
            return;
        case REMOVING:
            expect_entry(ENTRY(SECRET_REMOVED), administrator, "totp");
            authenticator->is_enrolled = false;
            forget_guesses(&authenticator->guesses);
            return;
        case ASKING: return;
        case ANSWERING_RIGHT:
            expect_entry(ENTRY(ANSWERED_RIGHT), uid, "%s", name);
            expect_entry(ENTRY(GRANTED), uid, "%s: %s", vault_gate, authenticator->details);
            authenticator->used = authenticator->next_used;
            guess_was_right(&authenticator->guesses);
            return forgive(&authenticator->failures);
        case ANSWERING_AGAIN:
            expect_entry(ENTRY(ANSWERED_WRONG), uid, "%s", name);
            guess_was_wrong(&authenticator->guesses);
            return count_wrong(&authenticator->failures, uid, sent, received);
        case CLEARING:
            expect_entry(ENTRY(LOCKOUT_CLEARED), administrator, "%u", 1 + clear_lane(&authenticator->guesses));
            return forgive(&authenticator->failures);
    }
}

static void answered(struct actor *actor, const struct answer *answer) {
    struct authenticator *authenticator = (struct authenticator *)actor;
    switch (authenticator->doing) {
        case ASKING: {
            if (is_locked(&authenticator->failures)) {
                if (answer->reason != REASON(LOCKED_OUT)) broken("codes are locked, and asked for");
                run.refusals++;
                return;
            }
            // These grants are never taken, so their limit may be reached.
            if (answer->reason == REASON(LIMIT)) return;
            must_work(actor, "Authorize", answer);
            const Gate__V1__AuthorizeResponse *response = (const Gate__V1__AuthorizeResponse *)answer->message;
            if (response->result_case != GATE__V1__AUTHORIZE_RESPONSE__RESULT_PRESENTATION)
                broken("the vault opens unasked");
            return take_question(&authenticator->question, response->presentation, vault_gate, uid_of(actor, OWN));
        }
        case ANSWERING_AGAIN:
            if (answer->code == CODE_OK) broken("a code of an authenticator was taken twice");
            if (answer->reason != REASON(WRONG_ANSWER) && answer->reason != REASON(LOCKED_OUT))
                broken("a used code is told %d: %s", answer->code, answer->text);
            authenticator->question.is_open = false;
            run.refusals++;
            break;
        case ANSWERING_RIGHT: authenticator->question.is_open = false;  // fallthrough
        case ENROLLING:
        case REMOVING:
        case CLEARING: must_work(actor, "a command about the authenticator", answer); break;
    }
    done(authenticator, answer->sent, answer->received);
}

// Finds a time step whose code is valid now and in a moment, and was never used. Returns false if there is none.
static bool find_step(const struct authenticator *authenticator, uint64_t *step) {
    uint64_t now = totp_step_now();
    *step = authenticator->used >= now ? authenticator->used + 1 : now;
    return *step <= now + 1;
}

// Whether the code that was used last happens to be the code of a later step, too.
static bool is_used_code_ambiguous(const struct authenticator *authenticator) {
    char used[7], other[7];
    write_totp_code(authenticator->key, authenticator->used, used);
    for (uint64_t step = authenticator->used + 1; step <= totp_step_now() + 2; step++) {
        write_totp_code(authenticator->key, step, other);
        if (strcmp(used, other) == 0) return true;
    }
    return false;
}

static void enrol(struct authenticator *authenticator) {
    Gate__V1__EnrolTOTPRequest request = GATE__V1__ENROL_TOTPREQUEST__INIT;
    char code[7];
    for (int i = 0; i < TOTP_KEY_BYTES; i++) authenticator->next_key[i] = (uint8_t)below(256);
    authenticator->next_used = totp_step_now();
    write_totp_code(authenticator->next_key, authenticator->next_used, code);
    request.key = (ProtobufCBinaryData){TOTP_KEY_BYTES, authenticator->next_key};
    request.code = (ProtobufCBinaryData){6, (uint8_t *)code};
    authenticator->doing = ENROLLING;
    command(&authenticator->actor, ADMINISTRATOR, &gate__v1__secrets__descriptor, "EnrolTOTP", &request.base, answered);
}

static void answer_code(struct authenticator *authenticator) {
    char code[7];
    bool is_right = find_step(authenticator, &authenticator->next_used) && once_in(2);
    // There is no certainly wrong answer. The question ends with the daemon, or expires.
    if (!is_right && is_used_code_ambiguous(authenticator)) return enrol(authenticator);
    write_totp_code(authenticator->key, is_right ? authenticator->next_used : authenticator->used, code);
    authenticator->doing = is_right ? ANSWERING_RIGHT : ANSWERING_AGAIN;
    answer_question(&authenticator->actor, &authenticator->question, is_right, code, answered);
}

static Gate__V1__AuthorizeRequest request_for_vault(struct authenticator *authenticator) {
    Gate__V1__AuthorizeRequest request = GATE__V1__AUTHORIZE_REQUEST__INIT;
    authenticator->doing = ASKING;
    snprintf(authenticator->details, sizeof authenticator->details, "for the %uth time", ++authenticator->asked);
    request.gated_action = (char *)vault_gate;
    request.details = authenticator->details;
    request.presents_itself = true;
    return request;
}

static void act(struct actor *actor) {
    struct authenticator *authenticator = (struct authenticator *)actor;
    uint64_t step;
    if (authenticator->question.is_open) return answer_code(authenticator);
    if (!authenticator->is_enrolled || (!find_step(authenticator, &step) && once_in(3))) return enrol(authenticator);
    if (once_in(12)) {
        Gate__V1__RemoveSecretRequest request = GATE__V1__REMOVE_SECRET_REQUEST__INIT;
        request.kind = GATE__V1__SECRET_KIND__SECRET_KIND_TOTP;
        authenticator->doing = REMOVING;
        return command(actor, ADMINISTRATOR, &gate__v1__secrets__descriptor, "RemoveSecret", &request.base, answered);
    }
    if (is_locked(&authenticator->failures) && !once_in(4)) {
        authenticator->doing = CLEARING;
        return clear_failures(actor, &authenticator->failures, answered);
    }
    Gate__V1__AuthorizeRequest request = request_for_vault(authenticator);
    command(actor, OWN, &gate__v1__authorization__descriptor, "Authorize", &request.base, answered);
}

static bool was_done(struct authenticator *authenticator) {
    struct actor *actor = &authenticator->actor;
    uid_t uid = uid_of(actor, OWN), administrator = uid_of(actor, ADMINISTRATOR);
    const char *name = authenticator->question.name;
    switch (authenticator->doing) {
        case ENROLLING: return is_entry_found(ENTRY(SECRET_SET), administrator, "totp");
        case REMOVING: return is_entry_found(ENTRY(SECRET_REMOVED), administrator, "totp");
        case ASKING: expect_question(uid); return false;
        case ANSWERING_RIGHT: return is_entry_found(ENTRY(ANSWERED_RIGHT), uid, "%s", name);
        case ANSWERING_AGAIN: return is_entry_found(ENTRY(ANSWERED_WRONG), uid, "%s", name);
        case CLEARING: return !are_failures_there(actor, authenticator->failures.gate);
    }
    return false;
}

static void check(struct actor *actor) {
    struct authenticator *authenticator = (struct authenticator *)actor;
    if (actor->is_busy && was_done(authenticator)) {
        run.found_done++;
        done(authenticator, actor->peers[OWN].sent, boottime_nanoseconds());
    } else if (actor->is_busy && (authenticator->doing == ANSWERING_RIGHT || authenticator->doing == ANSWERING_AGAIN)) {
        find_guess(actor, &authenticator->guesses);
    }
    compare_failures(actor, &authenticator->failures);
    Gate__V1__GetSecretsRequest request = GATE__V1__GET_SECRETS_REQUEST__INIT;
    const Gate__V1__GetSecretsResponse *response =
        ask(&actor->peers[OWN], &gate__v1__secrets__descriptor, "GetSecrets", &request.base);
    bool is_there = false;
    for (size_t i = 0; i < response->n_kinds; i++)
        is_there = is_there || response->kinds[i] == GATE__V1__SECRET_KIND__SECRET_KIND_TOTP;
    compare(actor, "whether an authenticator is set up", is_there, authenticator->is_enrolled);
}

// The code that was used last is not accepted again.
static void attempt(struct actor *actor) {
    struct authenticator *authenticator = (struct authenticator *)actor;
    try_old_question(actor, &authenticator->question);
    if (!authenticator->is_enrolled || is_locked(&authenticator->failures) || is_used_code_ambiguous(authenticator)) return;
    Gate__V1__AuthorizeRequest request = request_for_vault(authenticator);
    answered(actor, call_now(&actor->peers[OWN], &gate__v1__authorization__descriptor, "Authorize", &request.base));
    char code[7];
    write_totp_code(authenticator->key, authenticator->used, code);
    Gate__V1__CompleteRequest answer = GATE__V1__COMPLETE_REQUEST__INIT;
    answer.cookie = (ProtobufCBinaryData){authenticator->question.cookie_size, authenticator->question.cookie};
    answer.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_SECRET;
    answer.secret = (ProtobufCBinaryData){6, (uint8_t *)code};
    authenticator->doing = ANSWERING_AGAIN;
    answered(actor, call_now(&actor->peers[OWN], &gate__v1__presentations__descriptor, "Complete", &answer.base));
}

static void expect_rows(struct actor *actor) {
    struct authenticator *authenticator = (struct authenticator *)actor;
    expect_failure_rows(actor, &authenticator->failures);
    expect_guess_rows(actor, &authenticator->guesses);
    if (authenticator->is_enrolled) expect_row("authenticator, used up to step %lu", (unsigned long)authenticator->used);
}

static const struct subject subject = {"authenticator", act, check, attempt, expect_rows};

struct actor *new_authenticator(unsigned number) {
    struct authenticator *authenticator = (struct authenticator *)begin_actor(sizeof *authenticator, &subject, number);
    authenticator->failures.gate = "totp";
    authenticator->guesses.gate = "totp on this device";
    return &authenticator->actor;
}
