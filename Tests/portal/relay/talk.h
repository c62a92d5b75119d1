// What a test of the relay's machine needs: messages as bytes, one connection without sockets, and what came of a request.
#pragma once

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CGateProtocol.h"
#include "../../../Sources/clients/libgate/internal.h"
#include "../../../Sources/clients/gate-portal/relay.h"

#define APP "org.example.Game"

// MARK: bytes

struct bytes { uint8_t *at; size_t size, capacity; };

static void add(struct bytes *bytes, const void *more, size_t size) {
    if (bytes->size + size > bytes->capacity) {
        bytes->capacity = 2 * (bytes->size + size);
        bytes->at = realloc(bytes->at, bytes->capacity);
        assert(bytes->at);
    }
    if (size) memcpy(bytes->at + bytes->size, more, size);
    bytes->size += size;
}

static void empty(struct bytes *bytes) {
    free(bytes->at);
    *bytes = (struct bytes){0};
}

static void add_frame(struct bytes *bytes, uint32_t size, uint32_t stream, uint8_t type, const void *data) {
    uint8_t header[HEADER_BYTES] = {(uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8), (uint8_t)size, (uint8_t)(stream >> 24),
        (uint8_t)(stream >> 16), (uint8_t)(stream >> 8), (uint8_t)stream, type, 0};
    add(bytes, header, sizeof header);
    if (data) add(bytes, data, size);
}

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// A field with a length: a string, bytes or a message.
static void add_field(struct bytes *bytes, unsigned field, const void *content, size_t size) {
    uint8_t head[] = {(uint8_t)(field << 3 | 2), (uint8_t)(size & 0x7f), (uint8_t)(size >> 7 & 0x7f), (uint8_t)(size >> 14)};
    if (size < 1 << 7) {
        add(bytes, head, 2);
    } else {
        head[1] |= 0x80;
        if (size >= 1 << 14) head[2] |= 0x80;
        add(bytes, head, size < 1 << 14 ? 3 : 4);
    }
    add(bytes, content, size);
}

static void add_text(struct bytes *bytes, unsigned field, const char *text) {
    add_field(bytes, field, text, strlen(text));
}

static struct bytes request_data(const char *service, const char *method, const void *payload, size_t size) {
    struct bytes data = {0};
    add_text(&data, 1, service);
    add_text(&data, 2, method);
    if (size) add_field(&data, 3, payload, size);
    return data;
}

// MARK: a connection

struct talk { struct relay_frames frames; struct bytes to_gated, to_app; };

static unsigned chance(unsigned below) {
    return below ? (unsigned)random() % below : 0;
}

static void drain(struct talk *talk, size_t step) {
    const uint8_t *bytes;
    size_t size;
    while ((size = relay_requests(&talk->frames, &bytes)) > 0) {
        if (step && size > step) size = step;
        add(&talk->to_gated, bytes, size);
        relay_requests_went(&talk->frames, size);
    }
    while ((size = relay_answers(&talk->frames, &bytes)) > 0) {
        if (step && size > step) size = step;
        add(&talk->to_app, bytes, size);
        relay_answers_went(&talk->frames, size);
    }
}

// Sends bytes of the app, in pieces of at most `step` (0: as large as there is room). Returns how many were taken before the machine broke.
static size_t from_app(struct talk *talk, const uint8_t *bytes, size_t size, size_t step) {
    size_t sent = 0;
    uint8_t *room;
    while (sent < size && !talk->frames.is_broken) {
        size_t space = relay_room_for_requests(&talk->frames, &room);
        if (space == 0) break;
        if (space > size - sent) space = size - sent;
        if (step && space > step) space = step;
        memcpy(room, bytes + sent, space);
        relay_requests_came(&talk->frames, space);
        sent += space;
        drain(talk, step);
    }
    return sent;
}

static size_t from_gated(struct talk *talk, const uint8_t *bytes, size_t size, size_t step) {
    size_t sent = 0;
    uint8_t *room;
    while (sent < size && !talk->frames.is_broken) {
        size_t space = relay_room_for_answers(&talk->frames, &room);
        if (space == 0) break;
        if (space > size - sent) space = size - sent;
        if (step && space > step) space = step;
        memcpy(room, bytes + sent, space);
        relay_answers_came(&talk->frames, space);
        sent += space;
        drain(talk, step);
    }
    return sent;
}

static struct talk *talk_begin(void) {
    struct talk *talk = calloc(1, sizeof *talk);
    assert(talk);
    talk->frames.app = APP;
    return talk;
}

static void talk_end(struct talk *talk) {
    relay_frames_free(&talk->frames);
    empty(&talk->to_gated);
    empty(&talk->to_app);
    free(talk);
}

// MARK: what came of a request

// The request that gated got; NULL: none. Every one has to be a whole frame, with the app's name and nothing else in its metadata.
static Ttrpc__Request *passed_on(const struct talk *talk) {
    const struct bytes *got = &talk->to_gated;
    if (got->size == 0) return NULL;
    assert(got->size >= HEADER_BYTES && number(got->at) == got->size - HEADER_BYTES && got->at[8] == 1 && got->at[9] == 0);
    Ttrpc__Request *request = unpack(&ttrpc__request__descriptor, got->at + HEADER_BYTES, got->size - HEADER_BYTES);
    assert(request && request->base.n_unknown_fields == 0 && request->n_metadata == 1);
    assert(strcmp(request->metadata[0]->key, "program") == 0 && strcmp(request->metadata[0]->value, APP) == 0);
    return request;
}

// The code with which the only request was refused; 0: it was passed on.
static int refusal_of(const struct talk *talk, const char *words) {
    const struct bytes *got = &talk->to_app;
    if (got->size == 0) return 0;
    assert(talk->to_gated.size == 0 && number(got->at) == got->size - HEADER_BYTES && number(got->at + 4) == 7 && got->at[8] == 2);
    Ttrpc__Response *response = unpack(&ttrpc__response__descriptor, got->at + HEADER_BYTES, got->size - HEADER_BYTES);
    assert(response && response->status);
    int code = response->status->code;
    if (words && !strstr(response->status->message, words)) {
        printf("not \"%s\" in: %s\n", words, response->status->message);
        abort();
    }
    message_free(response);
    return code;
}

// What becomes of this request on stream 7: the code of its refusal, or 0.
static int outcome(struct bytes data, const char *words) {
    struct talk *talk = talk_begin();
    struct bytes frame = {0};
    add_frame(&frame, (uint32_t)data.size, 7, 1, data.at);
    assert(from_app(talk, frame.at, frame.size, 0) == frame.size && !talk->frames.is_broken);
    message_free(passed_on(talk));
    int code = refusal_of(talk, words);
    assert((code == 0) == (talk->to_gated.size > 0));
    talk_end(talk);
    empty(&frame);
    empty(&data);
    return code;
}

static int call(const char *service, const char *method) {
    return outcome(request_data(service, method, NULL, 0), NULL);
}
