/* gate.h: Gate for programs in C and C++. Is a child or a grown-up in charge of this device? May this be done, now?
 *
 * One handle, `gate`, for a loop of your own, in the manner of sd-bus. The library starts no thread, installs no signal handler, keeps
 * nothing outside of its handles, prints nothing and never ends the program. docs/libgate.md is an introduction.
 *
 * LOOP. Poll gate_get_fd() for gate_get_events() until gate_get_timeout(), then call gate_process() until it returns 0. Handlers are
 *   called by gate_process(), and by nothing else. gate-glib.h does all this for a GMainLoop.
 * BLOCKING. Only calls whose names end in _sync wait. They never call handlers; what came meanwhile is told by the next gate_process().
 * OWNERSHIP. What you pass is copied before the call returns. What a handler gets belongs to the library, and is there until the handler
 *   returns; what a getter returns, until the next gate_process() or _sync call. You free nothing but the handle. Lists of pointers end
 *   with NULL; strings are UTF-8 and never NULL. Structures may grow at their ends: make none of your own, and copy fields.
 * FAILURES. Functions return 0, or a negative errno for a mistake of the program: -EINVAL (an argument), -ENOMEM, -EMSGSIZE (larger than a
 *   frame), -EAGAIN (256 calls are open, or too much waits to be sent), -ENOENT (no such call, presentation or form any more), -EBUSY
 *   (not now: see there), -ECHILD (the handle is from before a fork), -EPERM (it is another thread's). What the daemon refuses, and that there
 *   is no daemon, handlers hear as a gate_error; _sync calls return its code, which is positive, and gate_get_error() tells the rest.
 * TRUST. The library believes a daemon of root, or of the user gate (see gate_set_server_uid), and nobody else.
 * FAIL CLOSED. While there is no daemon, until the library has caught up with it, and past each deadline, the mode is child, nobody is
 *   signed in and nothing is paid for. Calls that are open when the daemon is lost fail with GATE_UNAVAILABLE: take them for refused. The
 *   library connects again by itself, after 10 ms at first and a second at most.
 * THREADS, FORKS. A handle belongs to the thread that made it, and to no child of a fork; there the getters tell child mode. Both may
 *   call gate_free(). Its descriptors are closed by exec. */
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

/* What to do, by gRPC's numbers; docs/wire.md has a line for each. */
enum gate_code {
    GATE_OK = 0, GATE_CANCELLED = 1, GATE_UNKNOWN = 2, GATE_INVALID_ARGUMENT = 3, GATE_DEADLINE_EXCEEDED = 4, GATE_NOT_FOUND = 5,
    GATE_ALREADY_EXISTS = 6, GATE_PERMISSION_DENIED = 7, GATE_RESOURCE_EXHAUSTED = 8, GATE_FAILED_PRECONDITION = 9, GATE_ABORTED = 10,
    GATE_OUT_OF_RANGE = 11, GATE_UNIMPLEMENTED = 12, GATE_INTERNAL = 13, GATE_UNAVAILABLE = 14, GATE_DATA_LOSS = 15,
    GATE_UNAUTHENTICATED = 16
};

/* Why, more finely. A newer daemon may tell others: act on the code then. */
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
    GATE_REASON_UNMAPPED_SERVER = 40, GATE_REASON_NOT_DAMAGED = 41, GATE_REASON_GUESSES_USED_UP = 42
};

/* One thing that the sentence of an error names, like the `maximum` of a limit. */
typedef struct gate_parameter { const char *name, *value; } gate_parameter;

/* One mistake of several, in a form or a policy: its place (a linkId of a form, or "file:line:column"), its kind as in docs/wire.md by
 * its number, and a sentence. */
typedef struct gate_issue { const char *place; int kind; const char *message; } gate_issue;

