/* gate.h: Gate for programs in C and C++. Is a child or a grown-up in charge of this device? May this be done, now?
 *
 * A handle, `gate`, fits into the program's own event loop, as in sd-bus. The library starts no thread, installs no signal handler, has
 * no state outside of its handles, prints nothing and never ends the program. docs/libgate.md is an introduction.
 *
 * LOOP. Poll gate_get_fd() for gate_get_events() until gate_get_timeout(), then call gate_process() until it returns 0. Only
 *   gate_process() calls handlers. gate-glib.h does all this for a GMainLoop.
 * BLOCKING. Only functions whose names end in _sync wait. They never call handlers; the next gate_process() tells what came meanwhile.
 * OWNERSHIP. Arguments are copied before the function returns. What a handler gets belongs to the library, and is valid until the handler
 *   returns; what a getter returns is valid until the next gate_process() or _sync call. You free only the handle. Lists of pointers end
 *   with NULL. Strings are UTF-8 and never NULL. Structures may grow at their ends in later versions: don't create any yourself, and copy
 *   their fields instead of the whole.
 * FAILURES. Functions return 0, or a negative errno for a mistake of the program: -EINVAL (an argument), -ENOMEM, -EMSGSIZE (larger than a
 *   frame), -EAGAIN (256 calls are open, or too many bytes wait to be sent), -ENOENT (there is no such call, presentation or form, or it
 *   has ended), -EBUSY (not possible now: see the function), -ECHILD (this process is a fork of the handle's), -EPERM (the handle is
 *   another thread's). If the daemon refuses or can't be reached, handlers get a gate_error; _sync functions return its code, which is
 *   positive, and gate_get_error() returns the rest.
 * TRUST. The library only trusts a daemon of root's or of the user gate (see gate_set_server_uid), and in a sandbox the user's gate-portal.
 * FAIL CLOSED. While there is no daemon, until the library has caught up with it, and after each deadline, the mode is child, nobody is
 *   signed in and nothing is paid for. Calls that are open when the daemon is lost fail with GATE_UNAVAILABLE: treat them as refused. The
 *   library reconnects by itself, after at most 10 ms at first and at most a second later.
 * THREADS, FORKS. A handle belongs to the thread that made it. In other threads, and after a fork in the child, getters return child mode;
 *   gate_free() may be called after a fork in both processes. exec closes the handle's descriptors. */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gate gate;

/* MARK: errors */

/* The kind of an error, with gRPC's numbers. docs/wire.md says what a program should do about each that the daemon sends. */
enum gate_code {
    GATE_OK = 0, GATE_CANCELLED = 1, GATE_UNKNOWN = 2, GATE_INVALID_ARGUMENT = 3, GATE_DEADLINE_EXCEEDED = 4, GATE_NOT_FOUND = 5,
    GATE_ALREADY_EXISTS = 6, GATE_PERMISSION_DENIED = 7, GATE_RESOURCE_EXHAUSTED = 8, GATE_FAILED_PRECONDITION = 9, GATE_ABORTED = 10,
    GATE_OUT_OF_RANGE = 11, GATE_UNIMPLEMENTED = 12, GATE_INTERNAL = 13, GATE_UNAVAILABLE = 14, GATE_DATA_LOSS = 15,
    GATE_UNAUTHENTICATED = 16
};

