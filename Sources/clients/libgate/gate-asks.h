/* gate-asks.h: asks, which are requests that wait for a grown-up's answer, schedules, and the time that people use. It is a part of gate.h,
 * which includes it, and the rules at the top of gate.h hold here too.
 *
 * ASKING. gate_authorize() and gate_request_grant() take the flag GATE_MAY_WAIT: the program can wait for the answer longer than the call
 * lasts. If the policy also lets the question wait (`may-wait`), and no grown-up answers in time, the call fails with GATE_REASON_ASKED.
 * That is no refusal: the question waits, even after the program has ended or the device was turned off. Make the same request again later,
 * with exactly the same details: it is granted, refused with GATE_REASON_REFUSED, or still waits. Nobody is shown the question a second
 * time. Only the own users of people on the list can have questions that wait; for others the flag changes nothing. A daemon without the
 * capability "asks" refuses it with GATE_UNIMPLEMENTED. */
#ifndef GATE_ASKS_H
#define GATE_ASKS_H

#include "gate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MARK: asks */

/* Whether the error of a request says that it was asked, and not answered yet. If so, stores the number of the ask, and when it stops
 * waiting, in milliseconds since 1970; 0: the daemon does not tell. Both pointers may be NULL, and so may `error`. */
bool gate_error_is_asked(const gate_error *error, uint64_t *ask, int64_t *until_unix_ms);

/* Does the same as gate_authorize() with GATE_MAY_WAIT, and waits. Only presenters of the device show the questions. Returns 0 if it was
 * granted. Pass gate_get_error() to gate_error_is_asked() to tell a question that waits from a refusal. */
int gate_authorize_or_ask_sync(gate *gate, const char *gated_action, const char *details);

/* WAITING: nobody has answered yet. ALLOWED: a grown-up said yes, and it holds: it was not used yet, or can be used again. REFUSED: a
 * grown-up said no. CLOSED: it is over, and only listed because another device has refused the answer that was given on this one; `refusal`
 * says why. */
enum gate_ask_state { GATE_ASK_UNSPECIFIED = 0, GATE_ASK_WAITING = 1, GATE_ASK_ALLOWED = 2, GATE_ASK_REFUSED = 3, GATE_ASK_CLOSED = 4 };

typedef struct gate_ask {
    uint64_t number;            /* as people type it */
    int state;                  /* enum gate_ask_state; UNSPECIFIED: one that this version does not know */
    int64_t until_unix_ms;      /* when the state ends by itself, in milliseconds since 1970; 0: the yes holds until it is taken back */
    uid_t uid;                  /* the user who asks; 0, and nobody's here, if `device` is not empty */
    const char *person;         /* the person on the list whose user that is */
    const char *gated_action, *title;
    const gate_text *const *titles;
    const char *details;        /* the words of the program that asked, unchanged. Show them apart from yours, on a marked line */
    const char *device;         /* the device of the household on which it was asked; empty: this one */
    const char *const *choices; /* what a yes can be worth: "once", "today", "always", "this-site", or an amount of time like "30m" */
    const char *choice;         /* the choice that was made with the yes; empty unless it is ALLOWED */
    bool is_more_time;          /* it asks for more time; `details` is then how much the person would like, or empty */
    bool is_until_tomorrow;     /* a grown-up said "not until tomorrow": until then the person can ask for nothing of this gated action */
    const char *refusal;        /* why the other device has not taken the answer that was given on this one; empty: it has refused none */
} gate_ask;

typedef void (*gate_asks_handler)(gate *gate, const gate_ask *const *asks, const gate_error *error, void *userdata);

/* Lists the asks that wait or were answered, by number: all of them for presenters of grown-ups and for administrators, and only their own
 * for everybody else. */
int gate_list_asks(gate *gate, gate_asks_handler handler, void *userdata, uint64_t *number);

enum gate_ask_answer { GATE_ANSWER_NO = 0, GATE_ANSWER_YES = 1 };

