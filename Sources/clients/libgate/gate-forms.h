/* gate-forms.h: forms, and the news of an app. A part of gate.h, which includes it; what stands at the head of that is true of this.
 *
 * A questionnaire, a response, an answer is FHIR's, as JSON; docs/forms.md tells what Gate takes of it. The library reads no JSON: it
 * passes on what the daemon has checked, and ends it with a NUL. */
#ifndef GATE_FORMS_H
#define GATE_FORMS_H

#include "gate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MARK: forms */

typedef struct gate_listed_form {
    const char *name, *title, *version, *url; /* `name`: the `id` of the questionnaire */
    uint32_t item_count;
    bool is_for_grown_ups;      /* only a grown-up completes it */
    const gate_text *const *titles;
} gate_listed_form;

enum gate_response_status { GATE_RESPONSE_IN_PROGRESS = 1, GATE_RESPONSE_COMPLETED = 2, GATE_RESPONSE_ENTERED_IN_ERROR = 3 };

/* A response that is kept, without its answers. */
typedef struct gate_response {
    uint64_t id;
    int status;                 /* enum gate_response_status */
    const char *name, *version, *label;
    const char *account;        /* whose it is; empty: the user's `uid` */
    uid_t uid;
    int64_t saved_unix_ms;
} gate_response;

/* What a program suggests, beside what a person has answered. Without `answers`: it is being looked up. */
typedef struct gate_suggestion { const char *path, *answers; int64_t deadline_boottime_ns; /* 0: none */ } gate_suggestion;

/* A form that is being filled in, as it is now. */
typedef struct gate_form {
    uint64_t form;              /* its number in this handle, for the calls below, until gate_close_form() */
    const char *name;           /* that of an app's own form says whose: "plan@1000" */
    uint64_t draft_id, revision;
    const char *label;
    const char *response;       /* every item that is enabled, answered or not, in order: a QuestionnaireResponse */
    size_t response_size;
    const gate_suggestion *const *pending;
    const char *const *cleared; /* the paths of what the last change has cleared with it: the first 500 of `cleared_count` */
    size_t cleared_count;
} gate_form;

typedef void (*gate_form_handler)(gate *gate, const gate_form *form, const gate_error *error, void *userdata);
typedef void (*gate_json_handler)(gate *gate, const char *json, size_t size, const gate_error *error, void *userdata);
typedef void (*gate_kept_handler)(gate *gate, uint64_t response_id, const gate_error *error, void *userdata);
typedef void (*gate_verdict_handler)(gate *gate, bool is_valid, const char *outcome, size_t size, const gate_error *error, void *userdata);
typedef void (*gate_forms_handler)(gate *gate, const gate_listed_form *const *forms, const gate_error *error, void *userdata);
typedef void (*gate_drafts_handler)(gate *gate, const gate_draft *const *drafts, const gate_error *error, void *userdata);
typedef void (*gate_responses_handler)(gate *gate, const gate_response *const *responses, const gate_error *error, void *userdata);

int gate_list_forms(gate *gate, gate_forms_handler handler, void *userdata, uint64_t *number);
int gate_read_questionnaire(gate *gate, const char *name, gate_json_handler handler, void *userdata, uint64_t *number);

/* Opens the draft of a form, or joins the one that is there. `own`: the form itself, which the app brings to a device that has none of
 * that name; NULL: none. At most 256 forms are open in a handle: -EAGAIN. */
int gate_open_form(gate *gate, const char *name, const char *own, gate_form_handler handler, void *userdata, uint64_t *number);
/* One of several drafts, as gate_list_drafts() names them. */
int gate_open_draft(gate *gate, const char *name, uint64_t draft_id, gate_form_handler handler, void *userdata, uint64_t *number);
/* Begins one more draft beside those that are there, with what a response says that is kept (0: with nothing). `label` and `own` may
 * be NULL. */
int gate_begin_draft(gate *gate, const char *name, const char *label, const char *own, uint64_t response_id, gate_form_handler handler,
    void *userdata, uint64_t *number);
/* The same for the form that a presentation of this program's screen shows: for whom that is, and as long as it is there. */
int gate_open_shown_form(gate *gate, uint64_t presentation, uint64_t draft_id, gate_form_handler handler, void *userdata, uint64_t *number);
int gate_begin_shown_form(gate *gate, uint64_t presentation, uint64_t response_id, gate_form_handler handler, void *userdata,
    uint64_t *number);
/* Forgets its number, and takes back what is open for it. The draft stays. Forms that a presentation shows are closed with it. */
int gate_close_form(gate *gate, uint64_t form);

/* Calls for an open form, by its number: -ENOENT where it is none, or not any more; -EBUSY until the handler of the one before was
 * called. A change is made to the form as the handler has heard of it last, and the handler hears it as it is afterwards. GATE_ABORTED with
 * GATE_REASON_CHANGED_MEANWHILE: somebody else was quicker, so read it again. It outlives the connection. */
