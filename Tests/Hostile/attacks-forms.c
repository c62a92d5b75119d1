// Forms: opens, fills, checks, keeps, loads and completes large ones, as fast as possible.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hostile.h"

// The size of a response with which the request is just within its limit.
enum { RESPONSE_BYTES = 60 << 10 };

static void add(struct bytes *bytes, const char *text) { put(bytes, text, strlen(text)); }

// The form in force: as many short questions as a response of 60 KiB can answer, and one that accepts many answers.
struct bytes large_form(void) {
    struct bytes form = {0};
    char text[160];
    add(&form, "{\"resourceType\":\"Questionnaire\",\"id\":\"" LARGE_FORM "\",\"url\":\"https://school.example/large\","
        "\"version\":\"1\",\"status\":\"active\",\"title\":\"A large form\",\"item\":[");
    for (int i = 0; i < LARGE_FORM_ITEMS; i++) {
        snprintf(text, sizeof text, "{\"linkId\":\"%d\",\"type\":\"string\",\"text\":\"Question %d\"},", i, i);
        add(&form, text);
    }
    add(&form, "{\"linkId\":\"all\",\"type\":\"string\",\"text\":\"Whatever else\",\"repeats\":true}]}");
    return form;
}

// An expression that takes about 700,000 steps, whatever is answered.
#define TEN "(0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9)"
#define COSTLY TEN ".select(" TEN ".select(" TEN ".select(" TEN ".select(" TEN ")))).count()"
#define HL7 "http://hl7.org/fhir/StructureDefinition/"
#define FOLLOWS(what) ",\"extension\":[{\"url\":\"http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-" what "\",\"valueExpression\":" \
    "{\"language\":\"text/fhirpath\",\"expression\":\"iif(%resource.item.where(linkId = '0').exists(), " COSTLY ", 1) > 0\"}}]}"

struct bytes costly_form(void) {
    struct bytes form = {0};
    add(&form, "{\"resourceType\":\"Questionnaire\",\"id\":\"" COSTLY_FORM "\",\"url\":\"https://school.example/costly\","
        "\"version\":\"1\",\"status\":\"active\",\"title\":\"A costly form\",\"extension\":[{\"url\":\"" HL7
        "questionnaire-constraint\",\"extension\":[{\"url\":\"key\",\"valueId\":\"costly\"},{\"url\":\"severity\",\"valueCode\":\"error\"},"
        "{\"url\":\"human\",\"valueString\":\"It is.\"},{\"url\":\"expression\",\"valueString\":\"" COSTLY " > 0\"}]}],"
        "\"item\":[{\"linkId\":\"0\",\"type\":\"integer\",\"text\":\"How many?\",\"extension\":[{\"url\":\"" HL7
        "maxValue\",\"_valueInteger\":{\"extension\":[{\"url\":\"" HL7
        "cqf-expression\",\"valueExpression\":{\"language\":\"text/fhirpath\",\"expression\":\"" COSTLY "\"}}]}}]},"
        "{\"linkId\":\"1\",\"type\":\"boolean\",\"text\":\"Calculated\"" FOLLOWS("calculatedExpression") ","
        "{\"linkId\":\"2\",\"type\":\"boolean\",\"text\":\"Asked\"" FOLLOWS("enableWhenExpression") "]}");
    return form;
}

// is_wrong: none of its questions is in the form, so that there is an issue about each.
static struct bytes response(bool is_wrong) {
    struct bytes json = {0};
    char text[80];
    add(&json, "{\"resourceType\":\"QuestionnaireResponse\",\"status\":\"completed\",\"item\":[");
    for (int i = 0; json.size < RESPONSE_BYTES - sizeof text; i++) {
        snprintf(text, sizeof text, "%s{\"linkId\":\"%s%d\",\"answer\":[{\"valueString\":\"a\"}]}", i > 0 ? "," : "", is_wrong ? "no" : "", i);
        add(&json, text);
        if (!is_wrong && i + 1 >= LARGE_FORM_ITEMS) break;
    }
    add(&json, "]}");
    return json;
}

// A message whose members are the target, some fields, and the response.
static struct bytes message(const char *form, uint32_t field, const struct bytes *json) {
    struct bytes target = {0}, message = {0};
    put_text(&target, 1, form);
    put_data(&message, 1, target.data, target.size);
    if (json) put_data(&message, field, json->data, json->size);
    free(target.data);
    return message;
}

static struct bytes right, wrong;
static uint64_t withdrawn;

static bool sent(struct member *member, const char *call, struct bytes *request) {
    char method[64];
    snprintf(method, sizeof method, "Questionnaires/%s", call);
    put_request(&member->outgoing, member->stream, method, request, 0);
    member->stream += 2;
    free(request->data);
    return true;
}

