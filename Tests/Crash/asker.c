// A child on the list of people who asks for pages while no grown-up is there, and an administrator who answers, takes
// back and answers again. It needs users of its own, so without root it does nothing.
#include <stdio.h>
#include <string.h>

#include "actor.h"
#include "chance.h"
#include "choices.h"
#include "database.h"
#include "journal.h"
#include "promises.h"

// As Gate's limits say: how many questions of a user wait at a time, and how many a user asks in a day.
enum { MOST_WAITING = 5, MOST_OF_DAY = 20 };
// An asker has so many users, one after the other, since one alone could ask no more after a while.
enum { USERS = 50, KEPT = 10, OVER = 8 };
static const int64_t DAY_MILLISECONDS = 24 * 3600000ll, MAY_WAIT_MILLISECONDS = 3 * DAY_MILLISECONDS;
// Clocks are read before a command is sent and after its answer is there.
static const int64_t SLACK_MILLISECONDS = 100;
static const char gate[] = "page.open", title[] = "Open a page";

enum state { NO_ASK, WAITING, ALLOWED, REFUSED };

struct waiting {
    enum state state;
    uint64_t number;
    char details[64];
    // How much was allowed, if it was.
    enum choice choice;
    // It ends between these two moments, in milliseconds since 1970; 0: never.
    int64_t ends_least, ends_most;
};

enum doing { ASKING, ASKING_AGAIN, SAYING_YES, SAYING_NO, WITHDRAWING, ANSWERING_WHAT_IS_OVER };

struct asker {
    struct actor actor;
    char name[32];
    // Which of the users is the person's, from 1; 0: none yet. How many questions each of them has asked.
    unsigned users, asked[USERS + 1];
    struct waiting asks[KEPT];
    // The last ones that are over, and their words.
    uint64_t over[OVER];
    char used[64];
    unsigned over_count, things;
    // The command in flight, or the last one: for which ask, or with which words.
    enum doing doing;
    unsigned place;
    enum choice choice;
    char details[64];
    int64_t sent;
};

static uid_t own(const struct asker *asker) {
    return uid_of(&asker->actor, OWN);
}

static uid_t administrator(const struct asker *asker) {
    return uid_of(&asker->actor, ADMINISTRATOR);
}

static unsigned count_of(const struct asker *asker, enum state state) {
    unsigned count = 0;
    for (int i = 0; i < KEPT; i++) count += asker->asks[i].state == state;
    return count;
}

// MARK: what was confirmed, or found done

static void ends_after(struct asker *asker, struct waiting *ask, int64_t milliseconds) {
    ask->ends_least = asker->sent + milliseconds - SLACK_MILLISECONDS;
    ask->ends_most = wall_milliseconds() + milliseconds + SLACK_MILLISECONDS;
}

static void was_asked(struct asker *asker, uint64_t number) {
    struct waiting *ask = &asker->asks[asker->place];
    *ask = (struct waiting){.state = WAITING, .number = number};
    memcpy(ask->details, asker->details, sizeof ask->details);
    ends_after(asker, ask, MAY_WAIT_MILLISECONDS);
    asker->asked[asker->users]++;
    expect_entry(ENTRY(CHALLENGE_OPENED), own(asker), "challenge %lu, %s", (unsigned long)number, gate);
}

static void is_over(struct asker *asker) {
    struct waiting *ask = &asker->asks[asker->place];
    asker->over[asker->over_count++ % OVER] = ask->number;
    memcpy(asker->used, ask->details, sizeof asker->used);
    *ask = (struct waiting){0};
}

// A yes for once is over then; every other one goes on.
static void was_let_in(struct asker *asker) {
    expect_entry(ENTRY(GRANTED), own(asker), "%s: %s", gate, asker->details);
    if (asker->asks[asker->place].choice == ONCE) is_over(asker);
}

