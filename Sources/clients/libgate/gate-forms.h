/* gate-forms.h: forms, and the news of apps. It is a part of gate.h, which includes it, and the rules at the top of gate.h hold here too.
 *
 * Questionnaires, responses and answers are FHIR JSON; docs/forms.md says what of FHIR Gate supports. The library does not read JSON: it
 * passes on what the daemon has checked, with a NUL at its end. */
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
    bool is_for_grown_ups;      /* whether only a grown-up may complete it */
    const gate_text *const *titles;
} gate_listed_form;

enum gate_response_status { GATE_RESPONSE_IN_PROGRESS = 1, GATE_RESPONSE_COMPLETED = 2, GATE_RESPONSE_ENTERED_IN_ERROR = 3 };

/* A response that the daemon keeps, without its answers. */
typedef struct gate_response {
    uint64_t id;
    int status;                 /* enum gate_response_status */
    const char *name, *version, *label;
    const char *account;        /* the holder; empty: the user `uid` */
    uid_t uid;
    int64_t saved_unix_ms;
} gate_response;

/* A program's suggestion that waits because the question has another answer. If `answers` is empty, the program is
 * still fetching them. */
typedef struct gate_suggestion { const char *path, *answers; int64_t deadline_boottime_ns; /* 0: none */ } gate_suggestion;

/* An open form, as it is now. */
typedef struct gate_form {
    uint64_t form;              /* the form's number in this handle, for the calls below, until gate_close_form() */
    const char *name;           /* a form that an app brought has its user's uid in its name: "plan@1000" */
    uint64_t draft_id, revision;
    const char *label;
    const char *response;       /* a QuestionnaireResponse with every enabled item, answered or not, in order */
    size_t response_size;
    const gate_suggestion *const *pending;
    const char *const *cleared; /* the paths of the answers that the last change has cleared: the first 500 of `cleared_count` */
    size_t cleared_count;
} gate_form;

typedef void (*gate_form_handler)(gate *gate, const gate_form *form, const gate_error *error, void *userdata);
typedef void (*gate_json_handler)(gate *gate, const char *json, size_t size, const gate_error *error, void *userdata);
typedef void (*gate_kept_handler)(gate *gate, uint64_t response_id, const gate_error *error, void *userdata);
typedef void (*gate_verdict_handler)(gate *gate, bool is_valid, const char *outcome, size_t size, const gate_error *error, void *userdata);
typedef void (*gate_forms_handler)(gate *gate, const gate_listed_form *const *forms, const gate_error *error, void *userdata);
typedef void (*gate_drafts_handler)(gate *gate, const gate_draft *const *drafts, const gate_error *error, void *userdata);
typedef void (*gate_responses_handler)(gate *gate, const gate_response *const *responses, const gate_error *error, void *userdata);

/* Lists the forms of the device, and those that apps of this user have brought. */
int gate_list_forms(gate *gate, gate_forms_handler handler, void *userdata, uint64_t *number);
/* The handler gets a Questionnaire. */
int gate_read_questionnaire(gate *gate, const char *name, gate_json_handler handler, void *userdata, uint64_t *number);

/* Opens the draft of a form, or begins one. `own`: the app's own form, for devices that have no form of that name;
 * NULL: none. A handle has at most 256 open forms: -EAGAIN. */
int gate_open_form(gate *gate, const char *name, const char *own, gate_form_handler handler, void *userdata, uint64_t *number);
/* Opens one of several drafts, by its `draft_id` from gate_list_drafts(). */
int gate_open_draft(gate *gate, const char *name, uint64_t draft_id, gate_form_handler handler, void *userdata, uint64_t *number);
/* Begins a new draft beside the existing ones, with the answers of a kept response (0: with initial values). `label`
 * and `own` may be NULL. */
int gate_begin_draft(gate *gate, const char *name, const char *label, const char *own, uint64_t response_id, gate_form_handler handler,
    void *userdata, uint64_t *number);
/* Opens or begins a draft of the form that a presentation of this program shows. It belongs to the holder for whom
 * the form is shown, and is closed together with the presentation. */
int gate_open_shown_form(gate *gate, uint64_t presentation, uint64_t draft_id, gate_form_handler handler, void *userdata, uint64_t *number);
int gate_begin_shown_form(gate *gate, uint64_t presentation, uint64_t response_id, gate_form_handler handler, void *userdata,
    uint64_t *number);
/* Closes the form in this handle, and cancels its open call. The draft stays. */
int gate_close_form(gate *gate, uint64_t form);

/* The following functions take the number of an open form: -ENOENT if it is not open; -EBUSY until the handler of
 * its previous call was called. A change applies to the form as the handler last got it, and the handler gets the
 * form after the change. If somebody else has changed the form meanwhile, the error is GATE_ABORTED with
 * GATE_REASON_CHANGED_MEANWHILE: read it again. The number remains valid if the connection is lost. */
