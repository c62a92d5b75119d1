// Presentations as gate.h describes them, and the person's answers.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

texts texts_of(struct arena *arena, size_t count, Gate__V1__Text **from) {
    void *const *list = arena_list(arena, count, sizeof(gate_text));
    for (size_t i = 0; list[i]; i++) *(gate_text *)list[i] = (gate_text){known(from[i]->language), known(from[i]->text)};
    return (texts)list;
}

const char *const *choices_of(struct arena *arena, size_t count, char **from) {
    static const char *const none[1];
    const char **choices = arena_take(arena, (count + 1) * sizeof *choices);
    for (size_t i = 0; choices && i < count; i++) choices[i] = known(from[i]);
    return choices ? (const char *const *)choices : none;
}

static const gate_shape *const *shapes_of(struct arena *arena, size_t count, Gate__V1__Shape **from) {
    void *const *list = arena_list(arena, count, sizeof(gate_shape));
    for (size_t i = 0; list[i]; i++) *(gate_shape *)list[i] = (gate_shape){(int)from[i]->form, (int)from[i]->colour};
    return (const gate_shape *const *)list;
}

static const gate_quiz *const *quiz_of(struct arena *arena, const Gate__V1__Quiz *from) {
    void *const *list = arena_list(arena, from->n_texts, sizeof(gate_quiz));
    for (size_t i = 0; list[i]; i++) {
        const Gate__V1__QuizText *text = from->texts[i];
        *(gate_quiz *)list[i] =
            (gate_quiz){known(text->language), known(text->question), choices_of(arena, text->n_choices, text->choices)};
    }
    return (const gate_quiz *const *)list;
}

static void put_paywall(gate_presentation *to, struct arena *arena, const Gate__V1__Paywall *from) {
    to->name = known(from->entitlement);
    to->title = known(from->title);
    to->titles = texts_of(arena, from->n_titles, from->titles);
    void *const *list = arena_list(arena, from->n_offers, sizeof(gate_offer));
    for (size_t i = 0; list[i]; i++) {
        const Gate__V1__Offer *offer = from->offers[i];
        *(gate_offer *)list[i] = (gate_offer){known(offer->product), texts_of(arena, offer->n_titles, offer->titles), known(offer->period),
            known(offer->price), known(offer->url)};
    }
    to->offers = (const gate_offer *const *)list;
}

static void put_news(gate_presentation *to, struct arena *arena, const Gate__V1__WhatsNew *from) {
    to->name = known(from->app);
    to->version = known(from->version);
    to->title = known(from->title);
    to->titles = texts_of(arena, from->n_titles, from->titles);
    if (from->primary) to->primary = known(from->primary->title);
    if (from->secondary) {
        to->secondary = known(from->secondary->title);
        to->secondary_url = known(from->secondary->url);
    }
    void *const *list = arena_list(arena, from->n_features, sizeof(gate_feature));
    for (size_t i = 0; list[i]; i++) {
        const Gate__V1__WhatsNew__Feature *feature = from->features[i];
        *(gate_feature *)list[i] = (gate_feature){known(feature->title), known(feature->subtitle),
            texts_of(arena, feature->n_titles, feature->titles), texts_of(arena, feature->n_subtitles, feature->subtitles)};
    }
    to->features = (const gate_feature *const *)list;
}

static void put_summary(gate_presentation *to, struct arena *arena, const Gate__V1__PresentationSummary *from) {
    static const Gate__V1__Asked nobody = GATE__V1__ASKED__INIT;
    const Gate__V1__Asked *asked = from->asked ? from->asked : &nobody;
    bool has_deadline = from->closes_case == GATE__V1__PRESENTATION_SUMMARY__CLOSES_DEADLINE_BOOTTIME_NANOSECONDS;
    to->id = from->id;
    to->purpose = (int)from->purpose;
    to->kind = (int)from->kind;
    to->style = (int)from->style;
    to->is_dismissible = from->is_dismissible;
    to->deadline_boottime_ns = has_deadline ? from->deadline_boottime_nanoseconds : INT64_MAX;
    to->uid = asked->uid;
    to->pid = asked->pid;
    to->program = known(asked->program);
    to->has_broker = asked->broker;
    to->broker_uid = asked->broker ? asked->broker->uid : 0;
    to->broker = asked->broker ? known(asked->broker->program) : "";
    to->device = known(asked->device);
    to->gated_action = known(asked->gated_action);
    to->action_title = known(asked->title);
    to->details = known(asked->details);
    to->is_apps_own = asked->is_apps_own;
    to->duration_ms = asked->duration_milliseconds;
    to->action_titles = texts_of(arena, asked->n_titles, asked->titles);
    to->details_in_languages = texts_of(arena, asked->n_translated_details, asked->translated_details);
}

