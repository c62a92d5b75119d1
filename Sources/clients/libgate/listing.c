// Lists, which arrive in pages, and values that several files read from messages.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"

// MARK: values

const char *text_of(struct arena *arena, const ProtobufCBinaryData *bytes) {
    if (bytes->len == 0) return "";
    char *copy = is_text(bytes->data, bytes->len) ? arena_take(arena, bytes->len + 1) : NULL;
    return copy ? memcpy(copy, bytes->data, bytes->len) : NULL;
}

ProtobufCBinaryData bytes_of(const char *text) {
    return (ProtobufCBinaryData){strlen(known(text)), (uint8_t *)known(text)};
}

static void put_holder(const Gate__V1__FormHolder *holder, const char **account, uid_t *uid) {
    *account = "";
    *uid = (uid_t)-1;
    if (!holder) return;
    if (holder->holder_case == GATE__V1__FORM_HOLDER__HOLDER_ACCOUNT) *account = known(holder->account);
    if (holder->holder_case == GATE__V1__FORM_HOLDER__HOLDER_UID) *uid = (uid_t)holder->uid;
}

gate_draft draft_of(const Gate__V1__FormSummary *from) {
    gate_draft draft = {known(from->name), from->draft_id, from->revision, known(from->label), "", 0, from->opened_at_unix_milliseconds};
    put_holder(from->holder, &draft.account, &draft.uid);
    return draft;
}

const gate_error *error_unless(bool is_said, const struct delivery *delivery, gate_error **made) {
    *made = NULL;
    if (delivery->is_failed) return error_or_none(delivery->error);
    if (is_said) return NULL;
    *made = error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The daemon sent an answer that this client can't read.");
    return error_or_none(*made);
}

// MARK: pages

void listing_free(struct listing *listing) {
    if (!listing) return;
    message_free(listing->message);
    free(listing->name);
    free(listing);
}

static void *place(ProtobufCMessage *message, const char *name) {
    return (char *)message + protobuf_c_message_descriptor_get_field_by_name(message->descriptor, name)->offset;
}

// Moves the elements of a page behind those of the earlier pages. The list has to be the first field of the message. Returns false if there is
// no memory.
static bool append(ProtobufCMessage *to, ProtobufCMessage *page) {
    const ProtobufCFieldDescriptor *field = &to->descriptor->fields[0];
    size_t *count = (size_t *)((char *)to + field->quantifier_offset), *more = (size_t *)((char *)page + field->quantifier_offset);
    void ***all = (void ***)((char *)to + field->offset), ***new = (void ***)((char *)page + field->offset);
    if (*more == 0) return true;
    if (*count + *more > SIZE_MAX / sizeof(void *)) return false;
    void **larger = realloc(*all, (*count + *more) * sizeof(void *));
    if (!larger) return false;
    memcpy(larger + *count, *new, *more * sizeof(void *));
    *all = larger;
    *count += *more;
    *more = 0;
    return true;
}

static int ask_page(gate *gate, const struct call *call, const char *token, uint64_t *number) {
    const char *service = "gate.v1.Questionnaires", *name = call->listing->name;
    if (call->output == &gate__v1__list_drafts_response__descriptor) {
        Gate__V1__ListDraftsRequest message = GATE__V1__LIST_DRAFTS_REQUEST__INIT;
        message.name = (char *)name;
        message.page_token = (char *)token;
        return call_start(gate, service, "ListDrafts", &message.base, call, number);
    }
    if (call->output == &gate__v1__list_responses_response__descriptor) {
        Gate__V1__ListResponsesRequest message = GATE__V1__LIST_RESPONSES_REQUEST__INIT;
        message.name = (char *)name;
        message.page_token = (char *)token;
        return call_start(gate, service, "ListResponses", &message.base, call, number);
    }
    if (call->output == &gate__v1__list_people_response__descriptor) {
        Gate__V1__ListPeopleRequest message = GATE__V1__LIST_PEOPLE_REQUEST__INIT;
        message.page_token = (char *)token;
        return call_start(gate, "gate.v1.People", "ListPeople", &message.base, call, number);
    }
    if (call->output == &gate__v1__list_gated_actions_response__descriptor) {
        Gate__V1__ListGatedActionsRequest message = GATE__V1__LIST_GATED_ACTIONS_REQUEST__INIT;
        message.page_token = (char *)token;
        return call_start(gate, "gate.v1.Authorization", "ListGatedActions", &message.base, call, number);
    }
    if (call->output == &gate__v1__list_asks_response__descriptor) {
        Gate__V1__ListAsksRequest message = GATE__V1__LIST_ASKS_REQUEST__INIT;
        message.page_token = (char *)token;
        return call_start(gate, "gate.v1.Authorization", "ListAsks", &message.base, call, number);
    }
    Gate__V1__ListQuestionnairesRequest message = GATE__V1__LIST_QUESTIONNAIRES_REQUEST__INIT;
    message.page_token = (char *)token;
    return call_start(gate, service, "ListQuestionnaires", &message.base, call, number);
}

static void listing_failed(gate *gate, struct call *call, int code, int reason, const char *why) {
    struct answer answer = {.error = error_new(code, reason, "The list can't be read: %s.", why), .is_failed = true};
    call_deliver(gate, call, &answer);
}

