#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hostile.h"

void put(struct bytes *bytes, const void *data, size_t size) {
    if (bytes->size + size > bytes->capacity) {
        bytes->capacity = 2 * (bytes->size + size);
        bytes->data = realloc(bytes->data, bytes->capacity);
        if (!bytes->data) fail("no memory");
    }
    if (size > 0) memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void put_varint(struct bytes *bytes, uint64_t value) {
    uint8_t text[10];
    size_t size = 0;
    do {
        text[size++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value > 0);
    put(bytes, text, size);
}

void put_number(struct bytes *bytes, uint32_t field, uint64_t value) {
    put_varint(bytes, field << 3);
    put_varint(bytes, value);
}

void put_data(struct bytes *bytes, uint32_t field, const void *data, size_t size) {
    put_varint(bytes, field << 3 | 2);
    put_varint(bytes, size);
    put(bytes, data, size);
}

void put_text(struct bytes *bytes, uint32_t field, const char *text) {
    put_data(bytes, field, text, strlen(text));
}

void put_header(struct bytes *bytes, struct header header) {
    uint8_t encoded[HEADER_BYTES];
    encode_header(encoded, header);
    put(bytes, encoded, sizeof encoded);
}

void put_request(struct bytes *bytes, uint32_t stream, const char *method, const struct bytes *payload, uint8_t flags) {
    struct bytes request = {0};
    char service[64];
    snprintf(service, sizeof service, "gate.v1.%.*s", (int)strcspn(method, "/"), method);
    put_text(&request, 1, service);
    put_text(&request, 2, strchr(method, '/') + 1);
    if (payload) put_data(&request, 3, payload->data, payload->size);
    put_header(bytes, (struct header){(uint32_t)request.size, stream, FRAME_REQUEST, flags});
    put(bytes, request.data, request.size);
    free(request.data);
}

bool find_field(struct fields message, uint32_t number, struct field *found) {
    while (next_field(&message, found)) {
        if (found->number == number) return true;
    }
    return false;
}

struct answer answer_in(struct header header, const uint8_t *data) {
    struct answer answer = {.header = header, .payload = data, .size = header.size};
    if (header.type != FRAME_RESPONSE) return answer;
    struct fields response = {data, data + header.size};
    struct field status, detail, error, field;
    if (find_field(response, 1, &status)) {
        if (find_field(status.fields, 1, &field)) answer.code = (int)field.value;
        if (find_field(status.fields, 2, &field)) {
            snprintf(answer.message, sizeof answer.message, "%.*s", (int)field.value, (const char *)field.fields.next);
        }
        // Status.details, Any.value, ErrorDetail.reason.
        if (find_field(status.fields, 3, &detail) && find_field(detail.fields, 2, &error) && find_field(error.fields, 1, &field)) {
            answer.reason = (Gate__V1__Reason)field.value;
        }
    }
    answer.size = 0;
    if (find_field(response, 2, &field)) answer.payload = field.fields.next, answer.size = (size_t)field.value;
    return answer;
}

struct fields message_of(const struct answer *answer) {
    return (struct fields){answer->payload, answer->payload + answer->size};
}

struct peer *open_peer(struct scene *scene) {
    struct peer *peer = calloc(1, sizeof *peer);
    if (!peer) fail("no memory");
    peer->stream = 1;
    peer->socket = connect_to(scene->socket);
    if (peer->socket < 0) {
        free(peer);
        return NULL;
    }
    return peer;
}

void close_peer(struct peer *peer) {
    close(peer->socket);
    free(peer->inbox.data);
    free(peer);
}

bool send_bytes(struct peer *peer, const struct bytes *bytes) {
    for (size_t sent = 0; sent < bytes->size;) {
        ssize_t count = send(peer->socket, bytes->data + sent, bytes->size - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EAGAIN) {
            struct pollfd poll_ = {.fd = peer->socket, .events = POLLOUT};
            if (poll(&poll_, 1, PATIENCE_SECONDS * 1000) == 0) broken("nothing was taken within %d s", PATIENCE_SECONDS);
        } else if (count < 0 && errno != EINTR) {
            return false;
        }
        if (count > 0) sent += (size_t)count;
    }
    return true;
}

bool next_answer(struct peer *peer, struct answer *answer) {
    struct bytes *inbox = &peer->inbox;
    if (peer->used > 0) {
        memmove(inbox->data, inbox->data + peer->used, inbox->size - peer->used);
        inbox->size -= peer->used;
        peer->used = 0;
    }
    for (;;) {
        if (inbox->size >= HEADER_BYTES) {
            struct header header = decode_header(inbox->data);
            if (inbox->size >= HEADER_BYTES + header.size) {
                peer->used = HEADER_BYTES + header.size;
                *answer = answer_in(header, inbox->data + HEADER_BYTES);
                return true;
            }
        }
        struct pollfd poll_ = {.fd = peer->socket, .events = POLLIN};
        int ready = poll(&poll_, 1, PATIENCE_SECONDS * 1000);
        if (ready == 0) broken("no answer within %d s", PATIENCE_SECONDS);
        if (ready < 0) continue;
        uint8_t read_[65536];
        ssize_t count = read(peer->socket, read_, sizeof read_);
        if (count == 0 || (count < 0 && errno != EINTR)) return false;
        if (count > 0) put(inbox, read_, (size_t)count);
    }
}

bool call(struct peer *peer, const char *method, const struct bytes *payload, struct answer *answer) {
    struct bytes frame = {0};
    uint32_t stream = peer->stream;
    peer->stream += 2;
    put_request(&frame, stream, method, payload, 0);
    bool is_sent = send_bytes(peer, &frame);
    free(frame.data);
    if (!is_sent) return false;
    do {
        if (!next_answer(peer, answer)) return false;
    } while (answer->header.stream != stream);
    return true;
}

struct answer expect(struct peer *peer, int code, const char *method, const struct bytes *payload) {
    struct answer answer;
    if (!call(peer, method, payload, &answer)) broken("%s: gated hung up", method);
    if (answer.code != code) broken("%s: code %d and not %d: %s", method, answer.code, code, answer.message);
    return answer;
}

bool read_sum(struct fields presentation, struct sum *sum) {
    struct field summary, field, content, part;
    if (!find_field(presentation, 1, &summary) || !find_field(presentation, 2, &field)) return false;
    sum->cookie_size = (size_t)field.value;
    if (sum->cookie_size > sizeof sum->cookie) fail("a cookie of %zu bytes", sum->cookie_size);
    memcpy(sum->cookie, field.fields.next, sum->cookie_size);
    sum->id = find_field(summary.fields, 1, &field) ? field.value : 0;
    if (!find_field(presentation, 3, &content)) return false;
    long left = find_field(content.fields, 1, &part) ? (long)part.value : 0;
    long right = find_field(content.fields, 3, &part) ? (long)part.value : 0;
    long operator = find_field(content.fields, 2, &part) ? (long)part.value : 0;
    if (operator == 4 && right == 0) return false;
    sum->value = operator == 1 ? left + right : operator == 2 ? left - right : operator == 3 ? left * right : left / right;
    return true;
}

struct bytes authorize_message(const char *gated_action, bool presents_itself) {
    struct bytes message = {0};
    put_text(&message, 1, gated_action);
    put_text(&message, 2, "a photo");
    if (presents_itself) put_number(&message, 4, 1);
    return message;
}

struct bytes complete_message(const struct sum *sum, const char *text) {
    struct bytes message = {0};
    put_data(&message, 1, sum->cookie, sum->cookie_size);
    put_text(&message, 2, text);
    return message;
}