static void expect_ask_entry(const struct asker *asker, Gate__V1__AuditKind kind, uid_t uid, const struct waiting *ask, const char *more) {
    expect_entry(kind, uid, "ask %lu: %s, for %s%s", (unsigned long)ask->number, title, asker->name, more);
}

static void was_answered(struct asker *asker) {
    struct waiting *ask = &asker->asks[asker->place];
    bool is_yes = asker->doing == SAYING_YES;
    ask->state = is_yes ? ALLOWED : REFUSED;
    ask->choice = asker->choice;
    Gate__V1__AuditKind kind = is_yes ? ENTRY(ANSWERED_RIGHT) : ENTRY(REFUSED);
    expect_ask_entry(asker, kind, administrator(asker), ask, is_yes ? choice_detail(ask->choice) : "");
    if (!is_yes) return ends_after(asker, ask, DAY_MILLISECONDS);
    ask->ends_least = end_of_choice(ask->choice, asker->sent - SLACK_MILLISECONDS, MAY_WAIT_MILLISECONDS);
    ask->ends_most = end_of_choice(ask->choice, wall_milliseconds() + SLACK_MILLISECONDS, MAY_WAIT_MILLISECONDS);
}

static void was_withdrawn(struct asker *asker) {
    expect_ask_entry(asker, ENTRY(CANCELLED), own(asker), &asker->asks[asker->place], "");
    is_over(asker);
}

// Whether the command in flight has to be refused, because the ask is in no state for it.
static bool is_out_of_place(const struct asker *asker) {
    enum state state = asker->asks[asker->place].state;
    return (asker->doing == SAYING_YES && state == ALLOWED) || (asker->doing == SAYING_NO && state == REFUSED)
        || (asker->doing == WITHDRAWING && state == REFUSED) || asker->doing == ANSWERING_WHAT_IS_OVER;
}

// MARK: answers

static void must_be(const struct asker *asker, const struct answer *answer, Gate__V1__Reason reason, const char *what) {
    if (answer->reason != reason)
        broken("%s, asked for '%s' by %s, is told %d: %s", what, asker->details, asker->name, answer->code, answer->text);
}

static void answered(struct actor *actor, const struct answer *answer) {
    struct asker *asker = (struct asker *)actor;
    const struct waiting *ask = &asker->asks[asker->place];
    switch (asker->doing) {
        case ASKING:
            if (count_of(asker, WAITING) >= MOST_WAITING || asker->asked[asker->users] >= MOST_OF_DAY) {
                must_be(asker, answer, REASON(LIMIT), "one question too many");
                run.refusals++;
                return;
            }
            must_be(asker, answer, REASON(ASKED), "a new question");
            return was_asked(asker, answer->ask);
        case ASKING_AGAIN:
            switch (ask->state) {
                case ALLOWED:
                    must_work(actor, "what a grown-up has allowed", answer);
                    return was_let_in(asker);
                case WAITING:
                    must_be(asker, answer, REASON(ASKED), "what waits already");
                    compare(actor, "the number of what waits", (int64_t)answer->ask, (int64_t)ask->number);
                    return;
                case REFUSED: return must_be(asker, answer, REASON(REFUSED), "what was refused");
                case NO_ASK: return;
            }
            return;
        case SAYING_YES:
        case SAYING_NO:
        case WITHDRAWING:
        case ANSWERING_WHAT_IS_OVER:
            if (is_out_of_place(asker)) {
                must_be(asker, answer, REASON(UNKNOWN), "an answer that was given, or comes too late");
                run.refusals++;
                return;
            }
            must_work(actor, asker->doing == WITHDRAWING ? "WithdrawAsk" : "AnswerAsk", answer);
            if (asker->doing == WITHDRAWING) was_withdrawn(asker);
            else was_answered(asker);
            return;
    }
}

// MARK: commands