/* Why a call failed, more precisely than the code. A newer daemon may send other numbers: act on the code then. */
enum gate_reason {
    GATE_REASON_UNSPECIFIED = 0, GATE_REASON_INVALID_REQUEST = 1, GATE_REASON_WRONG_ANSWER = 2, GATE_REASON_LOCKED_OUT = 3,
    GATE_REASON_VERIFYING = 4, GATE_REASON_NOT_PARENT = 5, GATE_REASON_NO_PRESENTER = 6, GATE_REASON_DISMISSED = 7,
    GATE_REASON_EXPIRED = 8, GATE_REASON_CLOSED = 9, GATE_REASON_NOT_PERMITTED = 10, GATE_REASON_WRONG_COOKIE = 11,
    GATE_REASON_STORE_FAILED = 12, GATE_REASON_STORE_DAMAGED = 13, GATE_REASON_STOPPING = 14, GATE_REASON_LIMIT = 15,
    GATE_REASON_COMPACTED = 16, GATE_REASON_DENIED = 17, GATE_REASON_REFUSED = 18, GATE_REASON_NOT_SET_UP = 19,
    GATE_REASON_NO_GRANT = 20, GATE_REASON_BAD_POLICY = 21, GATE_REASON_WRONG_PASSWORD = 22, GATE_REASON_AUTHENTICATING = 23,
    GATE_REASON_SIGNED_IN = 24, GATE_REASON_NOT_SIGNED_IN = 25, GATE_REASON_EXISTS = 26, GATE_REASON_UNKNOWN = 27,
    GATE_REASON_NOT_DISMISSIBLE = 28, GATE_REASON_BAD_RECEIPT = 29, GATE_REASON_OUTDATED = 30, GATE_REASON_OTHERS_PURCHASE = 31,
    GATE_REASON_CHANGED_MEANWHILE = 32, GATE_REASON_NOT_ANSWERABLE = 33, GATE_REASON_INCOMPLETE = 34, GATE_REASON_BAD_ANSWER = 35,
    GATE_REASON_BAD_COMMAND = 36, GATE_REASON_NOT_BUILT = 37, GATE_REASON_ENDED_BY_PEER = 38, GATE_REASON_FAILED = 39,
    GATE_REASON_UNMAPPED_SERVER = 40, GATE_REASON_NOT_DAMAGED = 41, GATE_REASON_GUESSES_USED_UP = 42,
    GATE_REASON_ASKED = 43, GATE_REASON_OUT_OF_HOURS = 44
};

/* A value that the message of an error contains, like the `maximum` of a limit. */
typedef struct gate_parameter { const char *name, *value; } gate_parameter;

/* One of the mistakes in a form or a policy: its place (a linkId, or "file:line:column"), the number of its kind in docs/wire.md, and a
 * sentence. */
typedef struct gate_issue { const char *place; int kind; const char *message; } gate_issue;

/* Why a call failed: the daemon has refused it, or can't be reached. */
typedef struct gate_error {
    int code;                /* enum gate_code, never GATE_OK */
    int reason;              /* enum gate_reason */
    const char *message;     /* an English sentence for people: what is wrong, and what to do */
    int64_t retry_after_ms;  /* how long to wait before trying again; 0: waiting does not help */
    const gate_parameter *const *parameters;
    const gate_issue *const *issues;
} gate_error;

/* The value of the parameter of that name; NULL if the error has none. */
const char *gate_error_get_parameter(const gate_error *error, const char *name);

/* MARK: the handle */

/* Makes a handle, and stores it in `made`. It connects when something first needs the daemon. */
int gate_new(gate **made);

/* Ends all calls without calling their handlers, and frees the handle, which may be NULL. Returns NULL. If a handler
 * calls it, the handle is freed when gate_process() returns, and that returns -ESHUTDOWN. */
gate *gate_free(gate *gate);

/* Settings, to be made before any other use of the handle; -EBUSY later. */
int gate_set_socket(gate *gate, const char *path);      /* default: $GATE_SOCKET, unless the program is set-user-ID; else gated's, or gate-portal's in a sandbox */
int gate_set_server_uid(gate *gate, uid_t uid);         /* trust this user and root, instead of gate and root: for a daemon of your own */
int gate_set_program(gate *gate, const char *name);     /* the name that people read when you ask for something; default: the program's file name */
int gate_set_call_timeout(gate *gate, uint64_t usec);   /* for calls that don't wait for a person; default: 10 s; UINT64_MAX: no limit */

/* MARK: the loop */

int gate_get_fd(const gate *gate);                      /* never changes; -EPERM, -ECHILD */
int gate_get_events(const gate *gate);                  /* POLLIN */
/* When to call gate_process() at the latest, in microseconds of CLOCK_MONOTONIC. 0: at once. UINT64_MAX: only when
 * the descriptor is ready. */
