#define _GNU_SOURCE
#include "peer.h"

#include <CTTRPC.h>
#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../Benchmarks/accounts.h"
#include "promises.h"

enum { FIRST_USER = 61000, USERS = 400, REQUEST_BYTES = 8192, ANSWER_SECONDS = 60 };

const char *gate_socket;

bool are_users_apart(void) {
    return getuid() == 0;
}

void prepare_users(const char *directory) {
    if (!are_users_apart()) return;
    have_own_mounts();
    add_accounts(directory, &(struct uids){FIRST_USER, USERS}, 1);
}

uid_t user(unsigned number) {
    return are_users_apart() ? FIRST_USER + number : getuid();
}

uid_t user_of_administrator(void) {
    return getuid();
}

int64_t boottime_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// The kernel records, for the other side, which user this was when it connected.
static void become(uid_t uid) {
    if (!are_users_apart()) return;
    // Only root may change these. So the user is changed last on the way there, and first on the way back.
    if (uid == 0 && seteuid(0) != 0) fail_system("can't become root again");
    if (setgroups(0, NULL) != 0 || setegid(uid) != 0) fail_system("can't change the groups");
    if (uid != 0 && seteuid(uid) != 0) fail_system("can't become user %u", (unsigned)uid);
}

bool connect_peer(struct peer *peer, uid_t uid) {
    close_peer(peer);
    peer->uid = uid;
    peer->stream = 1;
    peer->inbox.start = peer->inbox.end = 0;
    become(uid);
    peer->socket = connect_to(gate_socket);
    int reason = errno;
    become(0);
    errno = reason;
    return peer->socket >= 0;
}

void close_peer(struct peer *peer) {
    // 0: the peer was never connected.
    if (peer->socket > 0) close(peer->socket);
    peer->socket = -1;
    peer->method = NULL;
}

static void start(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message,
    uint8_t flags, on_answer *answered, void *context
) {
    if (peer->method) fail("two calls at a time over one connection");
    peer->method = protobuf_c_service_descriptor_get_method_by_name(service, method);
    if (!peer->method) fail("there is no method %s/%s", service->name, method);
    uint8_t payload[REQUEST_BYTES], bytes[HEADER_BYTES + REQUEST_BYTES];
    if (protobuf_c_message_get_packed_size(message) > sizeof payload) fail("a request of %s is too large", method);
    Ttrpc__Request request = TTRPC__REQUEST__INIT;
    request.service = (char *)service->name;
    request.method = (char *)method;
    request.payload.data = payload;
    request.payload.len = protobuf_c_message_pack(message, payload);
    size_t size = ttrpc__request__get_packed_size(&request);
    if (size > REQUEST_BYTES) fail("a request of %s is too large", method);
    encode_header(
        bytes, (struct header){.size = (uint32_t)size, .stream = peer->stream, .type = FRAME_REQUEST, .flags = flags});
    ttrpc__request__pack(&request, bytes + HEADER_BYTES);
    peer->is_stream = flags != 0;
    peer->answered = answered;
    peer->context = context;
    peer->sent = boottime_nanoseconds();
    // The request is small, and nothing else is under way. Either it fits, or the daemon is gone, which reading will
    // show.
    ssize_t sent = send(peer->socket, bytes, HEADER_BYTES + size, MSG_NOSIGNAL);
    if (sent < 0 && errno != EPIPE && errno != ECONNRESET) fail_system("can't send");
}

void call(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message,
    on_answer *answered, void *context
) {
    start(peer, service, method, message, 0, answered, context);
}

void open_stream(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message,
    on_answer *answered, void *context
) {
    start(peer, service, method, message, FLAG_REMOTE_CLOSED, answered, context);
}

static void read_status(const Ttrpc__Status *status, struct answer *answer) {
    answer->code = status->code;
    answer->text = status->message;
    for (size_t i = 0; i < status->n_details; i++) {
        const Ttrpc__Any *any = status->details[i];
        const char *name = strrchr(any->type_url, '/');
        if (!name || strcmp(name, "/gate.v1.ErrorDetail") != 0) continue;
        Gate__V1__ErrorDetail *detail = gate__v1__error_detail__unpack(NULL, any->value.len, any->value.data);
        if (!detail) broken("a detail of an error can't be decoded");
        answer->reason = detail->reason;
        for (size_t j = 0; j < detail->n_parameters; j++) {
            const Gate__V1__Parameter *parameter = detail->parameters[j];
            if (strcmp(parameter->name, "ask") == 0) answer->ask = strtoull(parameter->value, NULL, 10);
        }
        gate__v1__error_detail__free_unpacked(detail, NULL);
    }
}