/* A refusal, or that there is no daemon. */
typedef struct gate_error {
    int code;                /* enum gate_code, never GATE_OK */
    int reason;              /* enum gate_reason */
    const char *message;     /* an English sentence for people: what is wrong, and what to do */
    int64_t retry_after_ms;  /* how long to wait before trying again can help; 0: waiting does not help */
    const gate_parameter *const *parameters;
    const gate_issue *const *issues;
} gate_error;

/* The parameter of that name; NULL: the error has no such parameter. */
const char *gate_error_get_parameter(const gate_error *error, const char *name);

/* MARK: the handle */

/* Makes a handle. It connects when something first needs it. */
int gate_new(gate **made);

/* Ends everything, without calling a handler. May be called in a handler: gate_process() returns -ESHUTDOWN then, and the handle is
 * gone. NULL is fine. Returns NULL. */
gate *gate_free(gate *gate);

/* Before anything else is asked of the handle; -EBUSY after. */
int gate_set_socket(gate *gate, const char *path);      /* default: $GATE_SOCKET, not in a set-user-ID program; else /run/gated/gate.sock */
int gate_set_server_uid(gate *gate, uid_t uid);         /* believe this user instead of gate, beside root: for a daemon of your own */
int gate_set_program(gate *gate, const char *name);     /* what people read where you ask for something; default: by what it was started */
int gate_set_call_timeout(gate *gate, uint64_t usec);   /* for calls that wait for no person; default 10 s, UINT64_MAX: none */

/* MARK: the loop */

int gate_get_fd(const gate *gate);                      /* the same for the life of the handle; -EPERM, -ECHILD */
int gate_get_events(const gate *gate);                  /* POLLIN */
/* When to call gate_process() at the latest: microseconds of CLOCK_MONOTONIC; 0: at once; UINT64_MAX: when the descriptor is ready. */
int gate_get_timeout(const gate *gate, uint64_t *usec);
/* Reads, writes, calls handlers. Returns 1: something was done, so call it again; 0: there is nothing to do. -EBUSY in a handler. */
int gate_process(gate *gate);
/* Waits until gate_process() has something to do, or so long (UINT64_MAX: for ever). Returns 1, or 0 after that time. */
int gate_wait_sync(gate *gate, uint64_t usec);
/* Why the last _sync call returned a code; NULL: it did not. */
const gate_error *gate_get_error(const gate *gate);

/* MARK: watching */

enum gate_mode { GATE_MODE_CHILD = 0, GATE_MODE_VERIFYING = 1, GATE_MODE_PARENT = 2 };

enum gate_topic {
    GATE_TOPIC_MODE = 1, GATE_TOPIC_SIGN_IN = 2, GATE_TOPIC_ENTITLEMENTS = 4,
    GATE_TOPIC_PRESENTATIONS = 8, /* those that this program may see: its own, and all for presenters and administrators */
    GATE_TOPIC_FORMS = 16         /* drafts that this program may reach */
};

enum gate_event {
    GATE_EVENT_SNAPSHOT = 1, /* everything is told anew */
    GATE_EVENT_CHANGE = 2,   /* the topics in `changed` */
    GATE_EVENT_RESUMED = 3,  /* the daemon is back, and what was known counts again, with changes in it */
    GATE_EVENT_LOST = 4      /* there is no daemon: child mode. Told once, also where there was none from the beginning */
};

typedef struct gate_update {
    int event;                  /* enum gate_event */
    unsigned changed;           /* the topics to look at */
    uint64_t epoch, number;     /* the revision at which this is true */
    const gate_error *error;    /* why the daemon is lost; NULL with the other events */
} gate_update;

typedef void (*gate_watch_handler)(gate *gate, const gate_update *update, void *userdata);

/* Follows these topics from now on, over as many connections as it takes. Several changes may come as one; the getters tell the
 * newest state. The handler may be NULL. One watch for a handle: -EBUSY. */
int gate_watch(gate *gate, unsigned topics, gate_watch_handler handler, void *userdata);