int gate_get_timeout(const gate *gate, uint64_t *usec);
/* Reads, writes, and calls handlers. Returns 1 if it did something, so call it again; 0 if there was nothing to do; -EBUSY in a handler. */
int gate_process(gate *gate);
/* Waits until gate_process() has something to do, for at most `usec` (UINT64_MAX: no limit). Returns 1, or 0 if nothing happened. */
int gate_wait_sync(gate *gate, uint64_t usec);
/* The error of the last _sync call; NULL if it returned no code. */
const gate_error *gate_get_error(const gate *gate);

/* MARK: watching */

/* The modes: who is in charge of the device. VERIFYING: a child is, and a question for parent mode is open. */
enum gate_mode { GATE_MODE_CHILD = 0, GATE_MODE_VERIFYING = 1, GATE_MODE_PARENT = 2 };

enum gate_topic {
    GATE_TOPIC_MODE = 1, GATE_TOPIC_SIGN_IN = 2, GATE_TOPIC_ENTITLEMENTS = 4,
    GATE_TOPIC_PRESENTATIONS = 8, /* this program's own; all of them for presenters and administrators */
    GATE_TOPIC_FORMS = 16,        /* the drafts that this program may change */
    GATE_TOPIC_ASKS = 32, GATE_TOPIC_SCHEDULES = 64 /* see gate-asks.h */
};

enum gate_event {
    GATE_EVENT_SNAPSHOT = 1, /* the whole state was replaced */
    GATE_EVENT_CHANGE = 2,   /* the topics in `changed` have changed */
    GATE_EVENT_RESUMED = 3,  /* the daemon is back, and the earlier state counts again, with the changes since */
    GATE_EVENT_LOST = 4      /* the daemon is out of reach, so the mode is child; told once for each loss, and if it was never reached */
};

typedef struct gate_update {
    int event;                  /* enum gate_event */
    unsigned changed;           /* the topics to read again */
    uint64_t epoch, number;     /* the revision of this state */
    const gate_error *error;    /* why the daemon is lost; NULL for other events */
} gate_update;

typedef void (*gate_watch_handler)(gate *gate, const gate_update *update, void *userdata);

/* Follows these topics (bits of enum gate_topic) from now on, and reconnects by itself. Several changes may come as
 * one event; the getters return the newest state. The handler may be NULL. A handle has at most one watch: -EBUSY. */
int gate_watch(gate *gate, unsigned topics, gate_watch_handler handler, void *userdata);

/* Who is signed in: the account's name, whether it is a child's, and when the session ends if it is not used before. */
typedef struct gate_session { const char *name; bool is_child; int64_t deadline_boottime_ns; } gate_session;

typedef struct gate_text { const char *language /* BCP 47 */, *text; } gate_text;

typedef struct gate_entitlement {
    const char *name, *title;
    bool is_active;
    int64_t until_unix_ms;      /* when `is_active` changes by itself; 0: never */
    const gate_text *const *titles;
} gate_entitlement;

typedef struct gate_summary {
    uint64_t id;
    int purpose, kind, stage;
    int64_t deadline_boottime_ns; /* INT64_MAX: only the state closes it */
    uint32_t restore_count;
} gate_summary;

/* A draft of a form, without its answers. `name`, `draft_id` and the holder identify it. */
typedef struct gate_draft {
    const char *name;
    uint64_t draft_id, revision;
    const char *label;
    const char *account;        /* the holder; empty: the user `uid` */
    uid_t uid;
    int64_t opened_unix_ms;
} gate_draft;

/* The state of the watched topics. The getters compare deadlines with the clock: after a deadline they return child
 * mode, nobody signed in, and nothing paid for. */
