// Frames and floods: large frames, incomplete ones, and as many calls and changes as a socket carries.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "hostile.h"

enum { LARGE_BYTES = 4 << 20, STREAMS = 1000 };

// Sends a whole frame of 4 MiB on each of 1,000 streams of one connection. Each is refused, and the connection stays.
static void send_large_frames(struct scene *scene) {
    struct peer *peer = open_peer(scene);
    if (!peer) broken("no connection");
    struct bytes frame = {0};
    static uint8_t zeros[LARGE_BYTES];
    put_header(&frame, (struct header){LARGE_BYTES, 1, FRAME_REQUEST, 0});
    put(&frame, zeros, sizeof zeros);
    scene->shared->is_set_up = true;
    unsigned long refused = 0;
    for (uint32_t stream = 1; !scene->shared->is_over; stream += 2) {
        encode_header(frame.data, (struct header){LARGE_BYTES, stream, FRAME_REQUEST, 0});
        struct answer answer;
        if (!send_bytes(peer, &frame) || !next_answer(peer, &answer)) broken("a frame that is too large cost the connection");
        if (answer.header.stream != stream || answer.code != RESOURCE_EXHAUSTED)
            broken("a frame of 4 MiB on stream %u: code %d on stream %u", stream, answer.code, answer.header.stream);
        atomic_fetch_add(&scene->shared->codes[answer.code], 1);
        refused++;
    }
    peer->stream = (uint32_t)(2 * refused + 1);
    expect(peer, OK, "Mode/GetMode", NULL);
    snprintf(scene->shared->found, sizeof scene->shared->found, "%lu frames refused (%lu MiB), the connection lives", refused,
        refused * (LARGE_BYTES >> 20));
}

// On each of 1,000 connections, sends a frame that never ends: a little less than 4 MiB, or a little less than a
// request may have.
static void leave_unfinished(struct scene *scene, uint32_t size) {
    struct crowd *crowd = open_crowd(scene, STREAMS);
    struct bytes frame = {0};
    put_header(&frame, (struct header){size, 1, FRAME_REQUEST, 0});
    uint8_t *zeros = calloc(1, size);
    put(&frame, zeros, size - 100);
    for (int i = 0; i < STREAMS && !scene->shared->is_over; i++) {
        struct peer peer = {.socket = crowd->members[i].socket};
        // Not only `send_bytes`, since the daemon reads slowly, and this has to end with the attack.
        if (!send_bytes(&peer, &frame)) broken("a frame that never ends cost the connection");
        pump(crowd, 0);
    }
    scene->shared->is_set_up = true;
    while (!scene->shared->is_over) pump(crowd, 20);
    if (crowd->open != STREAMS) broken("%d of %d connections with half a frame are left", crowd->open, STREAMS);
    snprintf(scene->shared->found, sizeof scene->shared->found, "%d kept open", STREAMS);
}

static void leave_large_unfinished(struct scene *scene) { leave_unfinished(scene, LARGE_BYTES); }
static void leave_requests_unfinished(struct scene *scene) { leave_unfinished(scene, REQUEST_BYTES); }

// MARK: as many calls as go

static bool ask_for_mode_again(struct crowd *crowd, struct member *member) {
    for (int i = 0; i < 64; i++, member->stream += 2) put_request(&member->outgoing, member->stream, "Mode/GetMode", NULL, 0);
    (void)crowd;
    return true;
}

static void ask_as_fast_as_it_goes(struct scene *scene) {
    struct crowd *crowd = open_crowd(scene, 1000);
    say_more(crowd, ask_for_mode_again);
    scene->shared->is_set_up = true;
    double started = now();
    while (!scene->shared->is_over) pump(crowd, 20);
    for (int code = 0; code < CODES; code++) {
        if (code != OK && scene->shared->codes[code] > 0) broken("Mode/GetMode was answered with code %d", code);
    }
    snprintf(scene->shared->found, sizeof scene->shared->found, "%.0f calls a second",
        (double)scene->shared->codes[OK] / (now() - started));
}

