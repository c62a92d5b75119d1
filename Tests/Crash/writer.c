// A client that fills in a form: answers, copies that are kept, and whole forms that are completed or discarded.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "actor.h"
#include "chance.h"
#include "database.h"
#include "journal.h"
#include "promises.h"

// A city depends on its country, and a street on its city. If an answer changes, those that depend on it are cleared in
// the same revision. Without a country, no city can be answered.
enum { COUNTRY, CITY, STREET, REMARK, QUESTIONS, RESPONSES = 8 };
static const char *const paths[QUESTIONS] = {"country", "city", "street", "remark"};

struct answers {
    char texts[QUESTIONS][24];
};

struct response {
    // 0: there is none.
    uint64_t id;
    Gate__V1__ResponseSummary__Status status;
    struct answers answers;
};

enum doing { OPENING, SETTING, SAVING, COMPLETING, DISCARDING, LOADING, WITHDRAWING };

struct writer {
    struct actor actor;
    char form[24];
    // 0: there is no draft.
    uint64_t revision;
    // The last revision of any of its drafts.
    uint64_t last_revision;
    struct answers answers;
    struct response responses[RESPONSES];
    enum doing doing;
    // The index of the question or response, and the new text.
    unsigned place;
    char text[24];
    unsigned written;
};

static uid_t uid_of_writer(const struct writer *writer) {
    return uid_of(&writer->actor, OWN);
}

// MARK: what was confirmed, or found done

static struct answers answers_after(const struct writer *writer) {
    struct answers answers = writer->answers;
    if (writer->doing == LOADING) return writer->responses[writer->place].answers;
    bool is_change = strcmp(answers.texts[writer->place], writer->text) != 0;
    memcpy(answers.texts[writer->place], writer->text, sizeof writer->text);
    if (!is_change || writer->place == REMARK) return answers;
    for (unsigned i = writer->place + 1; i <= STREET; i++) memset(answers.texts[i], 0, sizeof answers.texts[i]);
    return answers;
}

static void keep(struct writer *writer, uint64_t id, Gate__V1__ResponseSummary__Status status) {
    bool is_complete = status == GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_COMPLETED;
    expect_entry(
        is_complete ? ENTRY(FORM_COMPLETED) : ENTRY(FORM_SAVED),
        uid_of_writer(writer), "%s, uid %u, response %lu", writer->form, (unsigned)uid_of_writer(writer), (unsigned long)id);
    writer->responses[writer->place] = (struct response){id, status, writer->answers};
}

// A revision never occurs twice, whatever happened to earlier drafts.
static void take_revision(struct writer *writer, uint64_t revision) {
    if (revision <= writer->last_revision) broken("the revision %lu of a draft came twice", (unsigned long)revision);
    writer->revision = writer->last_revision = revision;
}

// `id`: the response that was made. `revision`: the draft's new revision.
static void done(struct writer *writer, uint64_t id, uint64_t revision) {
    uid_t uid = uid_of_writer(writer);
    struct response *response = &writer->responses[writer->place % RESPONSES];
    struct answers answers;
    switch (writer->doing) {
        case OPENING:
            expect_entry(ENTRY(FORM_OPENED), uid, "%s, uid %u", writer->form, (unsigned)uid);
            take_revision(writer, revision);
            memset(&writer->answers, 0, sizeof writer->answers);
            return;
        case SETTING:
        case LOADING:
            answers = answers_after(writer);
            if (memcmp(&answers, &writer->answers, sizeof answers) == 0) return;
            writer->answers = answers;
            take_revision(writer, revision);
            return;
        case SAVING: return keep(writer, id, GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_IN_PROGRESS);
        case COMPLETING:
            keep(writer, id, GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_COMPLETED);
            writer->revision = 0;
            return;
        case DISCARDING:
            expect_entry(ENTRY(FORM_DISCARDED), uid, "%s, uid %u", writer->form, (unsigned)uid);
            writer->revision = 0;
            return;
        case WITHDRAWING: {
            bool stays = response->status == GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_COMPLETED;
            uid_t by = response->status == GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_ENTERED_IN_ERROR
                ? uid_of(&writer->actor, ADMINISTRATOR)
                : uid;
            expect_entry(
                ENTRY(RESPONSE_WITHDRAWN), by, "%s, uid %u, response %lu", writer->form,
                (unsigned)uid, (unsigned long)response->id);
            if (stays) response->status = GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_ENTERED_IN_ERROR;
            else *response = (struct response){0};
            return;
        }
    }
}