bool gate_is_current(const gate *gate);                 /* the library has caught up with the daemon, and no deadline has passed */
int gate_get_mode(const gate *gate);                    /* enum gate_mode; child in other threads, and in the child of a fork */
int64_t gate_get_mode_deadline(const gate *gate);       /* in nanoseconds of CLOCK_BOOTTIME; 0: none */
const gate_session *gate_get_session(const gate *gate); /* NULL if nobody is signed in */
bool gate_needs_sign_in(const gate *gate);              /* whether the policy requires a sign-in, and nobody is signed in */
bool gate_is_subscription_active(const gate *gate);     /* whether the paywall's entitlement is active */
bool gate_is_entitled(const gate *gate, const char *name);
const gate_entitlement *const *gate_get_entitlements(const gate *gate);
const gate_summary *const *gate_get_presentations(const gate *gate);
const gate_draft *const *gate_get_drafts(const gate *gate);

/* MARK: calls. The call's number, for gate_cancel(), is stored in `number`, which may be NULL. Handlers may be NULL too. */

/* Called when a call has ended. `error` is NULL if it succeeded. */
typedef void (*gate_done_handler)(gate *gate, const gate_error *error, void *userdata);
/* Gets the mode, and when it ends by itself, in nanoseconds of CLOCK_BOOTTIME; 0: it does not. */
typedef void (*gate_mode_handler)(gate *gate, int mode, int64_t deadline_boottime_ns, const gate_error *error, void *userdata);

/* Cancels a call: its question is removed from the screen, and its handler is not called any more. -ENOENT if the
 * call has ended. */
int gate_cancel(gate *gate, uint64_t number);

/* Which program shows the presentations of a request. Without flags a presenter of the device does; if none can, the
 * request fails with GATE_REASON_NO_PRESENTER. */
enum gate_flags {
    GATE_PRESENTS_IF_NEEDED = 1, /* this program, if no presenter can: see gate_set_screen */
    GATE_PRESENTS_ITSELF = 2,    /* this program in any case */
    GATE_MAY_WAIT = 4            /* for gate_authorize() and gate_request_grant(): see ASKING in gate-asks.h */
};

/* Asks the daemon for the mode. A program that follows GATE_TOPIC_MODE does not need this. */
int gate_query_mode(gate *gate, gate_mode_handler handler, void *userdata, uint64_t *number);
/* In parent mode, sets child mode at once. In child mode, asks a question and enters parent mode. The handler gets
 * the mode afterwards. */
int gate_toggle(gate *gate, unsigned flags, gate_mode_handler handler, void *userdata, uint64_t *number);
/* Sets the end of parent mode to `ms` milliseconds from now (0: the policy's usual length), after a question. */
int gate_extend(gate *gate, int64_t ms, unsigned flags, gate_mode_handler handler, void *userdata, uint64_t *number);
/* Sets child mode at once. A user who did not enter parent mode may do that three times, then once an hour:
 * GATE_REASON_LIMIT. */
int gate_lock(gate *gate, gate_mode_handler handler, void *userdata, uint64_t *number);
/* Withdraws the question for parent mode that was asked over this handle. */
int gate_cancel_verifying(gate *gate, gate_mode_handler handler, void *userdata, uint64_t *number);
/* Sets the mode without a question. For administrators. `ms` as in gate_extend(); 0 for child mode. `reason`, which
 * must not be empty, is written to the journal. */
int gate_override_mode(gate *gate, int mode, int64_t ms, const char *reason, gate_mode_handler handler, void *userdata, uint64_t *number);

/* MARK: gated actions */

enum gate_outcome { GATE_OUTCOME_DENIED = 0, GATE_OUTCOME_GRANTED = 1, GATE_OUTCOME_PERSON_NEEDED = 2 };
enum gate_need {
    GATE_NEED_NOTHING = 0, GATE_NEED_PARENT_MODE = 1, GATE_NEED_CHALLENGE = 2, GATE_NEED_SIGN_IN = 3, GATE_NEED_ENTITLEMENT = 4,
    GATE_NEED_FORM = 5, GATE_NEED_WAIT = 6
};