typedef struct gate_session { const char *name; bool is_child; int64_t deadline_boottime_ns; } gate_session;

typedef struct gate_text { const char *language /* BCP 47 */, *text; } gate_text;

typedef struct gate_entitlement {
    const char *name, *title;
    bool is_active;
    int64_t until_unix_ms;      /* when that changes by itself; 0: never */
    const gate_text *const *titles;
} gate_entitlement;

typedef struct gate_summary {
    uint64_t id;
    int purpose, kind, stage;
    int64_t deadline_boottime_ns; /* INT64_MAX: only the state closes it */
    uint32_t restore_count;
} gate_summary;

/* A draft of a form without its answers. `name` and `draft_id` together say which. */
typedef struct gate_draft {
    const char *name;
    uint64_t draft_id, revision;
    const char *label;
    const char *account;        /* whose it is; empty: the user's `uid` */
    uid_t uid;
    int64_t opened_unix_ms;
} gate_draft;

/* What is true now, as far as it is watched. They look at the clock: past a deadline they say child, nobody, not paid. */
bool gate_is_current(const gate *gate);                 /* caught up with the daemon, and not past a deadline */
int gate_get_mode(const gate *gate);                    /* enum gate_mode; child in another thread, and after a fork */
int64_t gate_get_mode_deadline(const gate *gate);       /* nanoseconds of CLOCK_BOOTTIME; 0: none */
const gate_session *gate_get_session(const gate *gate); /* NULL: nobody is signed in */
bool gate_needs_sign_in(const gate *gate);              /* the policy wants somebody to be signed in, and nobody is */
bool gate_is_subscription_active(const gate *gate);     /* what stands behind the paywall is paid for */
bool gate_is_entitled(const gate *gate, const char *name);
const gate_entitlement *const *gate_get_entitlements(const gate *gate);
const gate_summary *const *gate_get_presentations(const gate *gate);
const gate_draft *const *gate_get_drafts(const gate *gate);

/* MARK: calls. `number` gets the call's number, for gate_cancel(); it may be NULL. Handlers may be NULL too. */

typedef void (*gate_done_handler)(gate *gate, const gate_error *error, void *userdata);
typedef void (*gate_mode_handler)(gate *gate, int mode, int64_t deadline_boottime_ns, const gate_error *error, void *userdata);

/* Takes a call back: its question goes from the screen, and its handler is not called any more. -ENOENT: it has ended. */
int gate_cancel(gate *gate, uint64_t number);

/* How a request is shown that needs a person. By itself a presenter of the device shows it, and without a presenter the request fails
 * with GATE_REASON_NO_PRESENTER. */
enum gate_flags {
    GATE_PRESENTS_IF_NEEDED = 1, /* this program shows it where no presenter can: see gate_set_screen */
    GATE_PRESENTS_ITSELF = 2     /* this program shows it */
};

int gate_query_mode(gate *gate, gate_mode_handler handler, void *userdata, uint64_t *number);
/* Parent mode is left at once; from child mode a question is asked. The handler hears the mode afterwards. */
int gate_toggle(gate *gate, unsigned flags, gate_mode_handler handler, void *userdata, uint64_t *number);
/* Runs parent mode for so long from now on (0: the usual time), after a question. */
int gate_extend(gate *gate, int64_t ms, unsigned flags, gate_mode_handler handler, void *userdata, uint64_t *number);
int gate_lock(gate *gate, gate_mode_handler handler, void *userdata, uint64_t *number);
int gate_cancel_verifying(gate *gate, gate_mode_handler handler, void *userdata, uint64_t *number);
/* For administrators. `reason` is for the journal. */
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
    const char *name, *title;   /* of the entitlement or the form that is needed */
    const gate_error *refusal;  /* what gate_authorize() would say at once; NULL: nothing */
} gate_outlook;