static void put_arithmetic(gate_presentation *to, uint32_t left, int operation, uint32_t right, size_t count, const uint32_t *choices) {
    to->left = left;
    to->operation = operation;
    to->right = right;
    to->choices = choices;
    to->choice_count = count;
}

static void put_content(gate_presentation *to, struct arena *arena, const Gate__V1__Presentation *from) {
    switch (from->content_case) {
    case GATE__V1__PRESENTATION__CONTENT_ARITHMETIC_CHOICE: {
        const Gate__V1__ArithmeticChoice *sum = from->arithmetic_choice;
        put_arithmetic(to, sum->left, (int)sum->operation, sum->right, sum->n_choices, sum->choices);
        break;
    }
    case GATE__V1__PRESENTATION__CONTENT_ARITHMETIC_ENTRY: {
        const Gate__V1__ArithmeticEntry *sum = from->arithmetic_entry;
        put_arithmetic(to, sum->left, (int)sum->operation, sum->right, 0, NULL);
        break;
    }
    case GATE__V1__PRESENTATION__CONTENT_SHAPES: {
        const Gate__V1__Shapes *sum = from->shapes;
        put_arithmetic(to, 0, (int)sum->operation, 0, sum->n_choices, sum->choices);
        to->left_shapes = shapes_of(arena, sum->n_left, sum->left);
        to->right_shapes = shapes_of(arena, sum->n_right, sum->right);
        break;
    }
    case GATE__V1__PRESENTATION__CONTENT_QUIZ: to->quiz = quiz_of(arena, from->quiz); break;
    case GATE__V1__PRESENTATION__CONTENT_BIRTHDATE: to->calendar = (int)from->birthdate->calendar; break;
    case GATE__V1__PRESENTATION__CONTENT_HOLD: to->hold_ms = from->hold->duration_milliseconds; break;
    case GATE__V1__PRESENTATION__CONTENT_SWIPE:
        to->direction = (int)from->swipe->direction;
        to->fingers = from->swipe->fingers;
        break;
    case GATE__V1__PRESENTATION__CONTENT_PAYWALL: put_paywall(to, arena, from->paywall); break;
    case GATE__V1__PRESENTATION__CONTENT_FORM:
        to->name = known(from->form->name);
        to->title = known(from->form->title);
        to->titles = texts_of(arena, from->form->n_titles, from->form->titles);
        to->is_for_grown_ups = from->form->is_for_grown_ups;
        break;
    case GATE__V1__PRESENTATION__CONTENT_WHATS_NEW: put_news(to, arena, from->whats_new); break;
    default: break; // the kind has no content, or is unknown to this version
    }
}

void presentation_show(gate *gate, struct delivery *delivery) {
    struct open *open = open_find(gate, delivery->id);
    if (!open || !gate->show) return;
    struct arena arena = {0};
    texts none = texts_of(&arena, 0, NULL);
    gate_presentation shown = {.name = "", .title = "", .titles = none, .version = "", .primary = "", .secondary = "", .secondary_url = ""};
    shown.left_shapes = shown.right_shapes = (const gate_shape *const *)none;
    shown.quiz = (const gate_quiz *const *)none;
    shown.offers = (const gate_offer *const *)none;
    shown.features = (const gate_feature *const *)none;
    put_summary(&shown, &arena, open->message->summary);
    put_content(&shown, &arena, open->message);
    open->is_shown = true;
    gate->show(gate, &shown, delivery->is_failed ? error_or_none(delivery->error) : NULL, gate->screen_userdata);
    arena_free(&arena);
}

