#define _GNU_SOURCE
#include "configuration.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "actor.h"

// If all actors have the same user, each has gates of its own, so that no actor changes another one's data.
static const char *gate(const char *name, unsigned number) {
    static char *names[2][64];
    char **place = &names[*name == 'k'][number];
    if (*place) return *place;
    int size = are_users_apart() ? asprintf(place, "sum.%s", name) : asprintf(place, "sum.%s.%c", name, 'a' + number);
    if (size < 0) fail("no memory");
    return *place;
}

const char *open_gate_of(unsigned number) {
    return gate("open", number);
}

const char *kept_gate_of(unsigned number) {
    return gate("keep", number);
}

static FILE *create(const char *directory, const char *folder, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", directory, folder) < 0) fail("no memory");
    mkdir(path, 0755);
    free(path);
    if (asprintf(&path, "%s/%s/%s", directory, folder, name) < 0) fail("no memory");
    FILE *file = fopen(path, "we");
    if (!file || chmod(path, 0644) != 0) fail_system("can't make %s", path);
    free(path);
    return file;
}

static void finish(FILE *file) {
    if (fclose(file) != 0) fail_system("can't write the configuration");
}

void write_configuration(const char *directory) {
    FILE *policy = create(directory, ".", "policy.yaml");
    fputs(
        "mode: {challenge: arithmetic-entry, lease: 15m}\n"
        "lockout: {after: 2, for: 1h, factor: 2, max: 12h}\n"
        "entitlements: {premium: {title: Premium}}\n"
        "gated-actions:\n"
        "  photos.delete: {requires: {mode: parent}}\n"
        "  safe.open: {requires: {challenge: passcode}}\n"
        "  vault.open: {requires: {challenge: totp}}\n"
        "  page.open: {title: Open a page, requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d,"
        " choices: [once, today, always, this-site, 12h]}}}\n",
        policy);
    for (unsigned i = 0; i < (are_users_apart() ? 1 : PERSONS); i++) {
        fprintf(policy, "  %s: {requires: {challenge: arithmetic-entry}}\n", open_gate_of(i));
        fprintf(policy, "  %s: {requires: {challenge: arithmetic-entry}, keep: 24h}\n", kept_gate_of(i));
    }
    finish(policy);
    for (unsigned i = 0; i < ACTORS; i++) {
        char name[32];
        snprintf(name, sizeof name, "note-%u.yaml", i);
        FILE *form = create(directory, "questionnaires.d", name);
        fprintf(form, "resourceType: Questionnaire\nid: note-%u\nstatus: active\ntitle: A note\nitem:\n", i);
        static const char *const questions[] = {"country", "city", "street", "remark"};
        for (int question = 0; question < 4; question++) {
            fprintf(form, "  - linkId: %s\n    type: string\n    text: The %s\n", questions[question], questions[question]);
            if (question != 1 && question != 2) continue;
            fprintf(
                form,
                "    extension:\n      - {url: \"https://gate.example/fhir/StructureDefinition/parents\", valueString: %s}\n",
                questions[question - 1]);
        }
        finish(form);
        snprintf(name, sizeof name, "papers-%u.yaml", i);
        FILE *papers = create(directory, "questionnaires.d", name);
        fprintf(papers, "resourceType: Questionnaire\nid: papers-%u\nstatus: active\ntitle: Papers\nitem:\n", i);
        fputs("  - {linkId: paper, type: attachment, text: A paper}\n", papers);
        finish(papers);
        snprintf(name, sizeof name, "app%u.yaml", i);
        FILE *notes = create(directory, "release-notes.d", name);
        fprintf(notes, "app: org.example.app%u\nversions:\n", i);
        for (int version = 0; version < 3; version++)
            fprintf(notes, "  1.%d.0: {title: News, features: [{title: Something}]}\n", version);
        finish(notes);
    }
}
