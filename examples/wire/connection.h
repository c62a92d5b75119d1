// One connection to gated: ttrpc, as docs/wire.md describes it, with poll and blocking calls. Use it from one thread.
#pragma once
#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct gate;

// The status codes on which programs act, out of all in docs/wire.md.
enum gate_code { GATE_OK = 0, GATE_INVALID_ARGUMENT = 3, GATE_UNAVAILABLE = 14 };

// What gate_wait() noticed.
enum gate_event { GATE_LOST, GATE_HEARD, GATE_READY };

// Connects to $GATE_SOCKET, or /run/gated/gate.sock, and checks that the daemon runs as root or `server_user`. Returns
// NULL and sets errno if that fails. EPERM: another user's process listens. EOVERFLOW: this process is in a user
// namespace in which the server's user can't be told. Close the connection with gate_close().
struct gate *gate_connect(uid_t server_user);

// Closes the connection, which may be NULL.
void gate_close(struct gate *gate);

// Calls a method with a message and waits for the answer, which the caller frees with gate_free(). Returns NULL if the
// daemon refuses, whose message is printed on stderr, or if the connection is lost. gate_code() returns the status
// code.
void *gate_call(struct gate *gate, const ProtobufCServiceDescriptor *service, const char *method, const void *message);

// Frees an answer, which may be NULL.
void gate_free(void *answer);

// Opens the connection's one stream. From then on gate_wait() and gate_call() pass each of its messages, encoded, to
// `pushed`, which must not call the daemon. The connection is lost if `pushed` returns false, or when the stream ends.
bool gate_stream(struct gate *gate, const ProtobufCServiceDescriptor *service, const char *method, const void *message,
    bool (*pushed)(const uint8_t *message, size_t size));

// Waits until the daemon has sent something or the file descriptor `other` can be read (-1: there is none). After
// GATE_LOST, nothing that the daemon sent before counts any more, and every call fails.
enum gate_event gate_wait(struct gate *gate, int other);

// Why the last call failed, or the stream ended.
enum gate_code gate_code(const struct gate *gate);
