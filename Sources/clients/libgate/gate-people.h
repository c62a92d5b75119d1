/* gate-people.h: the list of people, what stands before gated actions, and the age range. It is a part of gate.h, which includes it, and the
 * rules at the top of gate.h hold here too.
 *
 * GRANTS. gate_set_person(), gate_remove_person(), gate_set_gate() and gate_unset_gate() change Gate itself. Administrators may do that.
 * Grown-ups may, too, in the session of their own Unix user: the daemon wants a grant for the gated action gate.change from them. The
 * library requests it, so that a presenter asks for the passcode and shows the change in words, and then makes the change. `flags` as in
 * gate_authorize(). Everybody else is refused with GATE_PERMISSION_DENIED. */
#ifndef GATE_PEOPLE_H
#define GATE_PEOPLE_H

#include "gate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MARK: people */

/* SHARED: no person, but a Unix user whom several people use, and where they sign in. */
enum gate_person_kind { GATE_PERSON_UNSPECIFIED = 0, GATE_PERSON_GROWN_UP = 1, GATE_PERSON_CHILD = 2, GATE_PERSON_SHARED = 3 };

typedef struct gate_person {
    const char *name;           /* one line of 1 to 64 bytes */
    int kind;                   /* enum gate_person_kind; UNSPECIFIED: one that this version does not know */
    const char *born;           /* a child's date of birth, as YYYY-MM-DD; empty: unknown, so the sturdiest questions are asked */
    const char *user;           /* the name of the person's own Unix user; empty: none */
    uid_t uid;                  /* the number of that user; (uid_t)-1: none */
    bool has_password;          /* whether the person can sign in */
    bool is_unconfirmed;        /* registered, or given a password, in parent mode: the age does not count until an administrator confirms it */
    bool is_user_unknown;       /* the user database has no such user with this number, so Gate does not recognize the person */
} gate_person;

typedef void (*gate_people_handler)(gate *gate, const gate_person *const *people, const gate_error *error, void *userdata);

/* Lists all people, by name. For administrators and for grown-ups with a Unix user of their own; for everyone in parent mode. There is no
 * topic for people: list them again after a change. */
int gate_list_people(gate *gate, gate_people_handler handler, void *userdata, uint64_t *number);

/* Puts a person on the list, or replaces everything about the person of this name except the password. Somebody who is unconfirmed loses
 * it and is signed out, since nobody can say who chose it. Needs a grant: see GRANTS.
 *   `born`  YYYY-MM-DD; NULL: unknown. Only for children: -EINVAL for others.
 *   `user`  the name of the person's own Unix user; NULL: none.
 * GATE_INVALID_ARGUMENT: the name or the date is not possible, the device has no such user, or it is the system's own or somebody else's.
 * GATE_FAILED_PRECONDITION with GATE_REASON_EXISTS: somebody has this name in another spelling. GATE_RESOURCE_EXHAUSTED: the list is full. */
int gate_set_person(gate *gate, const char *name, int kind, const char *born, const char *user, unsigned flags, gate_done_handler handler,
    void *userdata, uint64_t *number);

/* Removes a person with their purchases and forms, and signs them out. Needs a grant: see GRANTS; in parent mode everyone may remove
 * children who have no Unix user. GATE_NOT_FOUND: nobody has this name. */
int gate_remove_person(gate *gate, const char *name, unsigned flags, gate_done_handler handler, void *userdata, uint64_t *number);

/* The following three calls take a password of 4 to 128 bytes of UTF-8. The library wipes its copy when it has been sent. The daemon takes
 * a few tenths of a second to hash it. */

/* Puts a grown-up or a child with a password and no Unix user on the list. `born`: YYYY-MM-DD for a child, and NULL for a grown-up. For
 * administrators, and for everyone in parent mode, where the person is unconfirmed. GATE_FAILED_PRECONDITION with GATE_REASON_EXISTS:
 * somebody has this name. */
int gate_register_person(gate *gate, const char *name, int kind, const char *born, const void *password, size_t size,
    gate_done_handler handler, void *userdata, uint64_t *number);

/* Gives a person another password, or a first one. `old` is the present password; a wrong one counts as in gate_log_in(). Administrators
 * may leave it out (NULL). In parent mode everyone may do so for a child without a Unix user, who is unconfirmed from then on. */
int gate_change_password(gate *gate, const char *name, const void *old, size_t old_size, const void *password, size_t size,
    gate_done_handler handler, void *userdata, uint64_t *number);

/* Makes the age of an unconfirmed person count, and gives the person another password, since anybody may know the old one. For
 * administrators. Pass `kind` and `born` as they were listed: GATE_ABORTED with GATE_REASON_CHANGED_MEANWHILE if they have changed. */
