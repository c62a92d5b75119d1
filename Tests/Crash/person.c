// A child who guesses, and sometimes knows the answer: lockouts, kept grants, and grants that can be taken once.
#include <stdio.h>
#include <string.h>

#include "chance.h"
#include "database.h"
#include "failures.h"
#include "journal.h"
#include "promises.h"
#include "question.h"

// A connection may have 64 unused grants. A person has fewer, so that none is forgotten.
enum { GATES = 2, TICKETS = 12, MOST_UNUSED = 6, KEPT_GATE = 1 };
static const int64_t KEPT_NANOSECONDS = 24 * 3600000000000;
static const char photos_gate[] = "photos.delete";

// A grant that was given.
struct ticket {
    uint8_t proof[128];
    size_t proof_size;
    const char *gate;
    char details[64];
    bool is_for_other, is_used;
};

enum doing {
    ASKING,
    ANSWERING_RIGHT,
    ANSWERING_WRONG,
    DISMISSING,
    REDEEMING,
    REDEEMING_WRONGLY,
    REVOKING,
    CLEARING,
    ASKING_PHOTOS,
};

struct person {
    struct actor actor;
    struct failures failures[GATES];
    bool is_kept;
    int64_t kept_least, kept_most;
    struct ticket tickets[TICKETS];
    unsigned ticket_count;
    struct question question;
    unsigned asked;
    // The command in flight, or the last one.
    enum doing doing;
    unsigned gate, ticket;
    char details[64];
    bool is_for_other;
};

static uid_t redeemer_of(const struct person *person, const struct ticket *ticket) {
    return uid_of(&person->actor, ticket->is_for_other ? OTHER : OWN);
}

static const char *gate_of(const struct person *person) {
    return person->failures[person->gate].gate;
}

// MARK: what was confirmed, or found done

static void granted(struct person *person, const char *gate) {
    expect_entry(
        ENTRY(GRANTED), uid_of(&person->actor, OWN), "%s: %s", gate, person->details);
}

// The first ticket that is used, or that is not used; -1 if there is none.
static int find_ticket(const struct person *person, bool is_used) {
    for (unsigned i = 0; i < person->ticket_count; i++) {
        if (person->tickets[i].is_used == is_used) return (int)i;
    }
    return -1;
}

static unsigned unused_count(const struct person *person) {
    unsigned count = 0;
    for (unsigned i = 0; i < person->ticket_count; i++) count += !person->tickets[i].is_used;
    return count;
}

static void keep_ticket(struct person *person, const Gate__V1__Grant *grant, const char *gate) {
    if (strcmp(grant->gated_action, gate) != 0 || strcmp(grant->details, person->details) != 0)
        broken("a grant for %s: %s, instead of %s: %s", grant->gated_action, grant->details, gate, person->details);
    // Replaces a used ticket if there is no room.
    int place = person->ticket_count < TICKETS ? (int)person->ticket_count++ : find_ticket(person, true);
    struct ticket *ticket = &person->tickets[place];
    *ticket = (struct ticket){.proof_size = grant->proof.len, .gate = gate, .is_for_other = person->is_for_other};
    if (ticket->proof_size > sizeof ticket->proof) fail("a proof of %zu bytes", ticket->proof_size);
    memcpy(ticket->proof, grant->proof.data, ticket->proof_size);
    memcpy(ticket->details, person->details, sizeof ticket->details);
}

static void answered_right(struct person *person, int64_t sent, int64_t received) {
    expect_entry(
        ENTRY(ANSWERED_RIGHT), uid_of(&person->actor, OWN), "%s", person->question.name);
    granted(person, gate_of(person));
    forgive(&person->failures[person->gate]);
    if (person->gate != KEPT_GATE) return;
    person->is_kept = true;
    person->kept_least = sent + KEPT_NANOSECONDS;
    person->kept_most = received + KEPT_NANOSECONDS;
}

static void answered_wrong(struct person *person, int64_t sent, int64_t received) {
    uid_t uid = uid_of(&person->actor, OWN);
    expect_entry(ENTRY(ANSWERED_WRONG), uid, "%s", person->question.name);
    count_wrong(&person->failures[person->gate], uid, sent, received);
}

static void dismissed(struct person *person, int64_t sent, int64_t received) {
    uid_t uid = uid_of(&person->actor, OWN);
    expect_entry(ENTRY(DISMISSED), uid, "%s", person->question.name);
    count_dismissed(&person->failures[person->gate], uid, sent, received);
}

