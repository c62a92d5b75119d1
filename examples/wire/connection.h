// One connection to gated: ttrpc, as docs/wire.md has it, with poll and blocking calls. For one thread.
#pragma once
#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct gate;

// Status codes that programs act on, of all that docs/wire.md lists.
enum gate_code { GATE_OK = 0, GATE_INVALID_ARGUMENT = 3, GATE_UNAVAILABLE = 14 };

// What gate_wait() has seen.
enum gate_event { GATE_LOST, GATE_HEARD, GATE_READY };

// Connects to $GATE_SOCKET, or /run/gated/gate.sock, and checks that the daemon is root's or `server_user`'s. NULL, with errno: there
// is none; EPERM: somebody else listens. To be closed with gate_close().
struct gate *gate_connect(uid_t server_user);

// Closes the connection, which may be NULL.
void gate_close(struct gate *gate);

// Calls a method with a message and waits for the answer, which is the caller's: gate_free() frees it. NULL: it was refused, which
// is said on stderr, or the connection is lost; gate_code() has the status code.
void *gate_call(struct gate *gate, const ProtobufCServiceDescriptor *service, const char *method, const void *message);

// Frees an answer, which may be NULL.
void gate_free(void *answer);

// Opens the connection's one stream. From then on gate_wait() and gate_call() hand each of its messages, encoded, to `pushed`, which
// must not call the daemon. If it returns false, the connection is lost. So it is when the stream ends.
bool gate_stream(struct gate *gate, const ProtobufCServiceDescriptor *service, const char *method, const void *message,
    bool (*pushed)(const uint8_t *message, size_t size));

// Waits until the daemon has said something or the file descriptor `other` can be read (-1: there is none). After GATE_LOST nothing
// that the daemon said before counts any more, and every call fails.
enum gate_event gate_wait(struct gate *gate, int other);

// Why the last call failed, or the stream ended.
enum gate_code gate_code(const struct gate *gate);