static void ask_for(struct asker *asker, enum doing doing) {
    Gate__V1__AuthorizeRequest request = GATE__V1__AUTHORIZE_REQUEST__INIT;
    asker->doing = doing;
    request.gated_action = (char *)gate;
    request.details = asker->details;
    request.may_wait = true;
    command(&asker->actor, OWN, &gate__v1__authorization__descriptor, "Authorize", &request.base, answered);
}

static Gate__V1__AnswerAskRequest answer_to(uint64_t number, bool is_allowed, enum choice choice) {
    Gate__V1__AnswerAskRequest request = GATE__V1__ANSWER_ASK_REQUEST__INIT;
    request.number = number;
    request.is_allowed = is_allowed;
    if (is_allowed) request.choice = (char *)choice_name(choice);
    return request;
}

static void say(struct asker *asker, enum doing doing, uint64_t number) {
    asker->doing = doing;
    if (doing == WITHDRAWING) {
        Gate__V1__WithdrawAskRequest request = GATE__V1__WITHDRAW_ASK_REQUEST__INIT;
        request.number = number;
        return command(&asker->actor, OWN, &gate__v1__authorization__descriptor, "WithdrawAsk", &request.base, answered);
    }
    asker->choice = some_choice();
    Gate__V1__AnswerAskRequest request = answer_to(number, doing != SAYING_NO, asker->choice);
    command(&asker->actor, ADMINISTRATOR, &gate__v1__authorization__descriptor, "AnswerAsk", &request.base, answered);
}

// The first place in which an ask is, or none is; -1: there is no such place.
static int find(const struct asker *asker, bool is_free) {
    unsigned first = below(KEPT);
    for (unsigned i = 0; i < KEPT; i++) {
        unsigned place = (first + i) % KEPT;
        if ((asker->asks[place].state == NO_ASK) == is_free) return (int)place;
    }
    return -1;
}

static bool has_words(const struct asker *asker, const char *details) {
    for (int i = 0; i < KEPT; i++) {
        if (asker->asks[i].state != NO_ASK && strcmp(asker->asks[i].details, details) == 0) return true;
    }
    return false;
}

static void act(struct actor *actor) {
    struct asker *asker = (struct asker *)actor;
    if (asker->users == 0) return;
    asker->sent = wall_milliseconds();
    int one = find(asker, false), room = find(asker, true);
    unsigned choice = below(12);
    if (one < 0 || (choice < 3 && room >= 0)) {
        asker->place = (unsigned)room;
        // What is over is over, and a yes that was used is used up: the same words are a new question.
        bool is_used = *asker->used && !has_words(asker, asker->used) && once_in(3);
        if (is_used) memcpy(asker->details, asker->used, sizeof asker->details);
        else snprintf(asker->details, sizeof asker->details, "https://thing%u.asker%u.example/", ++asker->things, actor->number);
        return ask_for(asker, ASKING);
    }
    if (choice == 3 && asker->over_count > 0)
        return say(asker, ANSWERING_WHAT_IS_OVER, asker->over[below(asker->over_count < OVER ? asker->over_count : OVER)]);
    asker->place = (unsigned)one;
    memcpy(asker->details, asker->asks[one].details, sizeof asker->details);
    if (choice < 6) {
        // A yes for a site is one for all of its pages.
        bool is_site = asker->asks[one].state == ALLOWED && asker->asks[one].choice == THIS_SITE;
        if (is_site && once_in(2)) strcat(asker->details, "other");
        return ask_for(asker, ASKING_AGAIN);
    }
    say(asker, choice < 9 ? SAYING_YES : choice < 11 ? SAYING_NO : WITHDRAWING, asker->asks[one].number);
}

// MARK: after a restart

static const Gate__V1__ListAsksResponse *list(struct asker *asker, int peer) {
    Gate__V1__ListAsksRequest request = GATE__V1__LIST_ASKS_REQUEST__INIT;
    return ask(&asker->actor.peers[peer], &gate__v1__authorization__descriptor, "ListAsks", &request.base);
}