int gate_read_form(gate *gate, uint64_t form, gate_form_handler handler, void *userdata, uint64_t *number);
int gate_read_form_questionnaire(gate *gate, uint64_t form, gate_json_handler handler, void *userdata, uint64_t *number);
/* `path`: the linkId, behind those of the groups that repeat: "driver[1]/name". `answers`: "[{\"valueString\": \"Anna\"}]"; NULL: none. */
int gate_set_answers(gate *gate, uint64_t form, const char *path, const char *answers, gate_form_handler handler, void *userdata,
    uint64_t *number);
/* The same, but never over what a person has entered. Without answers, and with a time: they are being looked up, and come within it. */
int gate_suggest_answers(gate *gate, uint64_t form, const char *path, const char *answers, int64_t pending_ms, gate_form_handler handler,
    void *userdata, uint64_t *number);
int gate_remove_group(gate *gate, uint64_t form, const char *path, gate_form_handler handler, void *userdata, uint64_t *number);
int gate_fill_form(gate *gate, uint64_t form, const char *response, gate_form_handler handler, void *userdata, uint64_t *number);
/* Puts a response that is kept in place of all answers, as far as it fits; 0: the newest that was completed. */
int gate_load_response(gate *gate, uint64_t form, uint64_t response_id, gate_form_handler handler, void *userdata, uint64_t *number);
int gate_reset_form(gate *gate, uint64_t form, gate_form_handler handler, void *userdata, uint64_t *number);
int gate_label_draft(gate *gate, uint64_t form, const char *label, gate_form_handler handler, void *userdata, uint64_t *number);
/* Says what would be wrong if it were completed: an OperationOutcome. */
int gate_validate_form(gate *gate, uint64_t form, gate_verdict_handler handler, void *userdata, uint64_t *number);
/* Keeps a copy of the draft, as a response in progress. */
int gate_save_form(gate *gate, uint64_t form, gate_kept_handler handler, void *userdata, uint64_t *number);
/* Completes the form as the handler has heard of it last, and closes it here. GATE_REASON_INCOMPLETE: `issues` say what lacks. */
int gate_complete_form(gate *gate, uint64_t form, gate_kept_handler handler, void *userdata, uint64_t *number);
/* Throws the draft away, and closes it here. */
int gate_discard_form(gate *gate, uint64_t form, gate_done_handler handler, void *userdata, uint64_t *number);

/* Has a form filled in on a presenter of the device, and waits until it is completed. `own` as above. */
int gate_request_form(gate *gate, const char *name, const char *own, gate_kept_handler handler, void *userdata, uint64_t *number);
/* What there is of one's own; of everybody for administrators. `name`: of this form; NULL: of all. */
int gate_list_drafts(gate *gate, const char *name, gate_drafts_handler handler, void *userdata, uint64_t *number);
int gate_list_responses(gate *gate, const char *name, gate_responses_handler handler, void *userdata, uint64_t *number);
int gate_read_response(gate *gate, uint64_t response_id, gate_json_handler handler, void *userdata, uint64_t *number);
/* Marks a completed response as entered in error, and deletes one in progress. */
int gate_withdraw_response(gate *gate, uint64_t response_id, gate_done_handler handler, void *userdata, uint64_t *number);

/* MARK: news of an app, shown to each person once */

enum gate_news_outcome { GATE_NEWS_NOTHING_NEW = 1, GATE_NEWS_SHOWN = 2, GATE_NEWS_SECONDARY_CHOSEN = 3 };
typedef void (*gate_news_handler)(gate *gate, int outcome, const gate_error *error, void *userdata);

/* Adds the app's own news of one version, for devices where no administrator has installed any: they go along with the calls below. At
 * most 16 versions, of 50 features each: -EMSGSIZE. `primary`, `secondary` (the buttons) and `secondary_url` may be NULL. */
int gate_add_news(gate *gate, const char *version, const char *title, const char *primary, const char *secondary, const char *secondary_url);
/* One thing that is new in the version that was added last, and it needs one. `subtitle`, and `image`, a name, may be NULL. */
int gate_add_news_feature(gate *gate, const char *title, const char *subtitle, const char *image);
/* Shows what is new in this version of the app, unless this person has seen it. The address behind a secondary button that was chosen is
 * the program's to open, past gate_authorize() with "link.open". */
int gate_show_news(gate *gate, const char *app, const char *version, unsigned flags, gate_news_handler handler, void *userdata,
    uint64_t *number);
/* It was seen elsewhere; nothing was seen (`app` may be NULL: of any app). */
int gate_acknowledge_news(gate *gate, const char *app, const char *version, gate_done_handler handler, void *userdata, uint64_t *number);
int gate_reset_news(gate *gate, const char *app, gate_done_handler handler, void *userdata, uint64_t *number);

#ifdef __cplusplus
}
#endif
#endif
