// The newest state from the daemon, and the getters, which return as much of it as is valid now.
#include <stdlib.h>
#include <string.h>

#include "forms.h"

// MARK: keeping

// Each topic is kept in a message of its own, so that it can be replaced without the others.
static void keep_topic(Gate__V1__WatchResponse **kept, Gate__V1__WatchResponse *whole) {
    message_free(*kept);
    *kept = whole;
}

static Gate__V1__WatchResponse *shell(void) {
    Gate__V1__WatchResponse *made = malloc(sizeof *made);
    if (made) gate__v1__watch_response__init(made);
    return made;
}

static bool take(Gate__V1__WatchResponse **kept, ProtobufCMessage *message, const char *name) {
    ProtobufCMessage **from = message_field(message, name);
    if (!from) return true;
    Gate__V1__WatchResponse *own = shell();
    if (!own) return false;
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field_by_name(message->descriptor, name);
    *(ProtobufCMessage **)((char *)own + field->offset) = *from;
    *from = NULL;
    keep_topic(kept, own);
    return true;
}

static bool build_lists(struct watch *watch) {
    struct arena *arena = &watch->arena;
    arena_free(arena);
    const Gate__V1__EntitlementsState *paid = watch->entitlements ? watch->entitlements->entitlements : NULL;
    void *const *list = arena_list(arena, paid ? paid->n_entitlements : 0, sizeof(gate_entitlement));
    for (size_t i = 0; list[i]; i++) {
        const Gate__V1__Entitlement *from = paid->entitlements[i];
        bool has_end = from->source && from->source->ends_case == GATE__V1__ENTITLEMENT_SOURCE__ENDS_UNTIL_UNIX_MILLISECONDS;
        void *const *titles = arena_list(arena, from->n_titles, sizeof(gate_text));
        for (size_t j = 0; titles[j]; j++)
            *(gate_text *)titles[j] = (gate_text){known(from->titles[j]->language), known(from->titles[j]->text)};
        *(gate_entitlement *)list[i] = (gate_entitlement){known(from->name), known(from->title), from->is_active,
            has_end ? from->source->until_unix_milliseconds : 0, (const gate_text *const *)titles};
    }
    watch->entitlement_list = (const gate_entitlement *const *)list;

    const Gate__V1__OpenPresentations *open = watch->presentations ? watch->presentations->presentations : NULL;
    list = arena_list(arena, open ? open->n_presentations : 0, sizeof(gate_summary));
    for (size_t i = 0; list[i]; i++) {
        const Gate__V1__PresentationSummary *from = open->presentations[i];
        bool has_deadline = from->closes_case == GATE__V1__PRESENTATION_SUMMARY__CLOSES_DEADLINE_BOOTTIME_NANOSECONDS;
        *(gate_summary *)list[i] = (gate_summary){from->id, (int)from->purpose, (int)from->kind, (int)from->stage,
            has_deadline ? from->deadline_boottime_nanoseconds : INT64_MAX, from->restore_count};
    }
    watch->summary_list = (const gate_summary *const *)list;

    const Gate__V1__OpenForms *forms = watch->forms ? watch->forms->forms : NULL;
    list = arena_list(arena, forms ? forms->n_forms : 0, sizeof(gate_draft));
    for (size_t i = 0; list[i]; i++) *(gate_draft *)list[i] = draft_of(forms->forms[i]);
    watch->draft_list = (const gate_draft *const *)list;

    const Gate__V1__OpenAsks *asks = watch->asks ? watch->asks->asks : NULL;
    watch->ask_list = asks_of(arena, asks ? asks->n_asks : 0, asks ? asks->asks : NULL);

    const Gate__V1__Schedules *schedules = watch->schedules ? watch->schedules->schedules : NULL;
    list = arena_list(arena, schedules ? schedules->n_schedules : 0, sizeof(gate_schedule));
    for (size_t i = 0; list[i]; i++) {
        const Gate__V1__ScheduleState *from = schedules->schedules[i];
        *(gate_schedule *)list[i] = (gate_schedule){known(from->name), from->is_open, from->until_unix_milliseconds};
    }
    watch->schedule_list = (const gate_schedule *const *)list;
    return !arena->has_failed;
}

static void forget_topics(struct watch *watch) {
    keep_topic(&watch->mode, NULL);
    keep_topic(&watch->sign_in, NULL);
    keep_topic(&watch->entitlements, NULL);
    keep_topic(&watch->presentations, NULL);
    keep_topic(&watch->forms, NULL);
    keep_topic(&watch->asks, NULL);
    keep_topic(&watch->schedules, NULL);
}