int gate_read_form(gate *gate, uint64_t form, gate_form_handler handler, void *userdata, uint64_t *number);
int gate_read_form_questionnaire(gate *gate, uint64_t form, gate_json_handler handler, void *userdata, uint64_t *number);
/* Answers a question, or clears it. `path`: the question's linkId after those of the repeating groups around it,
 * like "driver[1]/name". `answers`: like "[{\"valueString\": \"Anna\"}]"; NULL: none. */
int gate_set_answers(gate *gate, uint64_t form, const char *path, const char *answers, gate_form_handler handler, void *userdata,
    uint64_t *number);
/* Suggests answers, which never replace what a person has entered. NULL and a time: the program is fetching the
 * answers, and suggests them within `pending_ms`. */
int gate_suggest_answers(gate *gate, uint64_t form, const char *path, const char *answers, int64_t pending_ms, gate_form_handler handler,
    void *userdata, uint64_t *number);
int gate_remove_group(gate *gate, uint64_t form, const char *path, gate_form_handler handler, void *userdata, uint64_t *number);
int gate_fill_form(gate *gate, uint64_t form, const char *response, gate_form_handler handler, void *userdata, uint64_t *number);
/* Replaces all answers by those of a kept response, as far as they fit. 0: the newest completed one. */
int gate_load_response(gate *gate, uint64_t form, uint64_t response_id, gate_form_handler handler, void *userdata, uint64_t *number);
int gate_reset_form(gate *gate, uint64_t form, gate_form_handler handler, void *userdata, uint64_t *number);
int gate_label_draft(gate *gate, uint64_t form, const char *label, gate_form_handler handler, void *userdata, uint64_t *number);
/* Checks the form as if it were completed now. The handler gets an OperationOutcome. */
int gate_validate_form(gate *gate, uint64_t form, gate_verdict_handler handler, void *userdata, uint64_t *number);
/* Keeps a copy of the draft as a response in progress. */
int gate_save_form(gate *gate, uint64_t form, gate_kept_handler handler, void *userdata, uint64_t *number);
/* Completes the form as the handler last got it, and closes it here. With GATE_REASON_INCOMPLETE, the error's
 * `issues` say what is missing. */
int gate_complete_form(gate *gate, uint64_t form, gate_kept_handler handler, void *userdata, uint64_t *number);
/* Discards the draft, and closes the form here. */
int gate_discard_form(gate *gate, uint64_t form, gate_done_handler handler, void *userdata, uint64_t *number);

/* Asks a person to fill in a form, which a presenter of the device shows. The handler is called when the form is
 * completed. `own` as in gate_open_form(). */
int gate_request_form(gate *gate, const char *name, const char *own, gate_kept_handler handler, void *userdata, uint64_t *number);
/* Lists the caller's drafts or responses; for administrators those of all holders. `name`: only of this form; NULL:
 * of all forms. */
int gate_list_drafts(gate *gate, const char *name, gate_drafts_handler handler, void *userdata, uint64_t *number);
int gate_list_responses(gate *gate, const char *name, gate_responses_handler handler, void *userdata, uint64_t *number);
int gate_read_response(gate *gate, uint64_t response_id, gate_json_handler handler, void *userdata, uint64_t *number);
/* Marks a completed response as entered in error, or deletes one in progress. */
int gate_withdraw_response(gate *gate, uint64_t response_id, gate_done_handler handler, void *userdata, uint64_t *number);

/* MARK: news of an app, shown to each person once */

enum gate_news_outcome { GATE_NEWS_NOTHING_NEW = 1, GATE_NEWS_SHOWN = 2, GATE_NEWS_SECONDARY_CHOSEN = 3 };
typedef void (*gate_news_handler)(gate *gate, int outcome, const gate_error *error, void *userdata);

/* Adds the app's own news of one version, for devices whose administrator has installed none. The calls below send
 * them. At most 16 versions of 50 features each: -EMSGSIZE. `primary`, `secondary` (the buttons) and `secondary_url`
 * may be NULL. */
int gate_add_news(gate *gate, const char *version, const char *title, const char *primary, const char *secondary, const char *secondary_url);
/* Adds a feature to the version that was added last. A version needs at least one. `subtitle` and `image` (a name)
 * may be NULL. */
int gate_add_news_feature(gate *gate, const char *title, const char *subtitle, const char *image);
/* Shows what is new in this version of the app, unless this person has seen it. If the person chose the secondary
 * button, the program has to open its address, after gate_authorize() for "link.open". */
int gate_show_news(gate *gate, const char *app, const char *version, unsigned flags, gate_news_handler handler, void *userdata,
    uint64_t *number);
/* Marks what is new in this version as seen, because the app has shown it itself. */
int gate_acknowledge_news(gate *gate, const char *app, const char *version, gate_done_handler handler, void *userdata, uint64_t *number);
/* Marks the news of the app as not seen. NULL: the news of all apps. */
int gate_reset_news(gate *gate, const char *app, gate_done_handler handler, void *userdata, uint64_t *number);

#ifdef __cplusplus
}
#endif
#endif
