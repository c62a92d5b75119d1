// Commands: as many durable ones as possible, wrong answers, and commands that only administrators may give.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hostile.h"

// MARK: the journal

enum { WRITERS = 4 };

// A user may have four open questions, so four connections answer sums as fast as they can. Each grant makes three
// entries.
static void fill_journal(struct scene *scene) {
    struct peer *peers[WRITERS];
    for (int i = 0; i < WRITERS; i++) peers[i] = open_peer(scene);
    scene->shared->is_set_up = true;
    unsigned long granted = 0;
    double started = now();
    while (!scene->shared->is_over) {
        struct answer answers[WRITERS];
        struct bytes frames[WRITERS] = {{0}};
        // All four at once, so that a commit contains as many of them as possible.
        for (int step = 0; step < 3; step++) {
            for (int i = 0; i < WRITERS; i++) {
                struct bytes message = {0};
                struct field presentation, grant, proof;
                struct sum sum;
                char text[24];
                if (step == 0) {
                    message = authorize_message(SUM_ACTION, true);
                } else if (step == 1) {
                    if (!find_field(message_of(&answers[i]), 3, &presentation) || !read_sum(presentation.fields, &sum))
                        broken("no sum was asked");
                    snprintf(text, sizeof text, "%ld", sum.value);
                    message = complete_message(&sum, text);
                } else {
                    if (!find_field(message_of(&answers[i]), 4, &grant) || !find_field(grant.fields, 2, &proof))
                        broken("a right answer was granted nothing");
                    put_data(&message, 1, proof.fields.next, (size_t)proof.value);
                    put_text(&message, 2, SUM_ACTION);
                    put_text(&message, 3, "a photo");
                }
                static const char *const methods[] = {
                    "Authorization/Authorize", "Presentations/Complete", "Authorization/Redeem"};
                frames[i].size = 0;
                put_request(&frames[i], peers[i]->stream, methods[step], &message, 0);
                peers[i]->stream += 2;
                if (!send_bytes(peers[i], &frames[i])) broken("gated hung up");
                free(message.data);
            }
            for (int i = 0; i < WRITERS; i++) {
                if (!next_answer(peers[i], &answers[i])) broken("gated hung up");
                if (answers[i].code != OK) broken("step %d: code %d: %s", step, answers[i].code, answers[i].message);
            }
        }
        for (int i = 0; i < WRITERS; i++) free(frames[i].data);
        granted += WRITERS;
    }
    snprintf(scene->shared->found, sizeof scene->shared->found, "%lu grants, %.0f a second", granted,
        (double)granted / (now() - started));
}

// Checks that the neighbours' oldest entry is still there, however much others wrote.
static void check_journal(struct scene *scene) {
    struct peer *administrator = open_peer(scene);
    struct bytes frame = {0};
    put_request(&frame, 1, "Watch/Audit", NULL, FLAG_REMOTE_CLOSED);
    send_bytes(administrator, &frame);
    struct answer answer;
    unsigned long entries = 0, hostile = 0, neighbours = 0, first_of_neighbours = 0;
    for (;;) {
        if (!next_answer(administrator, &answer)) broken("gated hung up on who reads the journal");
        if (answer.header.type != FRAME_DATA) broken("the journal ends with code %d: %s", answer.code, answer.message);
        if (answer.header.flags & FLAG_REMOTE_CLOSED) break;
        struct field entry, number, by, uid;
        for (struct fields message = message_of(&answer); next_field(&message, &entry);) {
            if (entry.number != 2) continue;
            entries++;
            if (!find_field(entry.fields, 4, &by)) continue;
            uint64_t who = find_field(by.fields, 1, &uid) ? uid.value : 0;
            hostile += who == ATTACKER_UID;
            if (who < NEIGHBOUR_UID || who >= ATTACKER_UID) continue;
            if (neighbours++ == 0 && find_field(entry.fields, 1, &number)) first_of_neighbours = number.value;
        }
    }
    close_peer(administrator);
    if (neighbours == 0 || first_of_neighbours > 500)
        broken("the journal has lost what the neighbours did: %lu entries, theirs begin with revision %lu", neighbours,
            first_of_neighbours);
    // The attacker's newest entries have to be there, too.
    if (hostile == 0) broken("the journal has nothing of the attacker");
    size_t length = strlen(scene->shared->found);
    snprintf(scene->shared->found + length, sizeof scene->shared->found - length,
        "; the journal has %lu entries, %lu of them the attacker's, and all of the neighbours'", entries, hostile);
}