// Takes ownership of the message. Returns false if there is no memory.
bool state_keep(gate *gate, Gate__V1__WatchResponse *message, bool is_snapshot, unsigned *changed) {
    struct watch *watch = &gate->watch;
    *changed = (message->mode ? GATE_TOPIC_MODE : 0u) | (message->sign_in ? GATE_TOPIC_SIGN_IN : 0u)
        | (message->entitlements ? GATE_TOPIC_ENTITLEMENTS : 0u) | (message->presentations ? GATE_TOPIC_PRESENTATIONS : 0u)
        | (message->forms ? GATE_TOPIC_FORMS : 0u) | (message->asks ? GATE_TOPIC_ASKS : 0u)
        | (message->schedules ? GATE_TOPIC_SCHEDULES : 0u);
    if (is_snapshot) forget_topics(watch);
    bool is_kept = take(&watch->mode, &message->base, "mode") && take(&watch->sign_in, &message->base, "sign_in")
        && take(&watch->entitlements, &message->base, "entitlements") && take(&watch->presentations, &message->base, "presentations")
        && take(&watch->forms, &message->base, "forms") && take(&watch->asks, &message->base, "asks")
        && take(&watch->schedules, &message->base, "schedules");
    message_free(message);
    // If only the mode has changed, the lists still point to kept messages, and need not be built again.
    return is_kept && (*changed == GATE_TOPIC_MODE && !is_snapshot ? true : build_lists(watch));
}

void state_forget(gate *gate) {
    forget_topics(&gate->watch);
    arena_free(&gate->watch.arena);
    gate->watch.entitlement_list = NULL;
    gate->watch.summary_list = NULL;
    gate->watch.draft_list = NULL;
    gate->watch.ask_list = NULL;
    gate->watch.schedule_list = NULL;
}

// MARK: what counts now

static const void *const nothing[1];

static bool state_counts(const gate *gate) {
    return gate_check_thread(gate) == 0 && gate->watch.is_on && gate->watch.machine.state == WATCH_LIVE && !gate->is_breaking;
}

bool gate_is_current(const gate *gate) {
    int64_t left;
    if (!state_counts(gate)) return false;
    return !watching_time_left(&gate->watch.machine, (struct watch_clock){boottime_ns(), wall_ms()}, &left) || left > 0;
}

int gate_get_mode(const gate *gate) {
    int64_t deadline;
    if (!state_counts(gate) || !gate->watch.mode) return GATE_MODE_CHILD;
    int mode = mode_of_state(gate->watch.mode->mode, &deadline);
    return deadline != 0 && deadline <= boottime_ns() ? GATE_MODE_CHILD : mode;
}

int64_t gate_get_mode_deadline(const gate *gate) {
    int64_t deadline = 0;
    if (gate_get_mode(gate) != GATE_MODE_CHILD) mode_of_state(gate->watch.mode->mode, &deadline);
    return deadline;
}

static const Gate__V1__SignInState *sign_in(const gate *gate) {
    return state_counts(gate) && gate->watch.sign_in ? gate->watch.sign_in->sign_in : NULL;
}

const gate_session *gate_get_session(const gate *gate) {
    const Gate__V1__SignInState *state = sign_in(gate);
    const Gate__V1__Session *session = state ? state->session : NULL;
    if (!session || session->deadline_boottime_nanoseconds <= boottime_ns()) return NULL;
    gate_session *told = (gate_session *)&gate->watch.session; // the handle's own memory for this result
    *told = (gate_session){known(session->name), session->is_child, session->deadline_boottime_nanoseconds};
    return told;
}

bool gate_needs_sign_in(const gate *gate) {
    const Gate__V1__SignInState *state = sign_in(gate);
    return state && state->needs_authentication;
}

static const Gate__V1__EntitlementsState *entitlements(const gate *gate) {
    if (!state_counts(gate) || !gate->watch.entitlements) return NULL;
    // After the end of any entitlement, the daemon's state as a whole is out of date.
    return gate->watch.machine.deadlines.paid <= wall_ms() ? NULL : gate->watch.entitlements->entitlements;
}

bool gate_is_subscription_active(const gate *gate) {
    const Gate__V1__EntitlementsState *state = entitlements(gate);
    return state && state->is_subscription_active;
}

const gate_entitlement *const *gate_get_entitlements(const gate *gate) {
    return entitlements(gate) ? gate->watch.entitlement_list : (const gate_entitlement *const *)nothing;
}

bool gate_is_entitled(const gate *gate, const char *name) {
    for (const gate_entitlement *const *entitlement = gate_get_entitlements(gate); name && *entitlement; entitlement++)
        if (strcmp((*entitlement)->name, name) == 0) return (*entitlement)->is_active;
    return false;
}

const gate_summary *const *gate_get_presentations(const gate *gate) {
    bool counts = state_counts(gate) && gate->watch.presentations;
    return counts ? gate->watch.summary_list : (const gate_summary *const *)nothing;
}

const gate_draft *const *gate_get_drafts(const gate *gate) {
    return state_counts(gate) && gate->watch.forms ? gate->watch.draft_list : (const gate_draft *const *)nothing;
}

const gate_ask *const *gate_get_asks(const gate *gate) {
    return state_counts(gate) && gate->watch.asks ? gate->watch.ask_list : (const gate_ask *const *)nothing;
}

const gate_schedule *const *gate_get_schedules(const gate *gate) {
    // After the end of any open schedule, the daemon's state as a whole is out of date.
    bool counts = state_counts(gate) && gate->watch.schedules && gate->watch.machine.deadlines.hours > wall_ms();
    return counts ? gate->watch.schedule_list : (const gate_schedule *const *)nothing;
}

bool gate_is_schedule_open(const gate *gate, const char *name) {
    for (const gate_schedule *const *schedule = gate_get_schedules(gate); name && *schedule; schedule++)
        if (strcmp((*schedule)->name, name) == 0) return (*schedule)->is_open;
    return false;
}
