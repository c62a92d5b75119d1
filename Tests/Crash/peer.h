// A connection to gated as any user: one call in flight at a time, or one stream.
#pragma once
#include <CGateProtocol.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../../Benchmarks/wire.h"

// The codes of gRPC that are distinguished here.
enum { CODE_OK = 0, CODE_UNAVAILABLE = 14 };

#define REASON(NAME) GATE__V1__REASON__REASON_##NAME

// The result of a call, or a message of a stream.
struct answer {
    int code;
    Gate__V1__Reason reason;
    // The number of the question that waits, if the reason is ASKED.
    uint64_t ask;
    const char *text;
    // Nanoseconds of CLOCK_BOOTTIME: before the request was sent, and after the answer was received.
    int64_t sent, received;
    // A message of the method's output type; NULL unless the code is CODE_OK.
    const ProtobufCMessage *message;
};
typedef void on_answer(void *context, const struct answer *answer);

struct peer {
    // -1: not connected.
    int socket;
    uid_t uid;
    uint32_t stream;
    // The method in flight; NULL: none.
    const ProtobufCMethodDescriptor *method;
    bool is_stream;
    int64_t sent;
    on_answer *answered;
    void *context;
    struct inbox inbox;
};

// The path of gated's socket.
extern const char *gate_socket;
// Whether connections can be made as other users, which needs root.
bool are_users_apart(void);
// Gives the users accounts that only this process and its children see. The files are in the directory.
void prepare_users(const char *directory);
// Root, or this user if there are no others.
uid_t user_of_administrator(void);
// The user for a number that tells people apart. Without root it is always this user.
uid_t user(unsigned number);
int64_t boottime_nanoseconds(void);

// Connects as the user. Returns false if no daemon listens.
bool connect_peer(struct peer *peer, uid_t uid);
void close_peer(struct peer *peer);
// Sends a request. `answered` is called with its answer. If the daemon is gone already, it is never called.
void call(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message,
    on_answer *answered, void *context);
// The same for a server stream. `answered` is called with each message, and with the error that ends the stream.
void open_stream(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message,
    on_answer *answered, void *context);
// Reads what has arrived, without waiting, and calls `answered`. Returns false if the daemon is gone.
bool read_peer(struct peer *peer);
// Waits until there is something to read, for at most this many seconds. Returns false if there is nothing.
bool await_peer(const struct peer *peer, double seconds);

// Calls a method and waits for the answer, which is valid until the next such call. If the daemon does not answer, a
// promise is broken.
const struct answer *call_now(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message);
// The same, and the answer has to be OK.
const void *ask(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message);