static void redeemed(struct person *person) {
    struct ticket *ticket = &person->tickets[person->ticket];
    ticket->is_used = true;
    expect_entry(
        ENTRY(REDEEMED), redeemer_of(person, ticket), "%s: %s", ticket->gate, ticket->details);
}

static void revoked(struct person *person) {
    expect_entry(
        ENTRY(REVOKED), uid_of(&person->actor, OWN), "%s", person->failures[KEPT_GATE].gate);
    person->is_kept = false;
}

static void cleared(struct person *person) {
    expect_entry(ENTRY(LOCKOUT_CLEARED), uid_of(&person->actor, ADMINISTRATOR), "1");
    forgive(&person->failures[person->gate]);
}

// MARK: answers

static bool is_grant(const struct answer *answer) {
    const Gate__V1__AuthorizeResponse *response = (const Gate__V1__AuthorizeResponse *)answer->message;
    return response->result_case == GATE__V1__AUTHORIZE_RESPONSE__RESULT_GRANT;
}

static void answered(struct actor *actor, const struct answer *answer) {
    struct person *person = (struct person *)actor;
    struct failures *failures = &person->failures[person->gate];
    const char *gate = person->doing == ASKING_PHOTOS ? photos_gate : gate_of(person);
    switch (person->doing) {
        case ASKING_PHOTOS:
            // A grant is given only in parent mode, and the journal has the mode of that moment. Otherwise the request
            // is refused.
            if (answer->code != CODE_OK) return;
            if (!is_grant(answer)) broken("a question in front of %s", photos_gate);
            granted(person, gate);
            keep_ticket(person, ((const Gate__V1__AuthorizeResponse *)answer->message)->grant, gate);
            return;
        case ASKING: {
            bool is_kept = person->gate == KEPT_GATE && person->is_kept;
            if (is_locked(failures) && !is_kept) {
                if (answer->reason != REASON(LOCKED_OUT))
                    broken("%s is locked for %u, and answers: %s", gate, actor->peers[OWN].uid, answer->text);
                run.refusals++;
                return;
            }
            must_work(actor, "Authorize", answer);
            const Gate__V1__AuthorizeResponse *response = (const Gate__V1__AuthorizeResponse *)answer->message;
            if (is_grant(answer) && !is_kept) broken("a grant for %s that nobody gave, to %u", gate, actor->peers[OWN].uid);
            if (!is_grant(answer) && is_kept) broken("a kept grant for %s is forgotten", gate);
            if (!is_grant(answer)) return take_question(&person->question, response->presentation, gate, actor->peers[OWN].uid);
            granted(person, gate);
            keep_ticket(person, response->grant, gate);
            return;
        }
        case ANSWERING_RIGHT: {
            must_work(actor, "the right answer", answer);
            const Gate__V1__CompleteResponse *response = (const Gate__V1__CompleteResponse *)answer->message;
            if (response->result_case != GATE__V1__COMPLETE_RESPONSE__RESULT_GRANT)
                broken("a right answer without a grant");
            person->question.is_open = false;
            answered_right(person, answer->sent, answer->received);
            keep_ticket(person, response->grant, gate);
            return;
        }
        case ANSWERING_WRONG:
            if (answer->reason != REASON(WRONG_ANSWER) && answer->reason != REASON(LOCKED_OUT))
                broken("a wrong answer at %s is told %d: %s", gate, answer->code, answer->text);
            person->question.is_open = false;
            answered_wrong(person, answer->sent, answer->received);
            return;
        case DISMISSING:
            must_work(actor, "Dismiss", answer);
            person->question.is_open = false;
            dismissed(person, answer->sent, answer->received);
            return;
        case REDEEMING:
            if (person->tickets[person->ticket].is_used) {
                if (answer->reason != REASON(NO_GRANT))
                    broken("a grant was redeemed twice: %s", person->tickets[person->ticket].details);
                run.refusals++;
                return;
            }
            must_work(actor, "Redeem", answer);
            redeemed(person);
            return;
        case REDEEMING_WRONGLY:
            if (answer->code == CODE_OK) broken("a grant was redeemed for something else");
            run.refusals++;
            return;
        case REVOKING:
            must_work(actor, "Revoke", answer);
            compare(
                actor, "what was revoked", ((const Gate__V1__RevokeResponse *)answer->message)->count, person->is_kept);
            if (person->is_kept) revoked(person);
            return;
        case CLEARING:
            must_work(actor, "ClearLockout", answer);
            compare(actor, "what was cleared", ((const Gate__V1__ClearLockoutResponse *)answer->message)->count, 1);
            cleared(person);
            return;
    }
}

