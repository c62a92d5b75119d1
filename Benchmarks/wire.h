// The client's side of ttrpc, as far as measuring needs it: blocking sockets, and requests that are encoded once.
#pragma once
#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEADER_BYTES = 10, FRAME_REQUEST = 1, FRAME_RESPONSE = 2, FRAME_DATA = 3, FLAG_REMOTE_CLOSED = 1 };

// One whole frame with its header.
struct frame {
    size_t size;
    uint8_t bytes[512];
};

// Encodes a request of a method. `flags`: 0 for a unary call, FLAG_REMOTE_CLOSED for a server stream.
struct frame request_frame(const char *service, const char *method, const ProtobufCMessage *message, uint8_t flags);
// Changes the stream id of an encoded frame.
void set_stream(struct frame *frame, uint32_t stream);

// The requests that are measured.
struct frame get_request(void);
struct frame watch_request(void);
struct frame check_request(const char *gated_action);
struct frame lock_request(void);
// Puts a grown-up on the list of people, with a Unix user.
struct frame set_person_request(const char *user, uint32_t uid);
struct frame override_request(void);

// A header in the machine's byte order.
struct header {
    uint32_t size, stream;
    uint8_t type, flags;
};
struct header decode_header(const uint8_t *bytes);
void encode_header(uint8_t *bytes, struct header header);

// Bytes that were read and not used yet.
struct inbox {
    size_t start, end;
    uint8_t bytes[64 * 1024];
};
// The next whole frame in the inbox, or NULL. Valid until the next read.
const uint8_t *next_frame(struct inbox *inbox, struct header *header);
// Reads once. Ends the program if the other side has closed the connection.
void read_more(int socket, struct inbox *inbox);
// Reads until there is a whole frame.
const uint8_t *await_frame(int socket, struct inbox *inbox, struct header *header);
// Ends the program with a message if a response reports an error.
void check_response(struct header header, const uint8_t *data);

void write_all(int socket, const void *bytes, size_t count);
int connect_to(const char *path);
int listen_at(const char *path);

// The monotonic clock in seconds.
double now(void);
double median(double *values, size_t count);
// Print what went wrong and end the program with 1. The second one adds the system's reason.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void fail_system(const char *format, ...) __attribute__((format(printf, 1, 2)));
