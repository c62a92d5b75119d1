// A client that attaches a document to a form and removes it: the bytes must be there as long as an answer names them.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "actor.h"
#include "chance.h"
#include "database.h"
#include "journal.h"
#include "promises.h"

enum { PAPER_BYTES = 400, DIGEST_DIGITS = 64 };

struct paper {
    // Empty: there is no document.
    char digest[DIGEST_DIGITS + 1];
    uint8_t bytes[PAPER_BYTES];
};

enum doing { OPENING, UPLOADING, PUTTING, TAKING, SAVING, WITHDRAWING };

struct clerk {
    struct actor actor;
    char form[24];
    // 0: there is no draft.
    uint64_t revision;
    // The documents that were uploaded over this connection, that the draft names, that the kept copy names, and that
    // nothing names.
    struct paper brought, on_draft, on_copy, gone;
    // 0: no copy is kept.
    uint64_t copy;
    enum doing doing;
};

static bool is_named(const struct clerk *clerk, const char *digest) {
    return strcmp(clerk->on_draft.digest, digest) == 0 || (clerk->copy && strcmp(clerk->on_copy.digest, digest) == 0);
}

// MARK: what was confirmed, or found done

// `revision`: the draft's new revision.
static void done(struct clerk *clerk, uint64_t copy, uint64_t revision) {
    uid_t uid = uid_of(&clerk->actor, OWN);
    switch (clerk->doing) {
        case OPENING:
            expect_entry(ENTRY(FORM_OPENED), uid, "%s, uid %u", clerk->form, (unsigned)uid);
            clerk->revision = revision;
            return;
        case UPLOADING: return;
        case PUTTING:
        case TAKING:
            clerk->gone = clerk->on_draft;
            clerk->on_draft = clerk->doing == PUTTING ? clerk->brought : (struct paper){0};
            clerk->brought = (struct paper){0};
            if (revision <= clerk->revision) broken("the revision %lu of a draft came twice", (unsigned long)revision);
            clerk->revision = revision;
            return;
        case SAVING:
            expect_entry(
                ENTRY(FORM_SAVED), uid, "%s, uid %u, response %lu", clerk->form, (unsigned)uid, (unsigned long)copy);
            clerk->copy = copy;
            clerk->on_copy = clerk->on_draft;
            return;
        case WITHDRAWING:
            expect_entry(
                ENTRY(RESPONSE_WITHDRAWN), uid, "%s, uid %u, response %lu", clerk->form, (unsigned)uid,
                (unsigned long)clerk->copy);
            clerk->gone = clerk->on_copy;
            clerk->copy = 0;
            return;
    }
}

static void answered(struct actor *actor, const struct answer *answer) {
    static const char *const names[] = {"OpenForm", "Upload", "SetAnswer", "SetAnswer", "SaveForm", "WithdrawResponse"};
    struct clerk *clerk = (struct clerk *)actor;
    must_work(actor, names[clerk->doing], answer);
    if (clerk->doing == UPLOADING) {
        const char *digest = ((const Gate__V1__UploadResponse *)answer->message)->digest;
        if (strlen(digest) != DIGEST_DIGITS) broken("the digest of a paper is '%s'", digest);
        strcpy(clerk->brought.digest, digest);
    }
    uint64_t revision = 0;
    if (clerk->doing == OPENING) revision = ((const Gate__V1__OpenFormResponse *)answer->message)->draft->summary->revision;
    if (clerk->doing == PUTTING || clerk->doing == TAKING)
        revision = ((const Gate__V1__SetAnswerResponse *)answer->message)->change->summary->revision;
    done(clerk, clerk->doing == SAVING ? ((const Gate__V1__SaveFormResponse *)answer->message)->response_id : 0, revision);
}

// MARK: commands

static void send(struct clerk *clerk, const char *method, const ProtobufCMessage *message) {
    command(&clerk->actor, OWN, &gate__v1__questionnaires__descriptor, method, message, answered);
}