// MARK: commands

static void ask_for(struct person *person, enum doing doing, const char *gate, bool is_for_other) {
    Gate__V1__User other = GATE__V1__USER__INIT;
    other.uid = uid_of(&person->actor, OTHER);
    Gate__V1__AuthorizeRequest request = GATE__V1__AUTHORIZE_REQUEST__INIT;
    person->doing = doing;
    person->is_for_other = is_for_other;
    snprintf(person->details, sizeof person->details, "person %u, thing %u", person->actor.number, ++person->asked);
    request.gated_action = (char *)gate;
    request.details = person->details;
    request.presents_itself = true;
    if (is_for_other) request.redeemer = &other;
    command(&person->actor, OWN, &gate__v1__authorization__descriptor, "Authorize", &request.base, answered);
}

static Gate__V1__RedeemRequest redemption(const struct ticket *ticket) {
    Gate__V1__RedeemRequest request = GATE__V1__REDEEM_REQUEST__INIT;
    request.proof = (ProtobufCBinaryData){ticket->proof_size, (uint8_t *)ticket->proof};
    request.gated_action = (char *)ticket->gate;
    request.details = (char *)ticket->details;
    return request;
}

static void redeem(struct person *person, unsigned place, bool is_wrong) {
    person->ticket = place;
    struct ticket *ticket = &person->tickets[person->ticket];
    Gate__V1__RedeemRequest request = redemption(ticket);
    if (is_wrong) request.details = "something else";
    person->doing = is_wrong ? REDEEMING_WRONGLY : REDEEMING;
    command(
        &person->actor, ticket->is_for_other ? OTHER : OWN, &gate__v1__authorization__descriptor, "Redeem", &request.base,
        answered);
}

static void act(struct actor *actor) {
    struct person *person = (struct person *)actor;
    if (person->question.is_open) {
        unsigned choice = below(8);
        person->doing = choice < 3 ? ANSWERING_RIGHT : choice < 7 ? ANSWERING_WRONG : DISMISSING;
        if (person->doing == DISMISSING) return dismiss_question(actor, &person->question, answered);
        return answer_question(actor, &person->question, person->doing == ANSWERING_RIGHT, NULL, answered);
    }
    if (unused_count(person) >= MOST_UNUSED) return redeem(person, (unsigned)find_ticket(person, false), false);
    unsigned choice = below(16);
    if (choice < 5 && person->ticket_count > 0) return redeem(person, below(person->ticket_count), choice == 0);
    if (choice == 5) return ask_for(person, ASKING_PHOTOS, photos_gate, false);
    if (choice == 6) {
        Gate__V1__RevokeRequest request = GATE__V1__REVOKE_REQUEST__INIT;
        request.gated_action = (char *)person->failures[KEPT_GATE].gate;
        person->doing = REVOKING;
        return command(actor, OWN, &gate__v1__authorization__descriptor, "Revoke", &request.base, answered);
    }
    person->gate = below(GATES);
    if (is_locked(&person->failures[person->gate]) && !once_in(3)) {
        person->doing = CLEARING;
        return clear_failures(actor, &person->failures[person->gate], answered);
    }
    ask_for(person, ASKING, gate_of(person), once_in(4));
}

// MARK: after a restart