// Takes one page, and requests the next one with the same number and time limit.
static void listed(gate *gate, struct call *call, struct answer *answer) {
    struct listing *listing = call->listing;
    if (answer->is_failed) {
        call_deliver(gate, call, answer);
        return;
    }
    listing->bytes += answer->size;
    listing->pages++;
    if (!listing->message) {
        listing->message = answer->message;
        answer->message = NULL;
    } else if (append(listing->message, answer->message)) {
        char **last = place(listing->message, "next_page_token"), **token = place(answer->message, "next_page_token"), *swapped = *last;
        *last = *token;
        *token = swapped;
    } else {
        listing_failed(gate, call, GATE_UNAVAILABLE, GATE_REASON_UNSPECIFIED, "there is no memory for it");
        return;
    }
    const char *token = *(char **)place(listing->message, "next_page_token");
    if (!*known(token)) {
        struct answer whole = {.message = listing->message, .size = listing->bytes};
        listing->message = NULL;
        call_deliver(gate, call, &whole);
        return;
    }
    if (listing->bytes > QUEUED_BYTES || listing->pages >= MAXIMUM_PAGES) {
        listing_failed(gate, call, GATE_RESOURCE_EXHAUSTED, GATE_REASON_LIMIT, "the daemon sends more than 8 MiB of it, or 1,024 pages");
        return;
    }
    struct call next = *call;
    next.next = NULL;
    int problem = ask_page(gate, &next, token, NULL);
    if (problem < 0) listing_failed(gate, call, GATE_UNAVAILABLE, GATE_REASON_UNSPECIFIED, strerror(-problem));
    else call->listing = NULL; // the next call owns it
}

int listing_start(gate *gate, const char *name, const ProtobufCMessageDescriptor *output, void (*run)(struct gate *, struct delivery *),
    any_handler handler, void *userdata, uint64_t *number) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    struct listing *listing = calloc(1, sizeof *listing);
    if (listing) listing->name = strdup(known(name));
    if (!listing || !listing->name) {
        free(listing);
        return -ENOMEM;
    }
    struct call call = {.output = output, .answered = listed, .run = run, .handler = handler, .userdata = userdata, .listing = listing,
        .due = call_limit(gate)};
    problem = ask_page(gate, &call, "", number);
    if (problem < 0) listing_free(listing);
    return problem;
}

// MARK: lists

static void run_forms(gate *gate, struct delivery *delivery) {
    gate_forms_handler handler = (gate_forms_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__ListQuestionnairesResponse *from = (const Gate__V1__ListQuestionnairesResponse *)delivery->message;
    struct arena arena = {0};
    void *const *to = arena_list(&arena, from ? from->n_questionnaires : 0, sizeof(gate_listed_form));
    for (size_t i = 0; to[i]; i++) {
        const Gate__V1__ListedQuestionnaire *one = from->questionnaires[i];
        *(gate_listed_form *)to[i] = (gate_listed_form){known(one->name), known(one->title), known(one->version), known(one->url), one->items,
            one->is_for_grown_ups, texts_of(&arena, one->n_titles, one->titles)};
    }
    gate_error *made;
    const gate_error *error = error_unless(from && !arena.has_failed, delivery, &made);
    handler(gate, error ? NULL : (const gate_listed_form *const *)to, error, delivery->userdata);
    error_free(made);
    arena_free(&arena);
}

int gate_list_forms(gate *gate, gate_forms_handler handler, void *userdata, uint64_t *number) {
    return listing_start(gate, NULL, &gate__v1__list_questionnaires_response__descriptor, run_forms, (any_handler)handler, userdata, number);
}

static void run_drafts(gate *gate, struct delivery *delivery) {
    gate_drafts_handler handler = (gate_drafts_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__ListDraftsResponse *from = (const Gate__V1__ListDraftsResponse *)delivery->message;
    struct arena arena = {0};
    void *const *to = arena_list(&arena, from ? from->n_drafts : 0, sizeof(gate_draft));
    for (size_t i = 0; to[i]; i++) *(gate_draft *)to[i] = draft_of(from->drafts[i]);
    gate_error *made;
    const gate_error *error = error_unless(from && !arena.has_failed, delivery, &made);
    handler(gate, error ? NULL : (const gate_draft *const *)to, error, delivery->userdata);
    error_free(made);
    arena_free(&arena);
}

int gate_list_drafts(gate *gate, const char *name, gate_drafts_handler handler, void *userdata, uint64_t *number) {
    return listing_start(gate, name, &gate__v1__list_drafts_response__descriptor, run_drafts, (any_handler)handler, userdata, number);
}

static void run_responses(gate *gate, struct delivery *delivery) {
    gate_responses_handler handler = (gate_responses_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__ListResponsesResponse *from = (const Gate__V1__ListResponsesResponse *)delivery->message;
    struct arena arena = {0};
    void *const *to = arena_list(&arena, from ? from->n_responses : 0, sizeof(gate_response));
    for (size_t i = 0; to[i]; i++) {
        const Gate__V1__ResponseSummary *one = from->responses[i];
        gate_response *response = to[i];
        *response = (gate_response){one->id, (int)one->status, known(one->name), known(one->version), known(one->label), "", 0,
            one->saved_at_unix_milliseconds};
        put_holder(one->holder, &response->account, &response->uid);
    }
    gate_error *made;
    const gate_error *error = error_unless(from && !arena.has_failed, delivery, &made);
    handler(gate, error ? NULL : (const gate_response *const *)to, error, delivery->userdata);
    error_free(made);
    arena_free(&arena);
}

int gate_list_responses(gate *gate, const char *name, gate_responses_handler handler, void *userdata, uint64_t *number) {
    return listing_start(gate, name, &gate__v1__list_responses_response__descriptor, run_responses, (any_handler)handler, userdata, number);
}
