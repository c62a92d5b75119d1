// A client that marks an app's news as seen, and then as not seen.
#include <stdio.h>
#include <string.h>

#include "actor.h"
#include "chance.h"
#include "database.h"
#include "journal.h"
#include "promises.h"

enum { VERSIONS = 3 };
static const char *const versions[VERSIONS] = {"1.0.0", "1.1.0", "1.2.0"};

struct reader {
    struct actor actor;
    char app[48];
    bool is_seen[VERSIONS];
    // In flight: the version that is acknowledged; VERSIONS: a reset.
    unsigned doing;
};

static unsigned seen_count(const struct reader *reader) {
    unsigned count = 0;
    for (int i = 0; i < VERSIONS; i++) count += reader->is_seen[i];
    return count;
}

// Whether the command in flight changes anything.
static bool is_change(const struct reader *reader) {
    return reader->doing == VERSIONS ? seen_count(reader) > 0 : !reader->is_seen[reader->doing];
}

static void done(struct reader *reader) {
    uid_t uid = uid_of(&reader->actor, OWN);
    if (!is_change(reader)) return;
    if (reader->doing == VERSIONS) {
        expect_entry(ENTRY(WHATS_NEW_RESET), uid, "%s, uid %u", reader->app, (unsigned)uid);
        memset(reader->is_seen, 0, sizeof reader->is_seen);
    } else {
        const char *version = versions[reader->doing];
        expect_entry(ENTRY(WHATS_NEW_SEEN), uid, "%s %s, uid %u", reader->app, version, (unsigned)uid);
        reader->is_seen[reader->doing] = true;
    }
}

static void answered(struct actor *actor, const struct answer *answer) {
    struct reader *reader = (struct reader *)actor;
    must_work(actor, reader->doing == VERSIONS ? "ResetReleaseNotes" : "AcknowledgeReleaseNotes", answer);
    if (reader->doing == VERSIONS)
        compare(
            actor, "what counts as not seen again",
            ((const Gate__V1__ResetReleaseNotesResponse *)answer->message)->count, seen_count(reader));
    done(reader);
}

static void act(struct actor *actor) {
    struct reader *reader = (struct reader *)actor;
    reader->doing = below(VERSIONS + 1);
    if (reader->doing == VERSIONS) {
        Gate__V1__ResetReleaseNotesRequest request = GATE__V1__RESET_RELEASE_NOTES_REQUEST__INIT;
        request.app = reader->app;
        return command(actor, OWN, &gate__v1__release_notes__descriptor, "ResetReleaseNotes", &request.base, answered);
    }
    Gate__V1__AcknowledgeReleaseNotesRequest request = GATE__V1__ACKNOWLEDGE_RELEASE_NOTES_REQUEST__INIT;
    request.app = reader->app;
    request.version = (char *)versions[reader->doing];
    command(actor, OWN, &gate__v1__release_notes__descriptor, "AcknowledgeReleaseNotes", &request.base, answered);
}

static void check(struct actor *actor) {
    struct reader *reader = (struct reader *)actor;
    uid_t uid = uid_of(actor, OWN);
    if (actor->is_busy && is_change(reader)) {
        bool was_done = reader->doing == VERSIONS
            ? is_entry_found(ENTRY(WHATS_NEW_RESET), uid, "%s, uid %u", reader->app, (unsigned)uid)
            : is_entry_found(
                  ENTRY(WHATS_NEW_SEEN), uid, "%s %s, uid %u", reader->app, versions[reader->doing],
                  (unsigned)uid);
        if (was_done) done(reader);
        run.found_done += was_done;
    }
    Gate__V1__ListReleaseNotesRequest request = GATE__V1__LIST_RELEASE_NOTES_REQUEST__INIT;
    const Gate__V1__ListReleaseNotesResponse *response =
        ask(&actor->peers[OWN], &gate__v1__release_notes__descriptor, "ListReleaseNotes", &request.base);
    const Gate__V1__ListedReleaseNotes *listed = NULL;
    for (size_t i = 0; i < response->n_apps; i++) {
        if (strcmp(response->apps[i]->app, reader->app) == 0) listed = response->apps[i];
    }
    if (!listed) broken("the release notes of %s are not there", reader->app);
    for (int i = 0; i < VERSIONS; i++) {
        bool is_seen = false;
        for (size_t j = 0; j < listed->n_seen; j++) is_seen = is_seen || strcmp(listed->seen[j], versions[i]) == 0;
        compare(actor, "whether a version was seen", is_seen, reader->is_seen[i]);
    }
}

static void attempt(struct actor *actor) {
    (void)actor;
}

static void expect_rows(struct actor *actor) {
    struct reader *reader = (struct reader *)actor;
    for (int i = 0; i < VERSIONS; i++) {
        if (reader->is_seen[i])
            expect_row("whats_new user:%u %s %s", (unsigned)uid_of(actor, OWN), reader->app, versions[i]);
    }
}

static const struct subject subject = {"reader", act, check, attempt, expect_rows};

struct actor *new_reader(unsigned number) {
    struct reader *reader = (struct reader *)begin_actor(sizeof *reader, &subject, number);
    snprintf(reader->app, sizeof reader->app, "org.example.app%u", number);
    return &reader->actor;
}