static void upload(struct clerk *clerk) {
    Gate__V1__UploadRequest request = GATE__V1__UPLOAD_REQUEST__INIT;
    for (int i = 0; i < PAPER_BYTES; i++) clerk->brought.bytes[i] = (uint8_t)below(256);
    request.piece = (ProtobufCBinaryData){PAPER_BYTES, clerk->brought.bytes};
    request.is_last = true;
    clerk->doing = UPLOADING;
    send(clerk, "Upload", &request.base);
}

static void set(struct clerk *clerk, Gate__V1__FormTarget *target) {
    Gate__V1__SetAnswerRequest request = GATE__V1__SET_ANSWER_REQUEST__INIT;
    char json[192] = "[]";
    clerk->doing = *clerk->brought.digest ? PUTTING : TAKING;
    if (clerk->doing == PUTTING)
        snprintf(
            json, sizeof json, "[{\"valueAttachment\": {\"contentType\": \"text/plain\", \"url\": \"urn:sha256:%s\"}}]",
            clerk->brought.digest);
    request.target = target;
    request.path = "paper";
    request.answers = (ProtobufCBinaryData){strlen(json), (uint8_t *)json};
    send(clerk, "SetAnswer", &request.base);
}

static void act(struct actor *actor) {
    struct clerk *clerk = (struct clerk *)actor;
    Gate__V1__FormTarget target = GATE__V1__FORM_TARGET__INIT;
    target.name = clerk->form;
    if (clerk->revision == 0) {
        Gate__V1__OpenFormRequest request = GATE__V1__OPEN_FORM_REQUEST__INIT;
        request.target = &target;
        clerk->doing = OPENING;
        return send(clerk, "OpenForm", &request.base);
    }
    if (*clerk->brought.digest) return set(clerk, &target);
    unsigned choice = below(6);
    if (choice == 0 && !clerk->copy) {
        Gate__V1__SaveFormRequest request = GATE__V1__SAVE_FORM_REQUEST__INIT;
        request.target = &target;
        clerk->doing = SAVING;
        return send(clerk, "SaveForm", &request.base);
    }
    if (choice == 0) {
        Gate__V1__WithdrawResponseRequest request = GATE__V1__WITHDRAW_RESPONSE_REQUEST__INIT;
        request.response_id = clerk->copy;
        clerk->doing = WITHDRAWING;
        return send(clerk, "WithdrawResponse", &request.base);
    }
    if (choice == 1 && *clerk->on_draft.digest) return set(clerk, &target);
    upload(clerk);
}

// MARK: after a restart

static const Gate__V1__FormDraft *read_draft(struct clerk *clerk) {
    Gate__V1__FormTarget target = GATE__V1__FORM_TARGET__INIT;
    target.name = clerk->form;
    Gate__V1__ReadFormRequest request = GATE__V1__READ_FORM_REQUEST__INIT;
    request.target = &target;
    const Gate__V1__ReadFormResponse *response =
        ask(&clerk->actor.peers[OWN], &gate__v1__questionnaires__descriptor, "ReadForm", &request.base);
    return response->draft;
}

// The copy that is kept; 0 if there is none.
static uint64_t find_copy(struct clerk *clerk) {
    Gate__V1__ListResponsesRequest request = GATE__V1__LIST_RESPONSES_REQUEST__INIT;
    request.name = clerk->form;
    const Gate__V1__ListResponsesResponse *response =
        ask(&clerk->actor.peers[OWN], &gate__v1__questionnaires__descriptor, "ListResponses", &request.base);
    if (response->n_responses > 1) broken("a copy of a form is there twice");
    return response->n_responses ? response->responses[0]->id : 0;
}