// MARK: wrong answers

enum { GUESSERS = 16 };

static void set_passcode(struct scene *scene) {
    struct peer *administrator = open_peer(scene);
    struct bytes message = {0};
    put_data(&message, 1, "48215937", 8);
    expect(administrator, OK, "Secrets/SetPasscode", &message);
    close_peer(administrator);
}

static void expect_no(struct peer *peer, const char *method, const struct bytes *message, struct scene *scene) {
    struct answer answer;
    if (!call(peer, method, message, &answer)) broken("%s: gated hung up", method);
    atomic_fetch_add(&scene->shared->codes[answer.code], 1);
    if (answer.code == UNAUTHENTICATED || answer.code == RESOURCE_EXHAUSTED || answer.code == FAILED_PRECONDITION) return;
    broken("%s with what is wrong: code %d: %s", method, answer.code, answer.message);
}

static bool log_in_wrong(struct crowd *crowd, struct member *member) {
    for (int i = 0; i < 8; i++, member->stream += 2) {
        struct bytes message = {0};
        char name[24];
        snprintf(name, sizeof name, "child%u", member->stream / 2 % 40);
        put_text(&message, 1, name);
        put_data(&message, 2, "not this one", 12);
        put_request(&member->outgoing, member->stream, "SignIn/LogIn", &message, 0);
        free(message.data);
    }
    (void)crowd;
    return true;
}

// Asks for a gated action, and answers wrong.
static void answer_wrong(struct peer *peer, struct scene *scene, bool is_passcode) {
    struct bytes message = authorize_message(is_passcode ? PASSCODE_ACTION : SUM_ACTION, true), wrong = {0};
    struct answer answer;
    if (!call(peer, "Authorization/Authorize", &message, &answer)) broken("gated hung up");
    free(message.data);
    atomic_fetch_add(&scene->shared->codes[answer.code], 1);
    if (answer.code == RESOURCE_EXHAUSTED) return;
    struct field presentation, cookie;
    if (answer.code != OK || !find_field(message_of(&answer), 3, &presentation) || !find_field(presentation.fields, 2, &cookie))
        broken("Authorization/Authorize: code %d: %s", answer.code, answer.message);
    put_data(&wrong, 1, cookie.fields.next, (size_t)cookie.value);
    if (is_passcode) put_data(&wrong, 3, "00000000", 8); else put_text(&wrong, 2, "100000");
    expect_no(peer, "Presentations/Complete", &wrong, scene);
    free(wrong.data);
}

static void guess(struct scene *scene) {
    set_passcode(scene);
    become(ATTACKER_UID);
    struct crowd *crowd = open_crowd(scene, GUESSERS);
    struct peer *peer = open_peer(scene);
    say_more(crowd, log_in_wrong);
    scene->shared->is_set_up = true;
    for (unsigned long turn = 0; !scene->shared->is_over; turn++) {
        for (int i = 0; i < 20; i++) pump(crowd, 1);
        answer_wrong(peer, scene, turn % 2);
    }
    for (int code = 0; code < CODES; code++) {
        // These are the possible results: a question was opened, or the call was refused.
        if (code == OK || code == UNAUTHENTICATED || code == RESOURCE_EXHAUSTED || code == FAILED_PRECONDITION) continue;
        if (scene->shared->codes[code] > 0) broken("%lu wrong answers got code %d", (unsigned long)scene->shared->codes[code], code);
    }
    for (int i = 0; i < GUESSERS; i++) {
        if (crowd->members[i].last_code == OK) broken("a wrong password signed in");
    }
    struct exchange *shared = scene->shared;
    snprintf(shared->found, sizeof shared->found, "%lu passwords wrong; %lu tries refused unchecked, or wrong sums and passcodes",
        (unsigned long)shared->codes[UNAUTHENTICATED],
        (unsigned long)(shared->codes[FAILED_PRECONDITION] + shared->codes[RESOURCE_EXHAUSTED]));
}

// MARK: what only administrators may

