#define _GNU_SOURCE
#include "connection.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "gate/v1/common.pb-c.h"
#include "ttrpc/ttrpc.pb-c.h"

enum { HEADER = 10, LARGEST = 4 << 20 };
enum type { REQUEST = 1, RESPONSE = 2, DATA = 3 };
enum flag { REMOTE_CLOSED = 1, NO_DATA = 4 };

struct gate {
    int socket;                                          // -1: the connection is lost
    uint32_t newest;                                     // the id of the newest call or stream
    uint32_t awaited;                                    // the call that waits for its answer; 0: none
    Ttrpc__Response *answer;                             // that answer
    uint32_t streamed;                                   // the stream; 0: none
    bool (*pushed)(const uint8_t *message, size_t size); // gets its messages
    int code;
    size_t filled;                                       // how many of `bytes` have arrived
    uint8_t bytes[HEADER + LARGEST];
};

// Whether the kernel uses this uid for users that our user namespace does not map.
static bool is_unmapped(uid_t user)
{
    unsigned overflow = 65534, first = 0, outside = 0, count = 0;
    FILE *file = fopen("/proc/sys/kernel/overflowuid", "re");
    if (file && fscanf(file, "%u", &overflow) != 1) overflow = 65534;
    if (file) fclose(file);
    file = fopen("/proc/self/uid_map", "re");
    bool has_all = file && fscanf(file, "%u %u %u", &first, &outside, &count) == 3 && count == UINT32_MAX;
    if (file) fclose(file);
    return user == overflow && !has_all;
}

struct gate *gate_connect(uid_t server_user)
{
    const char *path = getenv("GATE_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!path || !*path) path = "/run/gated/gate.sock";
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    strcpy(address.sun_path, path);
    struct gate *gate = calloc(1, sizeof *gate);
    if (!gate) return NULL;
    struct ucred daemon;
    socklen_t size = sizeof daemon;
    gate->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (gate->socket >= 0 && connect(gate->socket, (struct sockaddr *)&address, sizeof address) == 0
        && getsockopt(gate->socket, SOL_SOCKET, SO_PEERCRED, &daemon, &size) == 0) {
        if (daemon.uid == 0 || daemon.uid == server_user) return gate;
        errno = is_unmapped(daemon.uid) ? EOVERFLOW : EPERM;
    }
    int error = errno;
    gate_close(gate);
    errno = error;
    return NULL;
}

static enum gate_event lost(struct gate *gate, enum gate_code code)
{
    if (gate->socket >= 0) close(gate->socket);
    gate->socket = -1;
    gate->code = code;
    return GATE_LOST;
}

void gate_close(struct gate *gate)
{
    if (!gate) return;
    lost(gate, GATE_UNAVAILABLE);
    if (gate->answer) ttrpc__response__free_unpacked(gate->answer, NULL);
    free(gate);
}

// Sends a request. Returns its stream id; 0 if the connection is lost.
static uint32_t request(
    struct gate *gate, const ProtobufCServiceDescriptor *service, const char *method, const void *message, enum flag flags)
{
    Ttrpc__KeyValue program = TTRPC__KEY_VALUE__INIT, *metadata[] = {&program};
    program.key = "program";
    program.value = "example";
    Ttrpc__Request envelope = TTRPC__REQUEST__INIT;
    envelope.service = (char *)service->name;
    envelope.method = (char *)method;
    envelope.n_metadata = 1;
    envelope.metadata = metadata;
    envelope.payload.len = protobuf_c_message_get_packed_size(message);
    envelope.payload.data = malloc(envelope.payload.len + 1);
    protobuf_c_message_pack(message, envelope.payload.data);