static void resolve(struct person *person) {
    struct actor *actor = &person->actor;
    uid_t uid = uid_of(actor, OWN);
    int64_t now = boottime_nanoseconds(), sent = actor->peers[OWN].sent;
    const char *name = person->question.name;
    const struct ticket *ticket = &person->tickets[person->ticket];
    uint64_t before = run.found_done++;
    switch (person->doing) {
        case ASKING:
            if (is_entry_found(ENTRY(GRANTED), uid, "%s: %s", gate_of(person), person->details)) {
                if (person->gate != KEPT_GATE || !person->is_kept) broken("a grant that nobody gave: %s", person->details);
                return granted(person, gate_of(person));
            }
            expect_question(uid);
            break;
        case ASKING_PHOTOS:
            if (is_entry_found(ENTRY(GRANTED), uid, "%s: %s", photos_gate, person->details))
                return granted(person, photos_gate);
            break;
        case ANSWERING_RIGHT:
            if (is_entry_found(ENTRY(ANSWERED_RIGHT), uid, "%s", name))
                return answered_right(person, sent, now);
            break;
        case ANSWERING_WRONG:
            if (is_entry_found(ENTRY(ANSWERED_WRONG), uid, "%s", name))
                return answered_wrong(person, sent, now);
            break;
        case DISMISSING:
            if (is_entry_found(ENTRY(DISMISSED), uid, "%s", name))
                return dismissed(person, sent, now);
            break;
        case REDEEMING:
            if (!ticket->is_used
                && is_entry_found(
                    ENTRY(REDEEMED), redeemer_of(person, ticket), "%s: %s", ticket->gate,
                    ticket->details))
                return redeemed(person);
            break;
        case REVOKING:
            if (person->is_kept
                && is_entry_found(ENTRY(REVOKED), uid, "%s", person->failures[KEPT_GATE].gate))
                return revoked(person);
            break;
        case CLEARING:
            // All users' clearings look the same in the journal. So the record decides, and the journal has to agree.
            if (!are_failures_there(actor, gate_of(person))) return cleared(person);
            break;
        case REDEEMING_WRONGLY: break;
    }
    run.found_done = before;
}

static void check(struct actor *actor) {
    struct person *person = (struct person *)actor;
    if (actor->is_busy) resolve(person);
    for (int i = 0; i < GATES; i++) compare_failures(actor, &person->failures[i]);
    Gate__V1__ListGrantsRequest request = GATE__V1__LIST_GRANTS_REQUEST__INIT;
    const Gate__V1__ListGrantsResponse *response =
        ask(&actor->peers[ADMINISTRATOR], &gate__v1__authorization__descriptor, "ListGrants", &request.base);
    const Gate__V1__KeptGrant *kept = NULL;
    for (size_t i = 0; i < response->n_grants; i++) {
        const Gate__V1__KeptGrant *grant = response->grants[i];
        if (grant->uid != actor->peers[OWN].uid) continue;
        if (strcmp(grant->gated_action, person->failures[KEPT_GATE].gate) == 0) kept = grant;
    }
    compare(actor, "whether a grant is kept", kept != NULL, person->is_kept);
    if (!kept) return;
    int64_t deadline = kept->deadline_boottime_nanoseconds;
    if (deadline < person->kept_least || deadline > person->kept_most) broken("a kept grant ends at another time");
    person->kept_least = person->kept_most = deadline;
}

static void attempt(struct actor *actor) {
    struct person *person = (struct person *)actor;
    try_old_question(actor, &person->question);
    for (unsigned i = 0; i < person->ticket_count; i++) {
        const struct ticket *ticket = &person->tickets[i];
        Gate__V1__RedeemRequest request = redemption(ticket);
        const struct answer *answer = call_now(
            &actor->peers[ticket->is_for_other ? OTHER : OWN], &gate__v1__authorization__descriptor, "Redeem",
            &request.base);
        if (answer->reason != REASON(NO_GRANT))
            broken(
                "a grant of before the restart was redeemed: %s: %s, %s", ticket->gate, ticket->details,
                ticket->is_used ? "for the second time" : "which was not used before");
        run.refusals++;
    }
    person->ticket_count = 0;
    Gate__V1__AuthorizeRequest request = GATE__V1__AUTHORIZE_REQUEST__INIT;
    request.gated_action = (char *)photos_gate;
    request.presents_itself = true;
    const struct answer *answer =
        call_now(&actor->peers[OWN], &gate__v1__authorization__descriptor, "Authorize", &request.base);
    if (answer->code == CODE_OK) broken("what needs parent mode is granted after a restart");
    run.refusals++;
}

static void expect_rows(struct actor *actor) {
    struct person *person = (struct person *)actor;
    for (int i = 0; i < GATES; i++) expect_failure_rows(actor, &person->failures[i]);
    if (!person->is_kept) return;
    expect_row(
        "kept_grant %u %s until %lld", (unsigned)uid_of(actor, OWN), person->failures[KEPT_GATE].gate,
        (long long)person->kept_least);
}

static const struct subject subject = {"person", act, check, attempt, expect_rows};

struct actor *new_person(unsigned number) {
    struct person *person = (struct person *)begin_actor(sizeof *person, &subject, number);
    person->failures[0].gate = open_gate_of(number);
    person->failures[KEPT_GATE].gate = kept_gate_of(number);
    return &person->actor;
}