typedef struct gate_outlook {
    int outcome;                /* enum gate_outcome */
    const char *explanation;    /* an English sentence */
    int need;                   /* enum gate_need: what has to happen first */
    int challenge;              /* enum gate_kind, for GATE_NEED_CHALLENGE */
    const char *name, *title;   /* the entitlement or the form that is needed */
    const gate_error *refusal;  /* the error with which gate_authorize() would fail at once; NULL: none */
} gate_outlook;

typedef struct gate_grant {
    const void *proof;          /* a secret for the redeemer */
    size_t proof_size;
    int64_t deadline_boottime_ns;
} gate_grant;

typedef void (*gate_outlook_handler)(gate *gate, const gate_outlook *outlook, const gate_error *error, void *userdata);
typedef void (*gate_grant_handler)(gate *gate, const gate_grant *grant, const gate_error *error, void *userdata);
/* Gets the user and the process that requested the grant. */
typedef void (*gate_requester_handler)(gate *gate, uid_t uid, pid_t pid, const gate_error *error, void *userdata);

/* Tells whether an authorization would be granted now, and what it needs. Shows nothing and changes nothing. */
int gate_check(gate *gate, const char *gated_action, gate_outlook_handler handler, void *userdata, uint64_t *number);
/* Does the same and waits. Stores an enum gate_outcome. */
int gate_check_sync(gate *gate, const char *gated_action, int *outcome);
/* Asks every question that the policy requires, and redeems the grant. If the handler's `error` is NULL, do in the
 * handler exactly what `details` says, like the URL, the command line or the amount: one line of at most 4,096 bytes. */
int gate_authorize(gate *gate, const char *gated_action, const char *details, unsigned flags, gate_done_handler handler, void *userdata,
    uint64_t *number);
/* Does the same and waits. Only presenters of the device show the questions. Returns 0 if it was granted. */
int gate_authorize_sync(gate *gate, const char *gated_action, const char *details);
/* Asks for a grant that a process of the user `redeemer`, which owns the resource, redeems. The grant ends with this
 * handle's connection, at the latest. */
int gate_request_grant(gate *gate, const char *gated_action, const char *details, uid_t redeemer, unsigned flags,
    gate_grant_handler handler, void *userdata, uint64_t *number);
/* Redeems a grant whose proof another process has handed over, for exactly what this program is about to do. */
int gate_redeem(gate *gate, const void *proof, size_t size, const char *gated_action, const char *details,
    gate_requester_handler handler, void *userdata, uint64_t *number);

/* MARK: signing in, paying */

typedef void (*gate_session_handler)(gate *gate, const gate_session *session, const gate_error *error, void *userdata);

/* Signs a person in. The library wipes its copy of the password when it has been sent. */
int gate_log_in(gate *gate, const char *name, const void *password, size_t size, gate_session_handler handler, void *userdata,
    uint64_t *number);
/* Signs out the account that is signed in, if any. */
int gate_log_out(gate *gate, gate_done_handler handler, void *userdata, uint64_t *number);
/* Shows a paywall unless the entitlement is active. If the handler's `error` is NULL, it is active. `entitlement`
 * may be NULL: the one that the policy puts behind the paywall. */
int gate_require_premium(gate *gate, const char *entitlement, unsigned flags, gate_done_handler handler, void *userdata,
    uint64_t *number);

/* MARK: presenting */