int gate_confirm_person(gate *gate, const char *name, int kind, const char *born, const void *password, size_t size,
    gate_done_handler handler, void *userdata, uint64_t *number);

/* MARK: gates */

/* What stands before a gated action. */
typedef struct gate_rule {
    const char *gated_action, *title;
    const gate_text *const *titles;
    const char *requirement;    /* what it requires, as English words for people, like "challenge passcode" */
    int64_t keep_ms;            /* for how long a user is not asked again after a person has answered; 0: asked every time */
    const char *origin;         /* where the policy says so, for people, like "choice of link.open"; empty: the daemon does not tell */
    bool has_odds;              /* whether the daemon tells the following */
    uint32_t guessed_per_million; /* how likely somebody who only guesses gets through within an hour, at the likeliest age */
    bool program_passes;        /* whether a program can work out or click the answer */
    bool is_without_question;   /* there is nothing to guess: a session, a payment or a completed form is enough */
} gate_rule;

typedef void (*gate_gates_handler)(gate *gate, const gate_rule *const *rules, const gate_error *error, void *userdata);

/* Lists what stands before each gated action that the policy names, by name and without odds. For everyone. gate_set_gate() with
 * `only_checks` tells the odds. */
int gate_list_gates(gate *gate, gate_gates_handler handler, void *userdata, uint64_t *number);

/* Gets what stood before a gated action (NULL: the policy did not name it, so it was denied), and what stands there after the change (NULL:
 * it is denied). */
typedef void (*gate_rules_handler)(gate *gate, const gate_rule *before, const gate_rule *after, const gate_error *error, void *userdata);

/* Changes what stands before a gated action, durably. The choice counts more than the shipped defaults, and less than the household's policy
 * and the files in /etc/gate. Needs a grant: see GRANTS.
 *   `requirement`  in the notation of policy files, at most 4,096 bytes, like "{challenge: passcode}". A kind of challenge alone, or
 *                  "parent", is enough.
 *   `keep_ms`      as in gate_rule, in whole seconds.
 *   `title`        what people read; NULL: the title that it has now, or its name.
 *   `only_checks`  only tells what would change. It takes no grant.
 * GATE_FAILED_PRECONDITION with GATE_REASON_BAD_POLICY: the error's `issues` say what is wrong, or its parameter "overruled-by" where the
 * policy says otherwise. */
int gate_set_gate(gate *gate, const char *gated_action, const char *requirement, int64_t keep_ms, const char *title, bool only_checks,
    unsigned flags, gate_rules_handler handler, void *userdata, uint64_t *number);

/* Takes back what was chosen with gate_set_gate(), so that the shipped defaults count again. GATE_NOT_FOUND: nothing was chosen. */
int gate_unset_gate(gate *gate, const char *gated_action, bool only_checks, unsigned flags, gate_rules_handler handler, void *userdata,
    uint64_t *number);

/* MARK: the age range */

/* Who has stated the age of the person. Nobody has checked it. GUARDIAN: a grown-up has, for a child. SELF: the person, who is a
 * grown-up. */
enum gate_age_source { GATE_AGE_SOURCE_UNSPECIFIED = 0, GATE_AGE_SOURCE_GUARDIAN = 1, GATE_AGE_SOURCE_SELF = 2 };

/* How old the person is who uses the program, in full years. Children count as up to a year younger than they are. */
typedef struct gate_age_range {
    bool is_told;               /* false: nothing is told, and everything else here is 0 */
    uint32_t low;               /* at least so many years; 0: no lower bound */
    uint32_t high;              /* at most so many; 0: no upper bound */
    int source;                 /* enum gate_age_source; UNSPECIFIED: one that this version does not know */
} gate_age_range;

typedef void (*gate_age_range_handler)(gate *gate, const gate_age_range *range, const gate_error *error, void *userdata);

/* Asks how old the person is: the one whose own Unix user this process has or, if several people share the user, the one who is signed in.
 * Every program may call this, and no question is shown. The range is one of the device's, like 13 to 15, and changes only on 1 January and
 * on 1 July, so that asking often does not reveal the date of birth.
 *
 * There is no range until a grown-up has turned age ranges on and has allowed this program to get it. Once the program has asked, the
 * grown-up finds it on a list by its name (see gate_set_program()). The answer does not wait for that: ask again when the program starts
 * the next time. The program can't learn why there is no range. Treat that, and an error, as the youngest age that the program knows. */
int gate_query_age_range(gate *gate, gate_age_range_handler handler, void *userdata, uint64_t *number);

/* Does the same, and waits for the daemon's answer. Stores the range in `range` if it returns 0, and nothing otherwise. The range belongs
 * to the library, and is valid until the next _sync call. */
int gate_query_age_range_sync(gate *gate, const gate_age_range **range);

#ifdef __cplusplus
}
#endif
#endif