// MARK: answers

static int complete(gate *gate, uint64_t id, Gate__V1__CompleteRequest *message) {
    int problem = gate_start(gate);
    return problem < 0 ? problem : open_answer(gate, id, "Complete", &message->base, &message->cookie, false);
}

int gate_answer_text(gate *gate, uint64_t id, const char *text) {
    if (!text) return -EINVAL;
    Gate__V1__CompleteRequest message = GATE__V1__COMPLETE_REQUEST__INIT;
    message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_TEXT;
    message.text = (char *)text;
    return complete(gate, id, &message);
}

int gate_answer_secret(gate *gate, uint64_t id, const void *secret, size_t size) {
    if (!secret) return -EINVAL;
    Gate__V1__CompleteRequest message = GATE__V1__COMPLETE_REQUEST__INIT;
    message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_SECRET;
    message.secret.data = (uint8_t *)secret;
    message.secret.len = size;
    return complete(gate, id, &message);
}

int gate_answer_released(gate *gate, uint64_t id) {
    Gate__V1__CompleteRequest message = GATE__V1__COMPLETE_REQUEST__INIT;
    Gate__V1__Released released = GATE__V1__RELEASED__INIT;
    message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_RELEASED;
    message.released = &released;
    return complete(gate, id, &message);
}

int gate_answer_swipe(gate *gate, uint64_t id, int direction, uint32_t fingers) {
    if (direction < GATE_UP || direction > GATE_RIGHT) return -EINVAL;
    Gate__V1__CompleteRequest message = GATE__V1__COMPLETE_REQUEST__INIT;
    Gate__V1__Swipe swipe = GATE__V1__SWIPE__INIT;
    swipe.direction = (Gate__V1__Swipe__Direction)direction;
    swipe.fingers = fingers;
    message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_SWIPE;
    message.swipe = &swipe;
    return complete(gate, id, &message);
}

int gate_answer_acknowledged(gate *gate, uint64_t id, bool by_secondary) {
    Gate__V1__CompleteRequest message = GATE__V1__COMPLETE_REQUEST__INIT;
    Gate__V1__Acknowledged acknowledged = GATE__V1__ACKNOWLEDGED__INIT;
    acknowledged.action = by_secondary ? GATE__V1__ACKNOWLEDGED__ACTION__ACTION_SECONDARY : GATE__V1__ACKNOWLEDGED__ACTION__ACTION_PRIMARY;
    message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_ACKNOWLEDGED;
    message.acknowledged = &acknowledged;
    int problem = complete(gate, id, &message);
    const struct open *open = problem == 0 ? open_find(gate, id) : NULL;
    if (open && open->request) request_answered_by(gate, open->request, by_secondary);
    return problem;
}

int gate_dismiss(gate *gate, uint64_t id) {
    int problem = gate_start(gate);
    Gate__V1__DismissRequest message = GATE__V1__DISMISS_REQUEST__INIT;
    return problem < 0 ? problem : open_answer(gate, id, "Dismiss", &message.base, &message.cookie, true);
}

int gate_report(gate *gate, uint64_t id, int input, gate_done_handler handler, void *userdata) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    if (input < GATE_INPUT_SHOWN || input > GATE_INPUT_RESTORE) return -EINVAL;
    const struct open *open = open_find(gate, id);
    if (!open) return -ENOENT;
    Gate__V1__ReportRequest message = GATE__V1__REPORT_REQUEST__INIT;
    message.cookie = open->message->cookie;
    message.input = (Gate__V1__Input)input;
    struct call call = {.answered = call_deliver, .output = &gate__v1__report_response__descriptor, .run = run_done,
        .handler = (any_handler)handler, .userdata = userdata, .due = call_limit(gate)};
    return call_start(gate, "gate.v1.Presentations", "Report", &message.base, &call, NULL);
}