static void hand_over(struct peer *peer, struct answer *answer, size_t size, const uint8_t *data) {
    ProtobufCMessage *message = NULL;
    const ProtobufCMethodDescriptor *method = peer->method;
    if (answer->code == CODE_OK) {
        message = protobuf_c_message_unpack(method->output, NULL, size, data);
        if (!message) broken("an answer of %s can't be decoded", method->name);
        answer->message = message;
    }
    // Set first, so that the callback can already make the next call.
    if (!peer->is_stream) peer->method = NULL;
    peer->answered(peer->context, answer);
    if (message) protobuf_c_message_free_unpacked(message, NULL);
}

static void take(struct peer *peer, struct header header, const uint8_t *data) {
    if (!peer->method || header.stream != peer->stream) broken("an answer on stream %u, to no question", header.stream);
    struct answer answer = {.sent = peer->sent, .received = boottime_nanoseconds(), .text = ""};
    if (header.type == FRAME_DATA && peer->is_stream && header.flags == 0) {
        hand_over(peer, &answer, header.size, data);
        return;
    }
    if (header.type != FRAME_RESPONSE) broken("a frame of type %d ends %s", header.type, peer->method->name);
    Ttrpc__Response *response = ttrpc__response__unpack(NULL, header.size, data);
    if (!response) broken("a response of %s can't be decoded", peer->method->name);
    if (response->status) read_status(response->status, &answer);
    // The next call has the next odd number.
    peer->stream += 2;
    if (peer->is_stream && answer.code == CODE_OK) broken("a stream of %s ended with OK", peer->method->name);
    hand_over(peer, &answer, response->payload.len, response->payload.data);
    ttrpc__response__free_unpacked(response, NULL);
}

bool read_peer(struct peer *peer) {
    struct inbox *inbox = &peer->inbox;
    for (;;) {
        struct header header;
        for (const uint8_t *data; (data = next_frame(inbox, &header));) take(peer, header, data);
        memmove(inbox->bytes, inbox->bytes + inbox->start, inbox->end - inbox->start);
        inbox->end -= inbox->start;
        inbox->start = 0;
        ssize_t count = recv(peer->socket, inbox->bytes + inbox->end, sizeof inbox->bytes - inbox->end, MSG_DONTWAIT);
        if (count > 0) {
            inbox->end += (size_t)count;
            continue;
        }
        if (count == 0 || errno == ECONNRESET) return false;
        if (errno == EAGAIN) return true;
        if (errno != EINTR) fail_system("can't read");
    }
}

bool await_peer(const struct peer *peer, double seconds) {
    struct pollfd poll_ = {.fd = peer->socket, .events = POLLIN};
    return poll(&poll_, 1, (int)(seconds * 1e3)) > 0;
}

// MARK: waiting

static struct answer kept;
static ProtobufCMessage *kept_message;
static char kept_text[512];

static void keep(void *context, const struct answer *answer) {
    *(bool *)context = true;
    kept = *answer;
    snprintf(kept_text, sizeof kept_text, "%s", answer->text);
    kept.text = kept_text;
    if (!answer->message) return;
    // The parts of the answer are freed when this returns, so this makes a copy.
    size_t size = protobuf_c_message_get_packed_size(answer->message);
    uint8_t *bytes = malloc(size + 1);
    if (!bytes) fail("no memory");
    protobuf_c_message_pack(answer->message, bytes);
    kept_message = protobuf_c_message_unpack(answer->message->descriptor, NULL, size, bytes);
    free(bytes);
    kept.message = kept_message;
}

const struct answer *call_now(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message
) {
    if (kept_message) protobuf_c_message_free_unpacked(kept_message, NULL);
    kept_message = NULL;
    bool is_answered = false;
    call(peer, service, method, message, keep, &is_answered);
    while (!is_answered) {
        if (!await_peer(peer, ANSWER_SECONDS)) broken("%s/%s has no answer after %d s", service->name, method, ANSWER_SECONDS);
        if (!read_peer(peer) && !is_answered) broken("the daemon hung up instead of answering %s/%s", service->name, method);
    }
    return &kept;
}

const void *ask(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message
) {
    const struct answer *answer = call_now(peer, service, method, message);
    if (answer->code != CODE_OK) broken("%s/%s fails: %d, %s", service->name, method, answer->code, answer->text);
    return answer->message;
}