static void answered(struct actor *actor, const struct answer *answer) {
    static const char *const names[] = {"OpenForm", "SetAnswer", "SaveForm", "CompleteForm", "DiscardForm", "LoadForm", "WithdrawResponse"};
    struct writer *writer = (struct writer *)actor;
    must_work(actor, names[writer->doing], answer);
    uint64_t id = 0;
    if (writer->doing == SAVING) id = ((const Gate__V1__SaveFormResponse *)answer->message)->response_id;
    if (writer->doing == COMPLETING) id = ((const Gate__V1__CompleteFormResponse *)answer->message)->response_id;
    const Gate__V1__FormChange *change = NULL;
    if (writer->doing == SETTING) change = ((const Gate__V1__SetAnswerResponse *)answer->message)->change;
    if (writer->doing == LOADING) change = ((const Gate__V1__LoadFormResponse *)answer->message)->change;
    uint64_t revision = change ? change->summary->revision : 0;
    if (writer->doing == OPENING) revision = ((const Gate__V1__OpenFormResponse *)answer->message)->draft->summary->revision;
    done(writer, id, revision);
    if (change) compare(actor, "the revision of a draft", (int64_t)change->summary->revision, (int64_t)writer->revision);
}

// MARK: commands

static void send(struct writer *writer, int peer, const char *method, const ProtobufCMessage *message) {
    command(&writer->actor, peer, &gate__v1__questionnaires__descriptor, method, message, answered);
}

static void set_answer(struct writer *writer, Gate__V1__FormTarget *target) {
    Gate__V1__SetAnswerRequest request = GATE__V1__SET_ANSWER_REQUEST__INIT;
    char json[96] = "[]";
    do writer->place = below(QUESTIONS);
    while ((writer->place == CITY || writer->place == STREET) && !*writer->answers.texts[writer->place - 1]);
    memset(writer->text, 0, sizeof writer->text);
    if (writer->place == COUNTRY) strcpy(writer->text, once_in(2) ? "DE" : "PL");
    else if (!once_in(6)) snprintf(writer->text, sizeof writer->text, "text %u", ++writer->written);
    if (*writer->text) snprintf(json, sizeof json, "[{\"valueString\": \"%s\"}]", writer->text);
    request.target = target;
    request.path = (char *)paths[writer->place];
    request.answers = (ProtobufCBinaryData){strlen(json), (uint8_t *)json};
    writer->doing = SETTING;
    send(writer, OWN, "SetAnswer", &request.base);
}

static void act_on_response(struct writer *writer, Gate__V1__FormTarget *target, bool is_to_load) {
    const struct response *response = &writer->responses[writer->place];
    if (is_to_load) {
        Gate__V1__LoadFormRequest request = GATE__V1__LOAD_FORM_REQUEST__INIT;
        request.target = target;
        request.response_id = response->id;
        writer->doing = LOADING;
        return send(writer, OWN, "LoadForm", &request.base);
    }
    Gate__V1__WithdrawResponseRequest request = GATE__V1__WITHDRAW_RESPONSE_REQUEST__INIT;
    request.response_id = response->id;
    writer->doing = WITHDRAWING;
    bool is_withdrawn = response->status == GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_ENTERED_IN_ERROR;
    send(writer, is_withdrawn ? ADMINISTRATOR : OWN, "WithdrawResponse", &request.base);
}

