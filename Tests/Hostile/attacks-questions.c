// Questions: thousands of them, forged and wrong answers, and processes that die in the middle.
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

struct peer *open_as(struct scene *scene, uid_t uid) {
    if (setgroups(0, NULL) != 0 || setegid(uid) != 0 || seteuid(uid) != 0) fail_system("can't be uid %d", (int)uid);
    struct peer *peer = open_peer(scene);
    if (seteuid(0) != 0 || setegid(0) != 0) fail_system("can't be root again");
    return peer;
}

// Registers a presenter of sums, which is offered everything.
static void register_presenter(struct peer *peer) {
    struct bytes frame = {0}, message = {0};
    put_number(&message, 1, 1);
    put_number(&message, 2, 1);
    put_request(&frame, peer->stream, "Presentations/RegisterPresenter", &message, FLAG_REMOTE_CLOSED);
    peer->stream += 2;
    if (!send_bytes(peer, &frame)) broken("a presenter could not register");
    free(frame.data);
    free(message.data);
}

static int listed_presentations(struct peer *administrator, uid_t of) {
    struct answer answer = expect(administrator, OK, "Presentations/ListPresentations", NULL);
    struct fields list = message_of(&answer);
    struct field summary, asked, uid;
    int count = 0;
    while (next_field(&list, &summary)) {
        if (of == 0 || (find_field(summary.fields, 8, &asked) && find_field(asked.fields, 1, &uid) && uid.value == of)) count++;
    }
    return count;
}

enum { ASKERS = 40, QUESTIONS = 250 };

static void ask_ten_thousand(struct scene *scene) {
    struct peer *administrator = open_peer(scene), *presenter = open_as(scene, PRESENTER_UID);
    register_presenter(presenter);
    // After this answer it is certainly registered.
    expect(presenter, OK, "Mode/GetMode", NULL);
    become(ATTACKER_UID);
    scene->shared->is_set_up = true;
    unsigned long asked = 0, refused = 0;
    int most = 0;
    for (int turn = 0; !scene->shared->is_over; turn++) {
        struct crowd *crowd = open_crowd(scene, ASKERS);
        struct bytes message = authorize_message(SUM_ACTION, turn % 2);
        int answers = 0;
        for (int i = 0; i < ASKERS; i++) {
            struct bytes frames = {0};
            for (int j = 0; j < QUESTIONS; j++) put_request(&frames, (uint32_t)(2 * j + 1), "Authorization/Authorize", &message, 0);
            struct peer peer = {.socket = crowd->members[i].socket};
            if (!send_bytes(&peer, &frames)) broken("questions cost the connection");
            free(frames.data);
            answers += pump(crowd, 0);
        }
        // All requests are answered, except those that wait or were shown.
        int wanted = ASKERS * QUESTIONS - (turn % 2 ? 0 : OPEN_REQUESTS_OF_USER);
        for (double started = now(); answers < wanted && !scene->shared->is_over;) {
            answers += pump(crowd, 100);
            if (now() - started > PATIENCE_SECONDS) broken("%d of %d questions have no answer", wanted - answers, wanted);
        }
        int listed = listed_presentations(administrator, ATTACKER_UID);
        if (listed > OPEN_REQUESTS_OF_USER) broken("%d presentations of one user are open", listed);
        if (listed > most) most = listed;
        asked += (unsigned long)answers;
        for (int i = 0; i < ASKERS; i++) close_member(crowd, &crowd->members[i]);
        free(crowd->members);
        close(crowd->poll);
        free(crowd);
        free(message.data);
    }
    for (int code = 0; code < CODES; code++) {
        // None of those that were shown was answered.
        if (code == RESOURCE_EXHAUSTED || code == OK || scene->shared->codes[code] == 0) continue;
        broken("%lu questions got code %d", (unsigned long)scene->shared->codes[code], code);
    }
    refused = scene->shared->codes[RESOURCE_EXHAUSTED];
    snprintf(scene->shared->found, sizeof scene->shared->found, "%lu asked, %lu refused, at most %d open", asked, refused, most);
}

void check_nothing_is_left(struct scene *scene) {
    struct peer *administrator = open_peer(scene);
    struct field connections, watchers;
    for (double started = now();; nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL)) {
        struct answer answer = expect(administrator, OK, "Control/GetStatistics", NULL);
        uint64_t open = find_field(message_of(&answer), 2, &connections) ? connections.value : 0;
        uint64_t watches = find_field(message_of(&answer), 3, &watchers) ? watchers.value : 0;
        int presentations = listed_presentations(administrator, 0);
        if (open == 1 && watches == 0 && presentations == 0) break;
        if (now() - started > PATIENCE_SECONDS)
            broken("%d presentations, %lu connections and %lu watches of the dead are left", presentations,
                (unsigned long)open - 1, (unsigned long)watches);
    }
    close_peer(administrator);
}

// MARK: forgeries

static void expect_refusal(struct peer *peer, const char *method, const struct bytes *message, struct scene *scene) {
    struct answer answer;
    if (!call(peer, method, message, &answer)) broken("%s: gated hung up", method);
    atomic_fetch_add(&scene->shared->codes[answer.code], 1);
    // The presentation may have been closed meanwhile, which these codes report.
    if (answer.code != PERMISSION_DENIED && answer.code != ABORTED && answer.code != FAILED_PRECONDITION)
        broken("%s with what is not its own: code %d: %s", method, answer.code, answer.message);
}

static size_t stolen(struct scene *scene, bool is_cookie, uint8_t *secret) {
    struct exchange *shared = scene->shared;
    for (;;) {
        uint32_t turn = shared->stolen_turn;
        size_t size = is_cookie ? shared->stolen_cookie_size : shared->stolen_proof_size;
        memcpy(secret, is_cookie ? shared->stolen_cookie : shared->stolen_proof, size);
        if (turn % 2 == 0 && turn == shared->stolen_turn) return size;
    }
}