static const Gate__V1__Ask *with_details(const struct asker *asker, const Gate__V1__ListAsksResponse *asks, const char *details) {
    for (size_t i = 0; i < asks->n_asks; i++) {
        if (asks->asks[i]->uid == own(asker) && strcmp(asks->asks[i]->details, details) == 0) return asks->asks[i];
    }
    return NULL;
}

static void resolve(struct asker *asker) {
    const struct waiting *ask = &asker->asks[asker->place];
    uint64_t before = run.found_done++;
    switch (asker->doing) {
        case ASKING: {
            const Gate__V1__Ask *found = with_details(asker, list(asker, ADMINISTRATOR), asker->details);
            if (found) return was_asked(asker, found->number);
            break;
        }
        case ASKING_AGAIN:
            if (ask->state == ALLOWED && is_entry_found(ENTRY(GRANTED), own(asker), "%s: %s", gate, asker->details))
                return was_let_in(asker);
            break;
        case SAYING_YES:
        case SAYING_NO: {
            bool is_yes = asker->doing == SAYING_YES;
            bool is_found = is_entry_found(
                is_yes ? ENTRY(ANSWERED_RIGHT) : ENTRY(REFUSED), administrator(asker), "ask %lu: %s, for %s%s",
                (unsigned long)ask->number, title, asker->name, is_yes ? choice_detail(asker->choice) : "");
            if (is_found) return was_answered(asker);
            break;
        }
        case WITHDRAWING:
            if (is_entry_found(
                    ENTRY(CANCELLED), own(asker), "ask %lu: %s, for %s", (unsigned long)ask->number, title, asker->name))
                return was_withdrawn(asker);
            break;
        case ANSWERING_WHAT_IS_OVER: break;
    }
    run.found_done = before;
}

static void compare_list(struct asker *asker, int peer) {
    static const Gate__V1__Ask__State states[] = {
        0, GATE__V1__ASK__STATE__STATE_WAITING, GATE__V1__ASK__STATE__STATE_ALLOWED, GATE__V1__ASK__STATE__STATE_REFUSED};
    struct actor *actor = &asker->actor;
    const Gate__V1__ListAsksResponse *asks = list(asker, peer);
    unsigned listed = 0;
    for (size_t i = 0; i < asks->n_asks; i++) listed += asks->asks[i]->uid == own(asker);
    compare(actor, "how many asks there are", listed, KEPT - count_of(asker, NO_ASK));
    if (peer == OWN) compare(actor, "how many asks a child sees", (int64_t)asks->n_asks, listed);
    for (int i = 0; i < KEPT; i++) {
        struct waiting *ask = &asker->asks[i];
        if (ask->state == NO_ASK) continue;
        const Gate__V1__Ask *found = with_details(asker, asks, ask->details);
        if (!found) broken("what %s asked for is gone: %s", asker->name, ask->details);
        compare(actor, "the number of an ask", (int64_t)found->number, (int64_t)ask->number);
        compare(actor, "the state of an ask", found->state, states[ask->state]);
        if (strcmp(found->person, asker->name) != 0 || strcmp(found->title, title) != 0) broken("an ask of somebody else");
        if (ask->state == ALLOWED && strcmp(found->choice, choice_name(ask->choice)) != 0)
            broken("ask %lu was allowed for %s, and not for %s", (unsigned long)ask->number, choice_name(ask->choice), found->choice);
        if (found->ends_unix_milliseconds < ask->ends_least || found->ends_unix_milliseconds > ask->ends_most)
            broken("an ask ends at another time: %s", ask->details);
        // From now on it is known exactly.
        ask->ends_least = ask->ends_most = found->ends_unix_milliseconds;
    }
}

static void check(struct actor *actor) {
    struct asker *asker = (struct asker *)actor;
    if (asker->users == 0) return;
    if (actor->is_busy) resolve(asker);
    compare_list(asker, ADMINISTRATOR);
    compare_list(asker, OWN);
}