/* Answers an ask (enum gate_ask_answer). For presenters of grown-ups, and for administrators. If the program that asked still waits, it
 * gets the answer at once. YES allows what was asked for to all programs of the person's user, as far as `choice` says, which is one of the
 * ask's `choices`; NULL: the first of them. NO also takes back a yes as long as it holds. With the choice "until-tomorrow", it refuses
 * everything that the person asks of the gated action until the next day begins; it has no other choice. GATE_NOT_FOUND: the ask is over,
 * or already has this answer. GATE_INVALID_ARGUMENT: the choice is not offered. */
int gate_answer_ask(gate *gate, uint64_t ask, int answer, const char *choice, gate_done_handler handler, void *userdata, uint64_t *number);

/* Takes an ask back, or the yes to it that holds. For the person who asked, and for administrators. GATE_NOT_FOUND: the ask is over,
 * was refused, or is not listed for this user. */
int gate_withdraw_ask(gate *gate, uint64_t ask, gate_done_handler handler, void *userdata, uint64_t *number);

/* Asks a grown-up for more time for a gated action whose schedule is closed, or whose allowance is used up, where the policy offers it. The
 * handler gets a list with one ask, whose state says how it stands: it waits, at most until the day ends; or a grown-up has allowed time
 * until `until_unix_ms`; or has refused it. The same call finds the ask again; in the last five minutes of a yes it makes a new one.
 * `choice` is how much the person would like, like "15m" or "today"; NULL: a grown-up decides. GATE_FAILED_PRECONDITION: the policy offers
 * no more time there (GATE_REASON_NOT_SET_UP), or nobody on the list of people has this user. GATE_INVALID_ARGUMENT: it does not offer this
 * amount. */
int gate_ask_more_time(gate *gate, const char *gated_action, const char *choice, gate_asks_handler handler, void *userdata, uint64_t *number);

/* The asks that gate_list_asks() would list, by the watch of GATE_TOPIC_ASKS. None without a daemon. */
const gate_ask *const *gate_get_asks(const gate *gate);

/* MARK: schedules */

/* A schedule of the policy that gated actions name. */
typedef struct gate_schedule {
    const char *name;
    bool is_open;
    int64_t until_unix_ms;      /* when it closes or opens next, in milliseconds since 1970; 0: not within two weeks */
} gate_schedule;

/* The state of GATE_TOPIC_SCHEDULES, by name. The list is empty, and no schedule is open, without a daemon, and from the time at which the
 * first of them closes until the daemon has reported which are open then. */
const gate_schedule *const *gate_get_schedules(const gate *gate);
bool gate_is_schedule_open(const gate *gate, const char *name);

/* MARK: time that is used */

/* How much time is left for what is used. */
typedef struct gate_use {
    bool is_limited;            /* whether something limits the time */
    bool is_over;               /* the time is over, or a schedule has closed: the program should end now */
    uint64_t left_ms;           /* how much is left, in milliseconds, when the daemon sends this; 0 if nothing limits it */
} gate_use;

/* Gets each message of the daemon: at once, when five minutes, one minute or no time is left, and whenever the time in the last message is
 * not right any more. With an error, `use` is NULL and the counting has ended. */
typedef void (*gate_use_handler)(gate *gate, const gate_use *use, const gate_error *error, void *userdata);

/* Counts the time that the gated action is used, for the person whose own user this process is, until gate_cancel(). The kernel attests the
 * effective user at the moment when the handle connects. `details` are those of the authorization; NULL: none. If a grown-up's yes to exactly
 * these allows it for a while, the time is over when the yes ends. Time that goes on after its end counts, too, and a yes to more time reaches
 * the open count. The library does not open it again: it ends with the connection (GATE_UNAVAILABLE), and nothing is counted until
 * the program calls this again. GATE_FAILED_PRECONDITION: there is no time now (GATE_REASON_OUT_OF_HOURS), nobody on the list of people has
 * this user (GATE_REASON_NOT_SET_UP), or the policy does not name the gated action (GATE_REASON_DENIED). */
int gate_count_use(gate *gate, const char *gated_action, const char *details, gate_use_handler handler, void *userdata, uint64_t *number);

#ifdef __cplusplus
}
#endif
#endif