enum gate_kind {
    GATE_KIND_UNSPECIFIED = 0, GATE_KIND_ARITHMETIC_CHOICE = 1, GATE_KIND_ARITHMETIC_ENTRY = 2, GATE_KIND_SHAPES = 3, GATE_KIND_QUIZ = 4,
    GATE_KIND_CONFIRM = 5, GATE_KIND_BIRTHDATE = 6, GATE_KIND_PASSCODE = 7, GATE_KIND_TOTP = 8, GATE_KIND_HOLD = 9, GATE_KIND_SWIPE = 10,
    GATE_KIND_SIGN_IN = 11, GATE_KIND_PAYWALL = 12, GATE_KIND_FORM = 13, GATE_KIND_WHATS_NEW = 14
};
enum gate_purpose {
    GATE_PURPOSE_UNSPECIFIED = 0, GATE_PURPOSE_ENTER_PARENT_MODE = 1, GATE_PURPOSE_EXTEND_PARENT_MODE = 2, GATE_PURPOSE_AUTHORIZE = 3,
    GATE_PURPOSE_SIGN_IN = 4, GATE_PURPOSE_PAY = 5, GATE_PURPOSE_FILL_FORM = 6, GATE_PURPOSE_WHATS_NEW = 7
};
enum gate_style { GATE_STYLE_SHEET = 1, GATE_STYLE_COVER = 2 };
enum gate_operation { GATE_PLUS = 1, GATE_MINUS = 2, GATE_TIMES = 3, GATE_DIVIDED_BY = 4 };
enum gate_form_of_shape { GATE_CIRCLE = 1, GATE_TRIANGLE = 2, GATE_SQUARE = 3, GATE_PENTAGON = 4, GATE_HEXAGON = 5 };
enum gate_calendar { GATE_GREGORIAN = 1, GATE_BUDDHIST = 2, GATE_MINGUO = 3 };
enum gate_direction { GATE_UP = 1, GATE_DOWN = 2, GATE_LEFT = 3, GATE_RIGHT = 4 };
enum gate_input { GATE_INPUT_SHOWN = 1, GATE_INPUT_PRESSED = 2, GATE_INPUT_RESTORE = 3 };

typedef struct gate_shape { int form /* enum gate_form_of_shape */, colour /* 1 red, 2 yellow, 3 green, 4 blue */; } gate_shape;
typedef struct gate_quiz { const char *language, *question; const char *const *choices; } gate_quiz;
typedef struct gate_offer { const char *product; const gate_text *const *titles; const char *period, *price, *url; } gate_offer;
typedef struct gate_feature { const char *title, *subtitle; const gate_text *const *titles, *const *subtitles; } gate_feature;

/* Something to show to a person until the gate_close_handler is called. Show which program asks, and for what.
 * Fields that the kind does not use are 0, NULL or empty. */
typedef struct gate_presentation {
    uint64_t id;
    int purpose, kind, style;   /* enum gate_purpose, gate_kind, gate_style */
    bool is_dismissible;        /* whether the person may close it */
    int64_t deadline_boottime_ns; /* INT64_MAX: only the state closes it */
    uid_t uid;                  /* the user of the process that asks, as the kernel attests */
    pid_t pid;
    const char *program;        /* the process's own name: show it as unverified */
    bool has_broker;            /* a broker asks for that process: show the broker's user, too */
    uid_t broker_uid;
    const char *broker;         /* the broker's own name */
    const char *gated_action, *action_title;
    const char *details;        /* with a gated action: the words of the program that asks, unchanged. Show them apart from yours, on a marked line */
    int64_t duration_ms;        /* the length of the lease, if a longer one is requested */
    const gate_text *const *action_titles, *const *details_in_languages;

    uint32_t left, right;       /* arithmetic: left operation right = ? */
    int operation;              /* enum gate_operation, for shapes too: how many corners? */
    const uint32_t *choices;    /* arithmetic-choice, shapes: the answer is one of them, in decimal digits */
    size_t choice_count;
    const gate_shape *const *left_shapes, *const *right_shapes;
    const gate_quiz *const *quiz; /* one for each language; the answer is the number of the choice, from 1 */
    int calendar;               /* birthdate: enum gate_calendar; the answer is YYYY-MM-DD */
    int64_t hold_ms;            /* hold: report GATE_INPUT_PRESSED, then gate_answer_released() */
    int direction;              /* swipe */
    uint32_t fingers;
    const char *name, *title;   /* the entitlement, the form, or the app whose news it is (then `version` too) */
    const gate_text *const *titles;
    const char *version;
    bool is_for_grown_ups;      /* whether only a grown-up may complete the form */
    const gate_offer *const *offers;
    const gate_feature *const *features;
    const char *primary, *secondary, *secondary_url; /* the buttons of news; `secondary` is empty if there is only one */
    bool is_apps_own;           /* the app brought the form or the news along: tell people so, and let them enter no secret */
    const char *device;         /* the device of the household that asks: show it instead of uid, pid and broker; "": this one. It has written
                                   the title and the details; leave its details out for parent mode */
} gate_presentation;

