#define _GNU_SOURCE
#include "wire.h"

#include <CGateProtocol.h>
#include <CTTRPC.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct frame request_frame(const char *service, const char *method, const ProtobufCMessage *message, uint8_t flags) {
    uint8_t payload[256];
    bool fits = protobuf_c_message_get_packed_size(message) <= sizeof payload;
    if (!fits) fail("a request of %s/%s is too large", service, method);
    Ttrpc__Request request = TTRPC__REQUEST__INIT;
    request.service = (char *)service;
    request.method = (char *)method;
    request.payload.data = payload;
    request.payload.len = protobuf_c_message_pack(message, payload);

    struct frame frame;
    size_t size = ttrpc__request__get_packed_size(&request);
    if (HEADER_BYTES + size > sizeof frame.bytes) fail("a request of %s/%s is too large", service, method);
    encode_header(
        frame.bytes, (struct header){.size = (uint32_t)size, .stream = 1, .type = FRAME_REQUEST, .flags = flags});
    ttrpc__request__pack(&request, frame.bytes + HEADER_BYTES);
    frame.size = HEADER_BYTES + size;
    return frame;
}

void set_stream(struct frame *frame, uint32_t stream) {
    for (int i = 0; i < 4; i++) frame->bytes[4 + i] = (uint8_t)(stream >> (24 - 8 * i));
}

struct frame get_request(void) {
    Gate__V1__GetModeRequest message = GATE__V1__GET_MODE_REQUEST__INIT;
    return request_frame("gate.v1.Mode", "GetMode", &message.base, 0);
}

struct frame watch_request(void) {
    Gate__V1__Topic topic = GATE__V1__TOPIC__TOPIC_MODE;
    Gate__V1__WatchRequest message = GATE__V1__WATCH_REQUEST__INIT;
    message.n_topics = 1;
    message.topics = &topic;
    return request_frame("gate.v1.Watch", "Watch", &message.base, FLAG_REMOTE_CLOSED);
}

struct frame check_request(const char *gated_action) {
    Gate__V1__CheckRequest message = GATE__V1__CHECK_REQUEST__INIT;
    message.gated_action = (char *)gated_action;
    return request_frame("gate.v1.Authorization", "Check", &message.base, 0);
}

struct frame set_person_request(const char *user, uint32_t uid) {
    Gate__V1__GrownUp grown_up = GATE__V1__GROWN_UP__INIT;
    Gate__V1__UnixUser own = GATE__V1__UNIX_USER__INIT;
    own.name = (char *)user;
    own.uid = uid;
    Gate__V1__Person person = GATE__V1__PERSON__INIT;
    person.name = "benchmark";
    person.kind_case = GATE__V1__PERSON__KIND_GROWN_UP;
    person.grown_up = &grown_up;
    person.user = &own;
    Gate__V1__SetPersonRequest message = GATE__V1__SET_PERSON_REQUEST__INIT;
    message.person = &person;
    return request_frame("gate.v1.People", "SetPerson", &message.base, 0);
}

struct frame lock_request(void) {
    Gate__V1__LockRequest message = GATE__V1__LOCK_REQUEST__INIT;
    return request_frame("gate.v1.Mode", "Lock", &message.base, 0);
}

struct frame override_request(void) {
    Gate__V1__OverrideModeRequest message = GATE__V1__OVERRIDE_MODE_REQUEST__INIT;
    message.mode = GATE__V1__MODE_STATE__MODE__MODE_PARENT;
    message.reason = "a benchmark";
    return request_frame("gate.v1.Mode", "OverrideMode", &message.base, 0);
}

struct header decode_header(const uint8_t *bytes) {
    return (struct header){
        .size = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3],
        .stream = (uint32_t)bytes[4] << 24 | (uint32_t)bytes[5] << 16 | (uint32_t)bytes[6] << 8 | bytes[7],
        .type = bytes[8],
        .flags = bytes[9],
    };
}

void encode_header(uint8_t *bytes, struct header header) {
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(header.size >> (24 - 8 * i));
        bytes[4 + i] = (uint8_t)(header.stream >> (24 - 8 * i));
    }
    bytes[8] = header.type;
    bytes[9] = header.flags;
}

const uint8_t *next_frame(struct inbox *inbox, struct header *header) {
    size_t count = inbox->end - inbox->start;
    if (count < HEADER_BYTES) return NULL;
    const uint8_t *bytes = inbox->bytes + inbox->start;
    *header = decode_header(bytes);
    if (header->size > sizeof inbox->bytes - HEADER_BYTES) fail("a frame of %u bytes, for no reason", header->size);
    if (count < HEADER_BYTES + header->size) return NULL;
    inbox->start += HEADER_BYTES + header->size;
    return bytes + HEADER_BYTES;
}

void read_more(int socket, struct inbox *inbox) {
    if (inbox->start == inbox->end) {
        inbox->start = inbox->end = 0;
    } else if (inbox->start > 0) {
        memmove(inbox->bytes, inbox->bytes + inbox->start, inbox->end - inbox->start);
        inbox->end -= inbox->start;
        inbox->start = 0;
    }
    ssize_t count = read(socket, inbox->bytes + inbox->end, sizeof inbox->bytes - inbox->end);
    if (count == 0) fail("the server hung up");
    if (count < 0 && errno != EINTR) fail_system("can't read");
    if (count > 0) inbox->end += (size_t)count;
}

const uint8_t *await_frame(int socket, struct inbox *inbox, struct header *header) {
    for (;;) {
        const uint8_t *data = next_frame(inbox, header);
        if (data) return data;
        read_more(socket, inbox);
    }
}

void check_response(struct header header, const uint8_t *data) {
    if (header.type != FRAME_RESPONSE) fail("a frame of type %d in the place of a response", header.type);
    Ttrpc__Response *response = ttrpc__response__unpack(NULL, header.size, data);
    if (!response) fail("a response that can't be decoded");
    if (response->status && response->status->code != 0) {
        fail("the call failed with code %d: %s", response->status->code, response->status->message);
    }
    ttrpc__response__free_unpacked(response, NULL);
}

void write_all(int socket, const void *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = send(socket, bytes, count, MSG_NOSIGNAL);
        if (written < 0 && errno != EINTR) fail_system("can't write");
        if (written > 0) {
            bytes = (const char *)bytes + written;
            count -= (size_t)written;
        }
    }
}

static struct sockaddr_un address_of(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) fail("%s is too long for a socket", path);
    strcpy(address.sun_path, path);
    return address;
}

int connect_to(const char *path) {
    struct sockaddr_un address = address_of(path);
    int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) fail_system("can't make a socket");
    if (connect(socket_, (struct sockaddr *)&address, sizeof address) != 0) {
        int reason = errno;
        close(socket_);
        errno = reason;
        return -1;
    }
    return socket_;
}

int listen_at(const char *path) {
    struct sockaddr_un address = address_of(path);
    int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0 || bind(socket_, (struct sockaddr *)&address, sizeof address) != 0 || listen(socket_, 1024) != 0)
        fail_system("can't listen at %s", path);
    return socket_;
}

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void say(const char *format, va_list arguments) {
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

void fail_system(const char *format, ...) {
    int reason = errno;
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    fprintf(stderr, ": %s\n", strerror(reason));
    exit(1);
}