static void forge(struct scene *scene) {
    struct peer *peer = open_peer(scene);
    uint8_t secret[64];
    while (stolen(scene, true, secret) == 0 || stolen(scene, false, secret) == 0) {
        if (scene->shared->is_over) broken("there was nothing to steal");
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    scene->shared->is_set_up = true;
    unsigned long tries = 0;
    for (; !scene->shared->is_over; tries++) {
        // Unchanged, with one bit changed, and made up.
        for (int kind = 0; kind < 3; kind++) {
            size_t size = stolen(scene, true, secret);
            if (kind == 1) secret[(size_t)rand() % size] ^= (uint8_t)(1 << rand() % 8);
            for (size_t i = 0; kind == 2 && i < size; i++) secret[i] = (uint8_t)rand();
            struct bytes cookie = {0}, answered = {0}, reported = {0}, proof = {0};
            put_data(&cookie, 1, secret, size);
            put(&answered, cookie.data, cookie.size);
            put_text(&answered, 2, "42");
            put(&reported, cookie.data, cookie.size);
            put_number(&reported, 2, 1);
            expect_refusal(peer, "Presentations/Complete", &answered, scene);
            expect_refusal(peer, "Presentations/Report", &reported, scene);
            expect_refusal(peer, "Presentations/Dismiss", &cookie, scene);
            expect_refusal(peer, "Presentations/AwaitClosing", &cookie, scene);
            size = stolen(scene, false, secret);
            if (kind == 1) secret[(size_t)rand() % size] ^= (uint8_t)(1 << rand() % 8);
            for (size_t i = 0; kind == 2 && i < size; i++) secret[i] = (uint8_t)rand();
            put_data(&proof, 1, secret, size);
            put_text(&proof, 2, SUM_ACTION);
            put_text(&proof, 3, "a photo");
            expect_refusal(peer, "Authorization/Redeem", &proof, scene);
            free(cookie.data), free(answered.data), free(reported.data), free(proof.data);
        }
    }
    snprintf(scene->shared->found, sizeof scene->shared->found, "%lu tries, none passed; the owner's went on", 15 * tries);
}

// MARK: the race with its own death

// Does something that takes several steps, and is killed at any of them.
static _Noreturn void live_shortly(struct scene *scene, unsigned seed) {
    srand(seed);
    struct peer *asker = open_as(scene, (uid_t)(MANY_UIDS + seed % MANY_UIDS_COUNT)), *presenter = open_as(scene, PRESENTER_UID);
    if (!asker || !presenter) _exit(0);
    register_presenter(presenter);
    struct bytes frames = {0}, topics = {0}, toggle = {0}, message = authorize_message(SUM_ACTION, seed % 4 == 0);
    for (int topic = 1; topic <= 5; topic++) put_number(&topics, 1, (uint64_t)topic);
    put_number(&toggle, 1, seed % 3 == 0);
    put_request(&frames, 1, "Watch/Watch", &topics, FLAG_REMOTE_CLOSED);
    put_request(&frames, 3, "Authorization/Authorize", &message, 0);
    if (seed % 2) put_request(&frames, 5, "Mode/Toggle", &toggle, 0);
    send_bytes(asker, &frames);
    struct answer offered;
    while (next_answer(presenter, &offered)) {
        struct field summary, id;
        if (offered.header.type != FRAME_DATA || !find_field(message_of(&offered), 1, &summary)) continue;
        struct bytes claim = {0};
        put_number(&claim, 1, find_field(summary.fields, 1, &id) ? id.value : 0);
        struct bytes frame = {0};
        put_request(&frame, presenter->stream, "Presentations/Claim", &claim, 0);
        presenter->stream += 2;
        send_bytes(presenter, &frame);
        if (seed % 5 == 0) close_peer(asker), seed = 1;
    }
    _exit(0);
}

static void race_death(struct scene *scene) {
    unsigned seed = (unsigned)getpid() * 2654435761u;
    scene->shared->is_set_up = true;
    unsigned long deaths = 0;
    for (; !scene->shared->is_over; deaths++) {
        pid_t child = fork();
        if (child < 0) fail_system("can't fork");
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            live_shortly(scene, seed);
        }
        seed = seed * 1664525u + 1013904223u;
        nanosleep(&(struct timespec){.tv_nsec = (long)(seed >> 8) % 8000000}, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    atomic_fetch_add(&scene->shared->connections, deaths);
    snprintf(scene->shared->found, sizeof scene->shared->found, "%lu deaths, nothing left of them",
        (unsigned long)scene->shared->connections);
}

const struct attack question_attacks[] = {
    {"presentations", "asks 10,000 questions at once, again and again, to be shown by itself and by presenters",
        "has 4 of a user open, and 12 of all; refuses the rest (`RESOURCE_EXHAUSTED`)", .run = ask_ten_thousand,
        .processes = 1, .allowed_kib = 64 << 10},
    {"forgeries", "answers, reports, dismisses and redeems with cookies and proofs that are made up, changed, or stolen from a "
        "neighbour",
        "`PERMISSION_DENIED`, or `FAILED_PRECONDITION` for a grant that is not its own: a secret counts only with the "
        "connection, or the user, that it was given to",
        .run = forge, .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 16 << 10},
    {"deaths", "connects, asks, registers, claims, and is killed at a random moment of it; 1,000 users",
        "withdraws what it asked, offers what it claimed to the next", .run = race_death, .check = check_nothing_is_left,
        .processes = 2, .allowed_kib = 32 << 10},
    {0},
};