static void act(struct actor *actor) {
    struct writer *writer = (struct writer *)actor;
    Gate__V1__FormTarget target = GATE__V1__FORM_TARGET__INIT;
    target.name = writer->form;
    if (writer->revision == 0) {
        Gate__V1__OpenFormRequest request = GATE__V1__OPEN_FORM_REQUEST__INIT;
        request.target = &target;
        writer->doing = OPENING;
        return send(writer, OWN, "OpenForm", &request.base);
    }
    unsigned choice = below(12);
    if (choice > 3) return set_answer(writer, &target);
    writer->place = below(RESPONSES);
    if (writer->responses[writer->place].id != 0) return act_on_response(writer, &target, choice < 2);
    if (choice == 0) {
        Gate__V1__CompleteFormRequest request = GATE__V1__COMPLETE_FORM_REQUEST__INIT;
        request.target = &target;
        writer->doing = COMPLETING;
        send(writer, OWN, "CompleteForm", &request.base);
    } else if (choice == 1) {
        Gate__V1__DiscardFormRequest request = GATE__V1__DISCARD_FORM_REQUEST__INIT;
        request.target = &target;
        writer->doing = DISCARDING;
        send(writer, OWN, "DiscardForm", &request.base);
    } else {
        Gate__V1__SaveFormRequest request = GATE__V1__SAVE_FORM_REQUEST__INIT;
        request.target = &target;
        writer->doing = SAVING;
        send(writer, OWN, "SaveForm", &request.base);
    }
}

// MARK: after a restart

// The answers of a response: the text between a question's `linkId` and the next one.
static struct answers read_answers(const ProtobufCBinaryData *json) {
    struct answers answers = {0};
    for (int i = 0; i < QUESTIONS; i++) {
        static const char value[] = "\"valueString\":\"";
        char name[48];
        snprintf(name, sizeof name, "\"linkId\":\"%s\"", paths[i]);
        const char *end = (const char *)json->data + json->len;
        const char *found = memmem(json->data, json->len, name, strlen(name));
        if (!found) continue;
        found += strlen(name);
        const char *next = memmem(found, (size_t)(end - found), "\"linkId\"", 8);
        const char *text = memmem(found, (size_t)((next ? next : end) - found), value, strlen(value));
        if (!text) continue;
        text += strlen(value);
        const char *quote = memchr(text, '"', (size_t)(end - text));
        size_t size = quote ? (size_t)(quote - text) : 0;
        if (size >= sizeof answers.texts[i]) broken("an answer that nobody gave");
        memcpy(answers.texts[i], text, size);
    }
    return answers;
}

static void compare_answers(struct writer *writer, const ProtobufCBinaryData *json, const struct answers *must_be) {
    struct answers is = read_answers(json);
    for (int i = 0; i < QUESTIONS; i++) {
        run.records_compared++;
        if (strcmp(is.texts[i], must_be->texts[i]) == 0) continue;
        broken(
            "%s of writer %u: %s is '%s', and has to be '%s': %.*s", writer->form, writer->actor.number, paths[i], is.texts[i],
            must_be->texts[i], (int)json->len, (const char *)json->data);
    }
}

static const struct answer *read_draft(struct writer *writer) {
    Gate__V1__FormTarget target = GATE__V1__FORM_TARGET__INIT;
    target.name = writer->form;
    Gate__V1__ReadFormRequest request = GATE__V1__READ_FORM_REQUEST__INIT;
    request.target = &target;
    return call_now(&writer->actor.peers[OWN], &gate__v1__questionnaires__descriptor, "ReadForm", &request.base);
}

static const Gate__V1__ListResponsesResponse *list_responses(struct writer *writer) {
    Gate__V1__ListResponsesRequest request = GATE__V1__LIST_RESPONSES_REQUEST__INIT;
    request.name = writer->form;
    return ask(&writer->actor.peers[OWN], &gate__v1__questionnaires__descriptor, "ListResponses", &request.base);
}

// A response that exists and was never confirmed; 0 if there is none.
static uint64_t find_new_response(struct writer *writer) {
    const Gate__V1__ListResponsesResponse *response = list_responses(writer);
    for (size_t i = 0; i < response->n_responses; i++) {
        bool is_known = false;
        for (int j = 0; j < RESPONSES; j++) is_known = is_known || writer->responses[j].id == response->responses[i]->id;
        if (!is_known) return response->responses[i]->id;
    }
    return 0;
}