// Sends a connection's next call. All work on one draft, so some calls are too late, which costs time, too.
static bool ask(struct crowd *crowd, struct member *member) {
    static const char *const methods[] = {"OpenForm", "ValidateForm", "ValidateForm", "FillForm", "ReadForm", "SaveForm", "LoadForm", "ValidateForm", "CompleteForm",
        "WithdrawResponse", "WithdrawResponse"};
    enum { STEPS = sizeof methods / sizeof *methods };
    unsigned step = (member->stream / 2 + (unsigned)member->index) % STEPS;
    struct bytes request = {0};
    if (step == 1 || step == 2) {
        request = message(LARGE_FORM, 2, step == 1 ? &right : &wrong);
    } else if (step == 3) {
        request = message(LARGE_FORM, 3, &right);
    } else if (step >= STEPS - 2) {
        put_number(&request, 1, ++withdrawn);
    } else {
        request = message(LARGE_FORM, 0, NULL);
    }
    (void)crowd;
    return sent(member, methods[step], &request);
}

// The same with the form whose expressions take long. All requests are small.
static bool ask_costly(struct crowd *crowd, struct member *member) {
    static const char *const methods[] = {"OpenForm", "SetAnswer", "ValidateForm", "ReadForm", "FillForm", "SuggestAnswer", "ResetForm", "SetAnswer",
        "ValidateForm", "CompleteForm", "WithdrawResponse"};
    enum { STEPS = sizeof methods / sizeof *methods };
    char answer[64];
    // A new answer each time, so that what depends on it is computed again.
    snprintf(answer, sizeof answer, "[{\"valueInteger\":%u}]", (unsigned)member->stream % 97 + 1);
    static const char said[] = "{\"resourceType\":\"QuestionnaireResponse\",\"status\":\"completed\",\"item\":[{\"linkId\":\"0\","
                               "\"answer\":[{\"valueInteger\":1}]}]}";
    const struct bytes json = {.data = (uint8_t *)said, .size = sizeof said - 1};
    unsigned step = (member->stream / 2 + (unsigned)member->index) % STEPS;
    struct bytes request = {0};
    if (step == 1 || step == 5 || step == 7) {
        request = message(COSTLY_FORM, 0, NULL);
        put_text(&request, 3, "0");
        put_data(&request, 4, answer, strlen(answer));
    } else if (step == 2 || step == 4) {
        request = message(COSTLY_FORM, step == 2 ? 2 : 3, &json);
    } else if (step == STEPS - 1) {
        put_number(&request, 1, ++withdrawn);
    } else {
        request = message(COSTLY_FORM, 0, NULL);
    }
    (void)crowd;
    return sent(member, methods[step], &request);
}

static void fill_forms(struct scene *scene, int connections, bool (*next)(struct crowd *, struct member *)) {
    right = response(false);
    wrong = response(true);
    struct crowd *crowd = open_crowd(scene, connections);
    say_more(crowd, next);
    // The attack has begun once one call was executed. On a slow machine a single expression may take a second.
    double began = now();
    while (scene->shared->codes[OK] == 0 && now() < began + PATIENCE_SECONDS) pump(crowd, 10);
    scene->shared->is_set_up = true;
    double started = now();
    unsigned long answers = 0;
    while (!scene->shared->is_over) answers += (unsigned long)pump(crowd, 10);
    struct exchange *shared = scene->shared;
    for (int code = 0; code < CODES; code++) {
        // Possible results: another connection changed or removed the draft, the response does not exist (yet), or
        // there are too many.
        if (code == OK || code == INVALID_ARGUMENT || code == NOT_FOUND || code == FAILED_PRECONDITION || code == ABORTED
            || code == RESOURCE_EXHAUSTED) continue;
        if (shared->codes[code] > 0) broken("%lu calls about forms got code %d", (unsigned long)shared->codes[code], code);
    }
    if (shared->codes[OK] == 0) broken("not one call about forms was answered");
    if (shared->hang_ups > 0) broken("gated hung up on who fills in forms");
    snprintf(shared->found, sizeof shared->found, "%.0f answers a second, %lu of them with OK", (double)answers / (now() - started),
        (unsigned long)shared->codes[OK]);
}

static void fill_with_four(struct scene *scene) { fill_forms(scene, 4, ask); }
static void fill_with_thirty(struct scene *scene) { fill_forms(scene, 30, ask); }
static void fill_costly(struct scene *scene) { fill_forms(scene, 30, ask_costly); }

const struct attack form_attacks[] = {
    {"forms", "4 connections fill in a form of 1,200 questions: open, validate 60 KB, fill, read, keep, load, complete",
        "reads, checks and writes forms beside the event loop; who takes long waits as long as that took", .run = fill_with_four,
        .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 96 << 10},
    {"many-forms", "the same over 30 connections", "as with four", .run = fill_with_thirty, .uid = ATTACKER_UID, .processes = 1,
        .allowed_kib = 128 << 10},
    {"expressions", "30 connections answer, check and complete a small form whose rules, limits and values take 1,000,000 steps",
        "evaluates expressions beside the event loop, each with its share of the steps", .run = fill_costly, .uid = ATTACKER_UID, .processes = 1,
        .allowed_kib = 128 << 10},
    {0},
};