static bool was_done(struct clerk *clerk, uint64_t *copy) {
    uid_t uid = uid_of(&clerk->actor, OWN);
    switch (clerk->doing) {
        case OPENING: return is_entry_found(ENTRY(FORM_OPENED), uid, "%s, uid %u", clerk->form, (unsigned)uid);
        case UPLOADING: return false;
        case PUTTING:
        case TAKING: return read_draft(clerk)->summary->revision != clerk->revision;
        case SAVING: return (*copy = find_copy(clerk)) != 0;
        case WITHDRAWING: return find_copy(clerk) == 0;
    }
    return false;
}

static void compare_paper(struct clerk *clerk, const struct paper *paper, bool is_there) {
    struct actor *actor = &clerk->actor;
    if (!*paper->digest) return;
    Gate__V1__DownloadRequest request = GATE__V1__DOWNLOAD_REQUEST__INIT;
    request.digest = (char *)paper->digest;
    const struct answer *answer =
        call_now(&actor->peers[OWN], &gate__v1__questionnaires__descriptor, "Download", &request.base);
    compare(actor, "whether a paper is there", answer->code == CODE_OK, is_there);
    if (!is_there) return;
    const Gate__V1__DownloadResponse *response = (const Gate__V1__DownloadResponse *)answer->message;
    compare(actor, "the size of a paper", (int64_t)response->piece.len, PAPER_BYTES);
    if (memcmp(response->piece.data, paper->bytes, PAPER_BYTES) != 0) broken("a paper says something else: %s", paper->digest);
}

static void check(struct actor *actor) {
    struct clerk *clerk = (struct clerk *)actor;
    uint64_t copy = 0;
    if (actor->is_busy && was_done(clerk, &copy)) {
        run.found_done++;
        done(clerk, copy, read_draft(clerk)->summary->revision);
    }
    // A document that was uploaded and not named is dropped with its connection.
    clerk->brought = (struct paper){0};
    compare(actor, "the copy of a form", (int64_t)find_copy(clerk), (int64_t)clerk->copy);
    if (clerk->revision == 0) return;
    const Gate__V1__FormDraft *draft = read_draft(clerk);
    compare(actor, "the revision of a draft", (int64_t)draft->summary->revision, (int64_t)clerk->revision);
    static const char urn[] = "urn:sha256:";
    const char *found = memmem(draft->response.data, draft->response.len, urn, strlen(urn));
    compare(actor, "whether a draft names a paper", found != NULL, *clerk->on_draft.digest != 0);
    if (found) compare(actor, "its digest", strncmp(found + strlen(urn), clerk->on_draft.digest, DIGEST_DIGITS), 0);
    compare_paper(clerk, &clerk->on_draft, true);
    if (clerk->copy) compare_paper(clerk, &clerk->on_copy, true);
    compare_paper(clerk, &clerk->gone, is_named(clerk, clerk->gone.digest));
}

static void attempt(struct actor *actor) {
    (void)actor;
}

static void expect_rows(struct actor *actor) {
    struct clerk *clerk = (struct clerk *)actor;
    unsigned uid = (unsigned)uid_of(actor, OWN);
    if (clerk->revision) expect_row("draft user:%u %s revision %lu", uid, clerk->form, (unsigned long)clerk->revision);
    if (clerk->copy) expect_row("response %lu user:%u %s in-progress", (unsigned long)clerk->copy, uid, clerk->form);
    if (*clerk->on_draft.digest) {
        expect_row("draft_row user:%u %s paper: urn:sha256:%s", uid, clerk->form, clerk->on_draft.digest);
        expect_row("attachment %s", clerk->on_draft.digest);
    }
    bool is_same = strcmp(clerk->on_copy.digest, clerk->on_draft.digest) == 0;
    if (clerk->copy && *clerk->on_copy.digest && !is_same) expect_row("attachment %s", clerk->on_copy.digest);
}

static const struct subject subject = {"clerk", act, check, attempt, expect_rows};

struct actor *new_clerk(unsigned number) {
    struct clerk *clerk = (struct clerk *)begin_actor(sizeof *clerk, &subject, number);
    snprintf(clerk->form, sizeof clerk->form, "papers-%u", number);
    return &clerk->actor;
}