static void give_orders(struct scene *scene) {
    struct bytes override = {0}, passcode = {0}, whose = {0}, user = {0}, kind = {0};
    put_number(&override, 1, 3);
    put_text(&override, 3, "I am grown up");
    put_data(&passcode, 1, "48215937", 8);
    put_number(&user, 1, NEIGHBOUR_UID);
    put_data(&whose, 1, user.data, user.size);
    put_number(&kind, 1, 1);
    const struct {
        const char *method;
        const struct bytes *message;
        uint8_t flags;
    } orders[] = {
        {"Control/Reload", NULL, 0}, {"Control/GetStatistics", NULL, 0}, {"Control/Recover", NULL, 0},
        {"Mode/OverrideMode", &override, 0}, {"Secrets/SetPasscode", &passcode, 0}, {"Secrets/RemoveSecret", &kind, 0},
        {"Authorization/ClearLockout", &whose, 0}, {"Authorization/Revoke", &whose, 0}, {"Watch/Audit", NULL, FLAG_REMOTE_CLOSED},
    };
    enum { ORDERS = sizeof orders / sizeof *orders };
    struct peer *peer = open_peer(scene);
    scene->shared->is_set_up = true;
    unsigned long refused = 0;
    double started = now();
    for (; !scene->shared->is_over; refused += ORDERS) {
        struct bytes frames = {0};
        for (int i = 0; i < ORDERS; i++) put_request(&frames, peer->stream + 2 * (uint32_t)i, orders[i].method, orders[i].message, orders[i].flags);
        if (!send_bytes(peer, &frames)) broken("gated hung up");
        for (int i = 0; i < ORDERS; i++) {
            struct answer answer;
            if (!next_answer(peer, &answer)) broken("gated hung up");
            const char *method = orders[(answer.header.stream - peer->stream) / 2].method;
            if (answer.code != PERMISSION_DENIED) broken("%s: code %d: %s", method, answer.code, answer.message);
        }
        peer->stream += 2 * ORDERS;
        free(frames.data);
    }
    snprintf(scene->shared->found, sizeof scene->shared->found, "%.0f refused a second", (double)refused / (now() - started));
}

// MARK: locking, again and again

enum { LOCKERS = 16 };

static bool lock_again(struct crowd *crowd, struct member *member) {
    static const char *const methods[] = {"Mode/Lock", "SignIn/LogOut", "Mode/Toggle"};
    for (int i = 0; i < 3; i++, member->stream += 2) put_request(&member->outgoing, member->stream, methods[i], NULL, 0);
    (void)crowd;
    return true;
}

static void lock_loops(struct scene *scene) {
    struct crowd *crowd = open_crowd(scene, LOCKERS);
    say_more(crowd, lock_again);
    scene->shared->is_set_up = true;
    unsigned long answers = 0;
    double started = now();
    while (!scene->shared->is_over) answers += (unsigned long)pump(crowd, 10);
    struct exchange *shared = scene->shared;
    for (int code = 0; code < CODES; code++) {
        // These are possible, too: nobody can show the question, the user has too many questions, or it is locked out.
        if (code == OK || code == ABORTED || code == RESOURCE_EXHAUSTED || code == FAILED_PRECONDITION) continue;
        if (shared->codes[code] > 0) broken("%lu calls of lock loops got code %d", (unsigned long)shared->codes[code], code);
    }
    snprintf(shared->found, sizeof shared->found, "%.0f answers a second, %lu of them with OK",
        (double)answers / (now() - started), (unsigned long)shared->codes[OK]);
}

const struct attack command_attacks[] = {
    {"journal", "does sums as fast as it can, and takes the grants: three entries in the journal each",
        "commits them; when the journal is full, the oldest entries of the owner with the most go", .run = fill_journal,
        .check = check_journal, .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 48 << 10},
    {"lock-loops", "calls `Lock`, `LogOut` and `Toggle` in a loop, over 16 connections",
        "answers each user in turn", .run = lock_loops, .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 48 << 10},
    {"guesses", "answers sums, passcodes and sign-ins wrong, over 16 connections, with 40 names",
        "counts for each user; the third in a row locks that gate; at most 4 passwords of a user are being hashed",
        .run = guess, .processes = 1, .allowed_kib = 64 << 10},
    {"orders", "asks for reloads, statistics, the journal, overrides, other passcodes: nine things that only administrators may",
        "`PERMISSION_DENIED`; nothing is read, written or journalled", .run = give_orders, .uid = ATTACKER_UID, .processes = 1,
        .allowed_kib = 16 << 10},
    {0},
};