typedef struct gate_grant {
    const void *proof;          /* secret: for the redeemer */
    size_t proof_size;
    int64_t deadline_boottime_ns;
} gate_grant;

typedef void (*gate_outlook_handler)(gate *gate, const gate_outlook *outlook, const gate_error *error, void *userdata);
typedef void (*gate_grant_handler)(gate *gate, const gate_grant *grant, const gate_error *error, void *userdata);
typedef void (*gate_requester_handler)(gate *gate, uid_t uid, pid_t pid, const gate_error *error, void *userdata);

/* How an authorization would go. Shows nothing, changes nothing. */
int gate_check(gate *gate, const char *gated_action, gate_outlook_handler handler, void *userdata, uint64_t *number);
int gate_check_sync(gate *gate, const char *gated_action, int *outcome);
/* Asks the people who have to be asked, and takes the grant. Do it in the handler, if `error` is NULL, and nothing else than `details`
 * says: the URL, the command line, the amount; one line of at most 4,096 bytes. */
int gate_authorize(gate *gate, const char *gated_action, const char *details, unsigned flags, gate_done_handler handler, void *userdata,
    uint64_t *number);
/* The same, shown by the presenters of the device. Returns 0: do it. */
int gate_authorize_sync(gate *gate, const char *gated_action, const char *details);
/* Asks for a grant that a process of this user takes, as the owner of the resource. It dies with this handle's connection. */
int gate_request_grant(gate *gate, const char *gated_action, const char *details, uid_t redeemer, unsigned flags,
    gate_grant_handler handler, void *userdata, uint64_t *number);
/* Takes a grant that another process hands over, for exactly what is about to be done. The handler hears who had asked. */
int gate_redeem(gate *gate, const void *proof, size_t size, const char *gated_action, const char *details,
    gate_requester_handler handler, void *userdata, uint64_t *number);

/* MARK: signing in, paying */

typedef void (*gate_session_handler)(gate *gate, const gate_session *session, const gate_error *error, void *userdata);

/* The password is wiped from the library's memory when it was sent. */
int gate_log_in(gate *gate, const char *name, const void *password, size_t size, gate_session_handler handler, void *userdata,
    uint64_t *number);
int gate_log_out(gate *gate, gate_done_handler handler, void *userdata, uint64_t *number);
/* Shows a paywall, and waits. No error: the entitlement is active. `entitlement` may be NULL: what the policy puts behind the paywall. */
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

/* Something to show to a person, until gate_close_handler is called. Show who asks, and for what. */
typedef struct gate_presentation {
    uint64_t id;
    int purpose, kind, style;   /* enum gate_purpose, gate_kind, gate_style */
    bool is_dismissible;        /* whether the person may close it */
    int64_t deadline_boottime_ns; /* INT64_MAX: only the state closes it */
    uid_t uid;                  /* who asks, as the kernel says */
    pid_t pid;
    const char *program;        /* as it names itself: show it as unverified */
    bool has_broker;            /* another program asks for that process: show this one's user, too */
    uid_t broker_uid;
    const char *broker;         /* as it names itself */
    const char *gated_action, *action_title, *details;
    int64_t duration_ms;        /* of a longer lease that is asked for */
    const gate_text *const *action_titles, *const *details_in_languages;

    uint32_t left, right;       /* arithmetic: left operation right = ? */
    int operation;              /* enum gate_operation, for shapes too: how many corners? */
    const uint32_t *choices;    /* arithmetic-choice, shapes: the answer is one of them, in decimal digits */
    size_t choice_count;
    const gate_shape *const *left_shapes, *const *right_shapes;
    const gate_quiz *const *quiz; /* in each language; the answer is the number of the choice, from 1 */
    int calendar;               /* birthdate: enum gate_calendar; the answer is YYYY-MM-DD */
    int64_t hold_ms;            /* hold: report GATE_INPUT_PRESSED, then gate_answer_released() */
    int direction;              /* swipe */
    uint32_t fingers;
    const char *name, *title;   /* of the entitlement, the form, or the app whose news it is (then `version` too) */
    const gate_text *const *titles;
    const char *version;
    bool is_for_grown_ups;      /* a form that only a grown-up completes */
    const gate_offer *const *offers;
    const gate_feature *const *features;
    const char *primary, *secondary, *secondary_url; /* the buttons of news; without a second one, `secondary` is empty */
    bool is_apps_own;           /* the app wrote the form or the news itself: tell people so, and take no secret in it */
    const char *device;         /* of the household, where it is asked: show it in place of uid, pid and broker; "": asked here */
} gate_presentation;