    gate->newest = gate->newest ? gate->newest + 2 : 1;
    uint32_t size = ttrpc__request__get_packed_size(&envelope);
    uint8_t *frame = malloc(HEADER + size);
    memcpy(frame, &(uint32_t){htobe32(size)}, 4);
    memcpy(frame + 4, &(uint32_t){htobe32(gate->newest)}, 4);
    frame[8] = REQUEST;
    frame[9] = flags;
    ttrpc__request__pack(&envelope, frame + HEADER);
    for (size_t sent = 0; gate->socket >= 0 && sent < HEADER + size;) {
        ssize_t count = send(gate->socket, frame + sent, HEADER + size - sent, MSG_NOSIGNAL);
        if (count >= 0) sent += count;
        else if (errno != EINTR) lost(gate, GATE_UNAVAILABLE);
    }
    explicit_bzero(envelope.payload.data, envelope.payload.len); // it may contain a password
    explicit_bzero(frame, HEADER + size);
    free(envelope.payload.data);
    free(frame);
    return gate->socket >= 0 ? gate->newest : 0;
}

// Keeps the code of a refusal, and prints its message.
static void refused(struct gate *gate, const Ttrpc__Status *status)
{
    const char *reason = "no reason";
    gate->code = status->code;
    for (size_t i = 0; i < status->n_details; i++) {
        const Ttrpc__Any *any = status->details[i];
        if (strcmp(any->type_url, "type.googleapis.com/gate.v1.ErrorDetail") != 0) continue;
        Gate__V1__ErrorDetail *detail = gate__v1__error_detail__unpack(NULL, any->value.len, any->value.data);
        if (!detail) continue;
        const ProtobufCEnumValue *value = protobuf_c_enum_descriptor_get_value(&gate__v1__reason__descriptor, detail->reason);
        reason = value ? value->name : "a new reason";
        gate_free(detail);
    }
    fprintf(stderr, "gate: %s (%s)\n", status->message, reason);
}

// Handles one frame. Any other result than GATE_OK ends the connection.
static enum gate_code heard(
    struct gate *gate, uint32_t stream, enum type type, uint8_t flags, const uint8_t *data, size_t size)
{
    bool is_answer = type == RESPONSE && stream && stream == gate->awaited, is_pushed = stream && stream == gate->streamed;
    if (type == DATA && is_pushed)
        return !(flags & REMOTE_CLOSED) && (flags & NO_DATA || gate->pushed(data, size)) ? GATE_OK : GATE_UNAVAILABLE;
    if (type != RESPONSE || !(is_answer || is_pushed)) return GATE_OK; // the stream has ended
    Ttrpc__Response *response = ttrpc__response__unpack(NULL, size, data);
    if (!response || gate->answer) return GATE_UNAVAILABLE;
    if (response->status) refused(gate, response->status);
    if (is_answer) {
        gate->answer = response;
        return GATE_OK;
    }
    enum gate_code code = response->status ? response->status->code : GATE_OK;
    ttrpc__response__free_unpacked(response, NULL);
    return code == GATE_OK ? GATE_UNAVAILABLE : code; // the stream has ended either way
}

enum gate_event gate_wait(struct gate *gate, int other)
{
    if (gate->socket < 0) return GATE_LOST;
    struct pollfd polled[] = {{.fd = gate->socket, .events = POLLIN}, {.fd = other, .events = POLLIN}};
    while (poll(polled, 2, -1) < 0)
        if (errno != EINTR) return lost(gate, GATE_UNAVAILABLE);
    if (!polled[0].revents) return GATE_READY;
    ssize_t count = read(gate->socket, gate->bytes + gate->filled, sizeof gate->bytes - gate->filled);
    if (count < 0 && errno == EINTR) return GATE_HEARD;
    if (count <= 0) return lost(gate, GATE_UNAVAILABLE);
    gate->filled += count;

    size_t start = 0;
    while (gate->filled - start >= HEADER) {
        const uint8_t *head = gate->bytes + start;
        uint32_t size, stream;
        memcpy(&size, head, 4);
        memcpy(&stream, head + 4, 4);
        size = be32toh(size);
        if (size > LARGEST) return lost(gate, GATE_UNAVAILABLE);
        if (gate->filled - start - HEADER < size) break;
        enum gate_code code = heard(gate, be32toh(stream), head[8], head[9], head + HEADER, size);
        if (code != GATE_OK) return lost(gate, code);
        start += HEADER + size;
    }
    gate->filled -= start;
    memmove(gate->bytes, gate->bytes + start, gate->filled);
    return GATE_HEARD;
}

void *gate_call(struct gate *gate, const ProtobufCServiceDescriptor *service, const char *name, const void *message)
{
    const ProtobufCMethodDescriptor *method = protobuf_c_service_descriptor_get_method_by_name(service, name);
    void *message_back = NULL;
    if (gate->socket >= 0) gate->code = GATE_OK;
    gate->awaited = request(gate, service, name, message, 0);
    while (!gate->answer && gate_wait(gate, -1) != GATE_LOST) continue;
    if (gate->answer && !gate->answer->status)
        message_back = protobuf_c_message_unpack(method->output, NULL, gate->answer->payload.len, gate->answer->payload.data);
    if (gate->answer) ttrpc__response__free_unpacked(gate->answer, NULL);
    gate->answer = NULL;
    gate->awaited = 0;
    if (!message_back && gate->code == GATE_OK) lost(gate, GATE_UNAVAILABLE);
    return message_back;
}

void gate_free(void *answer)
{
    protobuf_c_message_free_unpacked(answer, NULL);
}

bool gate_stream(struct gate *gate, const ProtobufCServiceDescriptor *service, const char *method, const void *message,
    bool (*pushed)(const uint8_t *message, size_t size))
{
    gate->pushed = pushed;
    gate->streamed = request(gate, service, method, message, REMOTE_CLOSED);
    return gate->streamed != 0;
}

enum gate_code gate_code(const struct gate *gate)
{
    return gate->code;
}
