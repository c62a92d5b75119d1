// A connection to gated, of whichever user: one call in flight at a time, or one stream.
#pragma once
#include <CGateProtocol.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../../Benchmarks/wire.h"

// gRPC's codes, as far as they are told apart here.
enum { CODE_OK = 0, CODE_UNAVAILABLE = 14 };

#define REASON(NAME) GATE__V1__REASON__REASON_##NAME

// How a call ended, or a message of a stream.
struct answer {
    int code;
    Gate__V1__Reason reason;
    const char *text;
    // Nanoseconds of CLOCK_BOOTTIME: before the request was sent, and after the answer came.
    int64_t sent, received;
    // Of the method's output type; NULL unless the code is CODE_OK.
    const ProtobufCMessage *message;
};
typedef void on_answer(void *context, const struct answer *answer);

struct peer {
    // -1: not connected.
    int socket;
    uid_t uid;
    uint32_t stream;
    // What is in flight; NULL: nothing.
    const ProtobufCMethodDescriptor *method;
    bool is_stream;
    int64_t sent;
    on_answer *answered;
    void *context;
    struct inbox inbox;
};

// Where gated listens.
extern const char *gate_socket;
// Whether connections can be made as other users: this runs as root.
bool are_users_apart(void);
// Gives the users accounts, seen by this process and its children alone. The files lie in the directory.
void prepare_users(const char *directory);
// Root, or where there is no other user, this one.
uid_t user_of_administrator(void);
// The user that a peer is, for a number that tells people apart; without root everybody is this user.
uid_t user(unsigned number);
int64_t boottime_nanoseconds(void);

// Connects as the user. Returns false where nobody listens.
bool connect_peer(struct peer *peer, uid_t uid);
void close_peer(struct peer *peer);
// Sends a request; `answered` is called with its answer by `read_peer`. Where the daemon is gone already, nothing is called.
void call(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message,
    on_answer *answered, void *context);
// The same for a server stream: `answered` is called with each message, and with the error that ends it.
void open_stream(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message,
    on_answer *answered, void *context);
// Reads what there is, without waiting, and calls the one who waits for it. Returns false where the daemon is gone.
bool read_peer(struct peer *peer);
// Waits until there is something to read, at most so many seconds; false: there is nothing.
bool await_peer(const struct peer *peer, double seconds);

// Calls, and waits for the answer. It is valid until the next call like this. A daemon that does not answer breaks a promise.
const struct answer *call_now(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message);
// The same, and the answer must be OK.
const void *ask(
    struct peer *peer, const ProtobufCServiceDescriptor *service, const char *method, const ProtobufCMessage *message);
