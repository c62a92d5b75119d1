// Messages that no honest client sends: invalid strings, deep nesting, and thousands of empty parts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile.h"

static const struct {
    const char *bytes;
    size_t size;
} no_strings[] = {
    {"a\0b", 3},
    {"\0", 1},
    {"\xff", 1},
    // Overlong, a surrogate, beyond Unicode, truncated.
    {"\xc0\x80", 2},
    {"\xed\xa0\x80", 3},
    {"\xf4\x90\x80\x80", 4},
    {"ab\xe2\x82", 4},
};
enum { NO_STRINGS = sizeof no_strings / sizeof *no_strings };

static struct bytes message_with(const struct string_field *field, const char *string, size_t size) {
    struct bytes message = {0};
    put_data(&message, field->numbers[field->depth - 1], string, size);
    for (int level = field->depth - 2; level >= 0; level--) {
        struct bytes outer = {0};
        put_data(&outer, field->numbers[level], message.data, message.size);
        free(message.data);
        message = outer;
    }
    return message;
}

static void expect_invalid(struct peer *peer, uint32_t stream, const struct bytes *frame, const char *what) {
    struct answer answer;
    if (!send_bytes(peer, frame) || !next_answer(peer, &answer)) broken("%s cost the connection", what);
    // A method that is not built does not read its request.
    bool is_not_built = answer.code == UNIMPLEMENTED && answer.reason == GATE__V1__REASON__REASON_NOT_BUILT;
    if (answer.header.type != FRAME_RESPONSE || answer.header.stream != stream
        || (answer.code != INVALID_ARGUMENT && !is_not_built))
        broken("%s: code %d, and not INVALID_ARGUMENT: %s", what, answer.code, answer.message);
}

// In the envelope: service, method, and the names and values of metadata.
static void send_bad_envelopes(struct peer *peer, const char *string, size_t size) {
    for (int place = 0; place < 4; place++) {
        struct bytes frame = {0}, request = {0}, pair = {0};
        if (place == 0) put_data(&request, 1, string, size); else put_text(&request, 1, "gate.v1.Mode");
        if (place == 1) put_data(&request, 2, string, size); else put_text(&request, 2, "GetMode");
        if (place == 2) put_data(&pair, 1, string, size); else put_text(&pair, 1, "gate-program");
        if (place == 3) put_data(&pair, 2, string, size); else put_text(&pair, 2, "a program");
        put_data(&request, 5, pair.data, pair.size);
        put_header(&frame, (struct header){(uint32_t)request.size, peer->stream, FRAME_REQUEST, 0});
        put(&frame, request.data, request.size);
        expect_invalid(peer, peer->stream, &frame, "an envelope with what is no string");
        peer->stream += 2;
        free(frame.data), free(request.data), free(pair.data);
    }
}

static void send_no_strings(struct scene *scene) {
    int count, methods;
    struct string_field *fields = string_fields(scene, &count, &methods);
    struct peer *peer = open_peer(scene);
    scene->shared->is_set_up = true;
    unsigned long rounds = 0;
    // The first round is always completed, however short the time is.
    for (; rounds == 0 || !scene->shared->is_over; rounds++) {
        for (int kind = 0; kind < NO_STRINGS; kind++) {
            for (int i = 0; i < count; i++) {
                struct bytes message = message_with(&fields[i], no_strings[kind].bytes, no_strings[kind].size), frame = {0};
                put_request(&frame, peer->stream, fields[i].method, &message, fields[i].is_stream ? FLAG_REMOTE_CLOSED : 0);
                expect_invalid(peer, peer->stream, &frame, fields[i].path);
                peer->stream += 2;
                free(message.data), free(frame.data);
            }
            send_bad_envelopes(peer, no_strings[kind].bytes, no_strings[kind].size);
        }
    }
    expect(peer, OK, "Mode/GetMode", NULL);
    snprintf(scene->shared->found, sizeof scene->shared->found,
        "%d string fields of %d methods, and 4 of the envelope, with %d kinds: refused each time", count, methods, NO_STRINGS);
}

// MARK: deep and huge

static void send_payload(struct peer *peer, const char *method, const struct bytes *payload, int code, const char *what) {
    struct answer answer;
    if (!call(peer, method, payload, &answer)) broken("%s cost the connection", what);
    if (answer.code != code) broken("%s: code %d, and not %d: %s", what, answer.code, code, answer.message);
}

// A provider may send more than others, so its messages reach the limits behind that of the size.
static void send_huge_messages(struct scene *scene) {
    struct peer *peer = open_peer(scene);
    struct bytes empties = {0}, envelope = {0}, groups = {0}, deep = {0}, elements = {0};
    for (int i = 0; i < 500000; i++) put_data(&empties, 2, NULL, 0);
    for (int i = 0; i < 500000; i++) put_varint(&groups, 1 << 3 | 3);
    for (int i = 0; i < 5000; i++) put_number(&elements, 1, 1);
    // Unknown fields, nested in each other.
    for (int i = 0; i < 5000; i++) {
        struct bytes outer = {0};
        put_data(&outer, 1000, deep.data, deep.size);
        free(deep.data);
        deep = outer;
    }
    put_text(&envelope, 1, "gate.v1.Mode");
    put_text(&envelope, 2, "GetMode");
    for (int i = 0; i < 500000; i++) put_data(&envelope, 5, NULL, 0);
    struct bytes frame = {0};
    put_header(&frame, (struct header){(uint32_t)envelope.size, 0, FRAME_REQUEST, 0});
    put(&frame, envelope.data, envelope.size);
    scene->shared->is_set_up = true;
    unsigned long rounds = 0;
    for (; rounds == 0 || !scene->shared->is_over; rounds++) {
        send_payload(peer, "Questionnaires/SetAnswer", &empties, INVALID_ARGUMENT, "500,000 empty parts");
        send_payload(peer, "Presentations/RegisterPresenter", &elements, INVALID_ARGUMENT, "5,000 elements");
        send_payload(peer, "Mode/GetMode", &groups, INVALID_ARGUMENT, "500,000 groups, one in the other");
        send_payload(peer, "Mode/GetMode", &deep, OK, "5,000 unknown fields, one in the other");
        encode_header(frame.data, (struct header){(uint32_t)envelope.size, peer->stream, FRAME_REQUEST, 0});
        expect_invalid(peer, peer->stream, &frame, "an envelope with 500,000 empty parts");
        peer->stream += 2;
    }
    snprintf(scene->shared->found, sizeof scene->shared->found, "%lu messages of up to 1 MiB", 5 * rounds);
}

const struct attack message_attacks[] = {
    {"strings", "puts NULs and what is no UTF-8 into every string field of every method, and of the envelope; the fields are "
        "those of the descriptor set that `Control/Describe` serves",
        "`INVALID_ARGUMENT`, before anything is unpacked", .run = send_no_strings, .uid = ATTACKER_UID, .processes = 1,
        .allowed_kib = 16 << 10},
    {"huge", "sends 500,000 empty parts, 5,000 elements, 500,000 groups one in the other, as a provider, who may send 1 MiB",
        "`INVALID_ARGUMENT`, before anything is unpacked: at most 4,096 fields or elements, 16 deep", .run = send_huge_messages,
        .uid = HOSTILE_PROVIDER_UID, .processes = 1, .allowed_kib = 32 << 10},
    {0},
};
