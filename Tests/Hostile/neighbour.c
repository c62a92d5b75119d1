// The neighbours: one asks for the mode, one asks for grants and redeems them, one watches an administrator's changes.
// Each call is measured from when it was due, so that a pause counts for all calls that it delayed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hostile.h"

enum { ASK_EACH_US = 1000, AUTHORIZE_EACH_US = 60000, CHANGE_EACH_US = 50000 };

static void await(uint64_t moment) {
    struct timespec time = {(time_t)(moment / 1000000000u), (long)(moment % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {}
}

static void took(struct scene *scene, enum call call, uint64_t since) {
    uint64_t nanoseconds = nanoseconds_now() - since;
    add_time(&scene->shared->times[call][scene->shared->phase], nanoseconds);
}

// How far a neighbour may fall behind. After that the pace begins again; otherwise the minutes after an attack would
// count for it.
static uint64_t next_moment(uint64_t moment, uint64_t step_us) {
    uint64_t now_ = nanoseconds_now(), next = moment + step_us * 1000;
    return next + 2000000000u < now_ ? now_ : next;
}

void ask_for_mode(struct scene *scene) {
    struct peer *peer = open_peer(scene);
    if (!peer) broken("a good neighbour could not connect");
    atomic_fetch_add(&scene->shared->ready, 1);
    for (uint64_t moment = nanoseconds_now(); !scene->shared->is_over; moment = next_moment(moment, ASK_EACH_US)) {
        await(moment);
        expect(peer, OK, "Mode/GetMode", NULL);
        took(scene, MODE_GET, moment);
    }
    close_peer(peer);
}

static void lose(struct scene *scene, bool is_cookie, const void *secret, size_t size) {
    struct exchange *shared = scene->shared;
    if (size > sizeof shared->stolen_cookie) fail("a secret of %zu bytes", size);
    atomic_fetch_add(&shared->stolen_turn, 1);
    memcpy(is_cookie ? shared->stolen_cookie : shared->stolen_proof, secret, size);
    *(is_cookie ? &shared->stolen_cookie_size : &shared->stolen_proof_size) = (uint32_t)size;
    atomic_fetch_add(&shared->stolen_turn, 1);
}

// Returns false if the disk was full, and may be. Any other failure breaks a promise.
static bool durable(
    struct scene *scene, struct peer *peer, uint64_t since, const char *method, struct bytes *message, struct answer *answer
) {
    bool may_be_full = scene->shared->is_disk_full;
    if (!call(peer, method, message, answer)) broken("%s: gated hung up on a good neighbour", method);
    free(message->data);
    if (answer->code == UNAVAILABLE && (may_be_full || scene->shared->is_disk_full)) {
        atomic_fetch_add(&scene->shared->unavailable, 1);
        return false;
    }
    if (answer->code != OK) broken("%s of a good neighbour: code %d: %s", method, answer->code, answer->message);
    took(scene, DURABLE, since);
    return true;
}

// Asks, answers the sum, and redeems the grant: three durable answers.
static void authorize_once(struct scene *scene, struct peer *peer, uint64_t moment) {
    struct answer answer;
    struct bytes message = authorize_message(SUM_ACTION, true);
    if (!durable(scene, peer, moment, "Authorization/Authorize", &message, &answer)) return;
    struct field presentation, grant, proof;
    struct sum sum;
    if (!find_field(message_of(&answer), 3, &presentation) || !read_sum(presentation.fields, &sum))
        broken("a good neighbour was not asked for a sum");
    lose(scene, true, sum.cookie, sum.cookie_size);
    char text[24];
    snprintf(text, sizeof text, "%ld", sum.value);
    message = complete_message(&sum, text);
    if (!durable(scene, peer, nanoseconds_now(), "Presentations/Complete", &message, &answer)) {
        // The question is still open, and another one could not be asked.
        message = (struct bytes){0};
        put_data(&message, 1, sum.cookie, sum.cookie_size);
        durable(scene, peer, nanoseconds_now(), "Presentations/Dismiss", &message, &answer);
        return;
    }
    if (!find_field(message_of(&answer), 4, &grant) || !find_field(grant.fields, 2, &proof))
        broken("a good neighbour did the sum, and was not granted anything");
    message = (struct bytes){0};
    put_data(&message, 1, proof.fields.next, (size_t)proof.value);
    put_text(&message, 2, SUM_ACTION);
    put_text(&message, 3, "a photo");
    lose(scene, false, proof.fields.next, (size_t)proof.value);
    durable(scene, peer, nanoseconds_now(), "Authorization/Redeem", &message, &answer);
}

void authorize_sums(struct scene *scene) {
    struct peer *peer = open_peer(scene);
    if (!peer) broken("a good neighbour could not connect");
    atomic_fetch_add(&scene->shared->ready, 1);
    for (uint64_t moment = nanoseconds_now(); !scene->shared->is_over; moment = next_moment(moment, AUTHORIZE_EACH_US)) {
        await(moment);
        authorize_once(scene, peer, moment);
    }
    close_peer(peer);
}

static uint64_t revision_of(struct fields message, uint32_t number) {
    struct field revision, field;
    if (!find_field(message, number, &revision) || !find_field(revision.fields, 2, &field)) return 0;
    return field.value;
}

// One process is both, so that one clock and one thread measure. It connects as root, and then gives up root.
void watch_changes(struct scene *scene) {
    struct peer *administrator = open_peer(scene);
    if (!administrator) broken("an administrator could not connect");
    become(NEIGHBOUR_UID);
    struct peer *watcher = open_peer(scene);
    if (!watcher) broken("a watcher could not connect");
    struct bytes frame = {0}, topics = {0};
    put_number(&topics, 1, 1);
    put_request(&frame, 1, "Watch/Watch", &topics, FLAG_REMOTE_CLOSED);
    send_bytes(watcher, &frame);
    struct answer answer, told;
    if (!next_answer(watcher, &told) || told.header.type != FRAME_DATA) broken("a watcher got no snapshot");
    atomic_fetch_add(&scene->shared->ready, 1);
    uint64_t seen = 0;
    for (uint64_t moment = nanoseconds_now(); !scene->shared->is_over; moment = next_moment(moment, CHANGE_EACH_US)) {
        await(moment);
        struct bytes message = {0};
        // Extends parent mode. Its end is later each time, so it is a change, whatever others have done meanwhile.
        put_number(&message, 1, 3);
        put_text(&message, 3, "a change");
        bool may_be_full = scene->shared->is_disk_full;
        if (!call(administrator, "Mode/OverrideMode", &message, &answer)) broken("gated hung up on an administrator");
        free(message.data);
        if (answer.code == UNAVAILABLE && (may_be_full || scene->shared->is_disk_full)) continue;
        if (answer.code != OK) broken("an override: code %d: %s", answer.code, answer.message);
        for (uint64_t wanted = revision_of(message_of(&answer), 1); seen < wanted;) {
            if (!next_answer(watcher, &told) || told.header.type != FRAME_DATA) broken("gated let a good watcher go");
            uint64_t next = revision_of(message_of(&told), 2);
            if (next <= seen) broken("a good watcher was told revision %lu after %lu", (unsigned long)next, (unsigned long)seen);
            seen = next;
        }
        took(scene, CHANGE, moment);
    }
}