/* Shows a presentation. If `refusal` is not NULL, the presentation is on the screen already, and `refusal` says why
 * the last answer was not valid. */
typedef void (*gate_show_handler)(gate *gate, const gate_presentation *presentation, const gate_error *refusal, void *userdata);
/* Removes a presentation from the screen. Called once for each presentation that was shown, before a presenter gets
 * the next one. */
typedef void (*gate_close_handler)(gate *gate, uint64_t id, void *userdata);

/* Sets how this program shows presentations, as a requester and as a presenter. NULL: it can't show any. -EBUSY
 * while a presentation is open, or while the program is a presenter. */
int gate_set_screen(gate *gate, gate_show_handler show, gate_close_handler close, void *userdata);

/* Makes this program a presenter for these kinds and styles, given as bits: 1u << GATE_KIND_QUIZ | …. The handler is
 * called with NULL when the daemon has accepted the presenter, and with an error when the daemon refuses it or is
 * lost (GATE_UNAVAILABLE; the library continues to try). `has_own_screen`: the presenter has a screen that comes up
 * by itself, so anybody may stand in front of it. -EBUSY if the program is a presenter already.
 * gate_stop_presenting() ends it. */
int gate_start_presenting(gate *gate, unsigned kinds, unsigned styles, bool has_own_screen, gate_done_handler handler, void *userdata);
int gate_stop_presenting(gate *gate);

/* Sends the person's answer to the presentation with this id. -EBUSY while another answer is under way, -ENOENT if
 * the presentation is closed. The result goes to the screen's handlers and to the handler of the request. */
int gate_answer_text(gate *gate, uint64_t id, const char *text);
int gate_answer_secret(gate *gate, uint64_t id, const void *secret, size_t size); /* passcode, totp; wiped */
int gate_answer_released(gate *gate, uint64_t id);
int gate_answer_swipe(gate *gate, uint64_t id, int direction, uint32_t fingers);
int gate_answer_acknowledged(gate *gate, uint64_t id, bool by_secondary);
int gate_dismiss(gate *gate, uint64_t id);
/* Reports what the person does before the answer (enum gate_input). */
int gate_report(gate *gate, uint64_t id, int input, gate_done_handler handler, void *userdata);

/* MARK: other methods, with messages of docs/wire.md that the program encodes */

/* Gets the answer, or the next message of a stream. With an error, the call has failed or the stream has ended; if
 * the daemon ended the stream, the error is GATE_CANCELLED. */
typedef void (*gate_bytes_handler)(gate *gate, const void *bytes, size_t size, const gate_error *error, void *userdata);

/* Calls a method. `usec` limits how long the call may take. 0: as set by gate_set_call_timeout(). UINT64_MAX: no
 * limit. */
int gate_call(gate *gate, const char *service, const char *method, const void *message, size_t size, uint64_t usec,
    gate_bytes_handler handler, void *userdata, uint64_t *number);
/* Does the same and waits. Stores the daemon's answer in `answer`, which belongs to the handle and is valid until
 * the next _sync call. */
int gate_call_sync(gate *gate, const char *service, const char *method, const void *message, size_t size, uint64_t usec,
    const void **answer, size_t *answer_size);
/* Opens a server stream. It ends with the connection; the library does not open it again. */
int gate_stream(gate *gate, const char *service, const char *method, const void *message, size_t size, gate_bytes_handler handler,
    void *userdata, uint64_t *number);

#ifdef __cplusplus
}
#endif

#include "gate-forms.h" /* forms, and the news of apps */
#include "gate-people.h" /* people, what stands before gated actions, the age range */
#include "gate-asks.h" /* requests that wait for a grown-up's answer, and schedules */
#endif