// MARK: as many watches as there may be, and a change after the other

enum { WATCHERS = 1000, WATCHES_ASKED = 20, WATCHES_OF_USER = 1024 };

static void watch_and_change(struct scene *scene) {
    struct crowd *crowd = open_crowd(scene, WATCHERS);
    struct bytes topics = {0}, frames = {0};
    for (int topic = 1; topic <= 5; topic++) put_number(&topics, 1, (uint64_t)topic);
    for (uint32_t stream = 1; stream < 2 * WATCHES_ASKED; stream += 2)
        put_request(&frames, stream, "Watch/Watch", &topics, FLAG_REMOTE_CLOSED);
    for (int i = 0; i < WATCHERS; i++) {
        struct peer peer = {.socket = crowd->members[i].socket};
        if (!send_bytes(&peer, &frames)) broken("watches cost the connection");
        pump(crowd, 0);
    }
    const uint64_t refused = WATCHERS * WATCHES_ASKED - WATCHES_OF_USER;
    for (double asked = now(); scene->shared->codes[RESOURCE_EXHAUSTED] < refused; pump(crowd, 20)) {
        if (now() - asked > PATIENCE_SECONDS) broken("more than %d watches of one user were accepted", WATCHES_OF_USER);
    }
    struct peer *asker = open_peer(scene);
    struct bytes toggle = {0};
    put_number(&toggle, 1, 1);
    scene->shared->is_set_up = true;
    unsigned long changes = 0;
    double started = now();
    while (!scene->shared->is_over) {
        struct answer answer;
        // Asks for parent mode and cancels, so that all watchers are told twice. Or is locked out for that.
        if (!call(asker, "Mode/Toggle", &toggle, &answer)) broken("gated hung up");
        changes += answer.code == OK;
        if (answer.code == OK) expect(asker, OK, "Mode/CancelVerifying", NULL);
        else if (answer.code != RESOURCE_EXHAUSTED && answer.code != FAILED_PRECONDITION)
            broken("Mode/Toggle: code %d: %s", answer.code, answer.message);
        pump(crowd, 0);
    }
    if (crowd->open != WATCHERS) broken("a watcher that reads was let go");
    if (scene->shared->codes[RESOURCE_EXHAUSTED] != refused) broken("fewer than %d watches were accepted", WATCHES_OF_USER);
    snprintf(scene->shared->found, sizeof scene->shared->found, "%d watches, %.0f changes a second of its own", WATCHES_OF_USER,
        (double)changes / (now() - started));
}

const struct attack frame_attacks[] = {
    {"large-frames", "sends frames of 4 MiB, whole, on one stream after the other",
        "discards the data as it comes, refuses that stream (`RESOURCE_EXHAUSTED`), and the connection lives: an app's request "
        "has at most 64 KiB",
        .run = send_large_frames, .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 16 << 10},
    {"large-halves", "sends 4 MiB less 100 bytes on each of 1,000 connections, and no more",
        "refuses at the header, and keeps nothing of the data", .run = leave_large_unfinished, .uid = ATTACKER_UID,
        .processes = 1, .allowed_kib = 48 << 10},
    {"halves", "sends 64 KiB less 100 bytes on each of 1,000 connections, and no more",
        "keeps them: that is what a user can make it keep", .run = leave_requests_unfinished, .uid = ATTACKER_UID,
        .processes = 1, .allowed_kib = 176 << 10},
    {"asks", "1,000 connections ask for the mode as fast as they can, 64 calls at a time",
        "answers them all, each user in turn", .run = ask_as_fast_as_it_goes, .uid = ATTACKER_UID, .processes = 1,
        .allowed_kib = 192 << 10},
    {"watches", "1,000 connections with 20 watches of everything each, and asks for parent mode again and again",
        "refuses the 17th watch of a connection, and the 1,025th of a user (`RESOURCE_EXHAUSTED`); tells the others of every "
        "change; three questions taken back, and it is locked out",
        .run = watch_and_change, .uid = ATTACKER_UID, .processes = 1, .allowed_kib = 128 << 10},
    {0},
};