/* Shows it; `refusal`, if there is one, is why the last answer was none, and the same presentation is asked again. */
typedef void (*gate_show_handler)(gate *gate, const gate_presentation *presentation, const gate_error *refusal, void *userdata);
/* Takes it from the screen. Called once for each presentation that was shown, before the next one of a presenter. */
typedef void (*gate_close_handler)(gate *gate, uint64_t id, void *userdata);

/* How this program shows presentations: its own requests', and a presenter's. NULL: it can't. */
int gate_set_screen(gate *gate, gate_show_handler show, gate_close_handler close, void *userdata);

/* Is a presenter from now on, for kinds and styles in bits: 1u << GATE_KIND_QUIZ | …. The handler is called when the daemon says yes
 * (NULL) or no, and when it is lost (GATE_UNAVAILABLE; it goes on trying). `has_own_screen`: it comes up by itself, with nobody in front.
 * -EBUSY: it is one already. gate_stop_presenting() ends that. */
int gate_start_presenting(gate *gate, unsigned kinds, unsigned styles, bool has_own_screen, gate_done_handler handler, void *userdata);
int gate_stop_presenting(gate *gate);

/* The person's answer, by the presentation's id. Once: -EBUSY while one is on its way, -ENOENT where it was closed meanwhile. What
 * comes of it the screen's handlers hear, and the handler of the request. */
int gate_answer_text(gate *gate, uint64_t id, const char *text);
int gate_answer_secret(gate *gate, uint64_t id, const void *secret, size_t size); /* passcode, totp; wiped */
int gate_answer_released(gate *gate, uint64_t id);
int gate_answer_swipe(gate *gate, uint64_t id, int direction, uint32_t fingers);
int gate_answer_acknowledged(gate *gate, uint64_t id, bool by_secondary);
int gate_dismiss(gate *gate, uint64_t id);
/* Says what happens on the screen before there is an answer. `handler` may be NULL. */
int gate_report(gate *gate, uint64_t id, int input, gate_done_handler handler, void *userdata);

/* MARK: anything else: messages of docs/wire.md, encoded by you */

/* With bytes and no error: the answer, or the next message of a stream. With an error: it has failed, or ended (GATE_CANCELLED). */
typedef void (*gate_bytes_handler)(gate *gate, const void *bytes, size_t size, const gate_error *error, void *userdata);

/* `usec`: how long it may take; 0: as gate_set_call_timeout says; UINT64_MAX: for ever. */
int gate_call(gate *gate, const char *service, const char *method, const void *message, size_t size, uint64_t usec,
    gate_bytes_handler handler, void *userdata, uint64_t *number);
/* Returns in `answer` what the daemon answers; it belongs to the handle, until the next _sync call. */
int gate_call_sync(gate *gate, const char *service, const char *method, const void *message, size_t size, uint64_t usec,
    const void **answer, size_t *answer_size);
/* A server stream: it ends with the connection, and is not opened again. */
int gate_stream(gate *gate, const char *service, const char *method, const void *message, size_t size, gate_bytes_handler handler,
    void *userdata, uint64_t *number);

#ifdef __cplusplus
}
#endif

#include "gate-forms.h" /* forms, and the news of an app */
#endif