static bool was_done(struct writer *writer, uint64_t *id) {
    uid_t uid = uid_of_writer(writer);
    const struct response *response = &writer->responses[writer->place % RESPONSES];
    switch (writer->doing) {
        case OPENING:
            return is_entry_found(
                ENTRY(FORM_OPENED), uid, "%s, uid %u", writer->form, (unsigned)uid);
        case SETTING:
        case LOADING: {
            const struct answer *answer = read_draft(writer);
            if (answer->code != CODE_OK) broken("a draft is lost: %s", answer->text);
            return ((const Gate__V1__ReadFormResponse *)answer->message)->draft->summary->revision != writer->revision;
        }
        case SAVING:
        case COMPLETING: return (*id = find_new_response(writer)) != 0;
        case DISCARDING:
            return is_entry_found(
                ENTRY(FORM_DISCARDED), uid, "%s, uid %u", writer->form, (unsigned)uid);
        case WITHDRAWING: {
            bool is_withdrawn = response->status == GATE__V1__RESPONSE_SUMMARY__STATUS__STATUS_ENTERED_IN_ERROR;
            return is_entry_found(
                ENTRY(RESPONSE_WITHDRAWN),
                is_withdrawn ? uid_of(&writer->actor, ADMINISTRATOR) : uid, "%s, uid %u, response %lu", writer->form,
                (unsigned)uid, (unsigned long)response->id);
        }
    }
    return false;
}

static void compare_responses(struct writer *writer) {
    struct actor *actor = &writer->actor;
    unsigned must_be = 0, found = 0;
    for (int i = 0; i < RESPONSES; i++) must_be += writer->responses[i].id != 0;
    const Gate__V1__ListResponsesResponse *list = list_responses(writer);
    for (size_t i = 0; i < list->n_responses; i++) {
        for (int j = 0; j < RESPONSES; j++) {
            if (writer->responses[j].id != list->responses[i]->id) continue;
            compare(actor, "the status of a response", list->responses[i]->status, writer->responses[j].status);
            found++;
        }
    }
    compare(actor, "the number of responses", (int64_t)list->n_responses, must_be);
    compare(actor, "the number of responses that are known", found, must_be);
    const struct response *one = &writer->responses[below(RESPONSES)];
    if (one->id == 0) return;
    Gate__V1__GetResponseRequest request = GATE__V1__GET_RESPONSE_REQUEST__INIT;
    request.response_id = one->id;
    const Gate__V1__GetResponseResponse *whole =
        ask(&actor->peers[OWN], &gate__v1__questionnaires__descriptor, "GetResponse", &request.base);
    compare_answers(writer, &whole->response, &one->answers);
}

static void check(struct actor *actor) {
    struct writer *writer = (struct writer *)actor;
    uint64_t id = 0;
    if (actor->is_busy && was_done(writer, &id)) {
        run.found_done++;
        const struct answer *found = read_draft(writer);
        bool is_there = found->code == CODE_OK;
        done(writer, id, is_there ? ((const Gate__V1__ReadFormResponse *)found->message)->draft->summary->revision : 0);
    }
    compare_responses(writer);
    const struct answer *answer = read_draft(writer);
    compare(actor, "whether there is a draft", answer->code == CODE_OK, writer->revision > 0);
    if (writer->revision == 0) return;
    const Gate__V1__FormDraft *draft = ((const Gate__V1__ReadFormResponse *)answer->message)->draft;
    compare(actor, "the revision of a draft", (int64_t)draft->summary->revision, (int64_t)writer->revision);
    compare_answers(writer, &draft->response, &writer->answers);
}

static void attempt(struct actor *actor) {
    (void)actor;
}

static void expect_rows(struct actor *actor) {
    struct writer *writer = (struct writer *)actor;
    unsigned uid = (unsigned)uid_of_writer(writer);
    if (writer->revision > 0) {
        expect_row("draft user:%u %s revision %lu", uid, writer->form, (unsigned long)writer->revision);
        for (int i = 0; i < QUESTIONS; i++) {
            if (*writer->answers.texts[i])
                expect_row("draft_row user:%u %s %s: %s", uid, writer->form, paths[i], writer->answers.texts[i]);
        }
    }
    for (int i = 0; i < RESPONSES; i++) {
        const struct response *response = &writer->responses[i];
        static const char *const names[] = {"", "in-progress", "completed", "entered-in-error"};
        if (response->id)
            expect_row("response %lu user:%u %s %s", (unsigned long)response->id, uid, writer->form, names[response->status]);
    }
}

static const struct subject subject = {"writer", act, check, attempt, expect_rows};

struct actor *new_writer(unsigned number) {
    struct writer *writer = (struct writer *)begin_actor(sizeof *writer, &subject, number);
    snprintf(writer->form, sizeof writer->form, "note-%u", number);
    return &writer->actor;
}