// The person gets the next user. With that all asks of the user before are over.
static void take_next_user(struct asker *asker) {
    struct actor *actor = &asker->actor;
    if (!are_users_apart() || asker->users == USERS) return;
    for (int i = 0; i < KEPT; i++) {
        struct waiting *ask = &asker->asks[i];
        if (ask->state == ALLOWED)
            expect_entry(ENTRY(REVOKED), administrator(asker), "%s, user %u", gate, (unsigned)own(asker));
        else if (ask->state != NO_ASK) expect_ask_entry(asker, ENTRY(WITHDRAWN), administrator(asker), ask, "");
        asker->place = (unsigned)i;
        if (ask->state != NO_ASK) is_over(asker);
    }
    *asker->used = 0;
    asker->users++;
    actor->user++;
    char user_name[32];
    snprintf(user_name, sizeof user_name, "user%u", (unsigned)own(asker));
    Gate__V1__UnixUser unix_user = GATE__V1__UNIX_USER__INIT;
    Gate__V1__Child child = GATE__V1__CHILD__INIT;
    Gate__V1__Person person = GATE__V1__PERSON__INIT;
    Gate__V1__SetPersonRequest request = GATE__V1__SET_PERSON_REQUEST__INIT;
    unix_user.name = user_name;
    person.name = asker->name;
    person.user = &unix_user;
    person.kind_case = GATE__V1__PERSON__KIND_CHILD;
    person.child = &child;
    request.person = &person;
    ask(&actor->peers[ADMINISTRATOR], &gate__v1__people__descriptor, "SetPerson", &request.base);
    expect_entry(ENTRY(PERSON_SET), administrator(asker), "%s, child, user %s", asker->name, user_name);
    if (!connect_peer(&actor->peers[OWN], own(asker))) broken("%s is refused", asker->name);
}

static void attempt(struct actor *actor) {
    struct asker *asker = (struct asker *)actor;
    for (unsigned i = 0; i < OVER && i < asker->over_count; i++) {
        Gate__V1__AnswerAskRequest request = answer_to(asker->over[i], true, some_choice());
        const struct answer *answer =
            call_now(&actor->peers[ADMINISTRATOR], &gate__v1__authorization__descriptor, "AnswerAsk", &request.base);
        if (answer->reason != REASON(UNKNOWN)) broken("ask %lu, which is over, is answered", (unsigned long)asker->over[i]);
        run.refusals++;
    }
    if (asker->users == 0 || asker->asked[asker->users] >= MOST_OF_DAY - below(10)) take_next_user(asker);
}

static void expect_rows(struct actor *actor) {
    struct asker *asker = (struct asker *)actor;
    if (asker->users == 0) return;
    unsigned uid = (unsigned)own(asker);
    expect_row("account %s child", asker->name);
    for (int i = 0; i < KEPT; i++) {
        const struct waiting *ask = &asker->asks[i];
        unsigned long number = (unsigned long)ask->number;
        if (ask->state == ALLOWED) expect_row("ask_answer %lu %u %s: %s", number, uid, gate, ask->details);
        else if (ask->state != NO_ASK)
            expect_row("ask %lu %u %s: %s %s", number, uid, gate, ask->details, ask->state == WAITING ? "waiting" : "refused");
    }
    for (unsigned i = 1; i <= asker->users; i++) {
        unsigned over = asker->asked[i];
        if (i == asker->users) over -= count_of(asker, WAITING) + count_of(asker, REFUSED);
        if (over > 0) expect_row("%u asks of %u are over", over, uid - (asker->users - i));
    }
}

static const struct subject subject = {"asker", act, check, attempt, expect_rows};

struct actor *new_asker(unsigned number, unsigned index) {
    struct asker *asker = (struct asker *)begin_actor(sizeof *asker, &subject, number);
    snprintf(asker->name, sizeof asker->name, "asker %u", number);
    // The first user is the one after this, which nobody else has.
    asker->actor.user = FIRST_ASKING_USER + index * (USERS + 1);
    return &asker->actor;
}
