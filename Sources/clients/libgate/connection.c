// The connection to the daemon: reads bytes, finds frames in them, and writes. Its first failure is kept in `broken`, and reported to calls and
// presentations in one place, connection_settle().
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "internal.h"

enum { READ_BYTES = 16 << 10, LARGE_BYTES = 64 << 10, READS = 16 };
#define CONNECT_AGAIN_USEC UINT64_C(20000)

// MARK: whether the server is trusted

static bool is_trusted_server(const gate *gate, int socket, gate_error **why) {
    uid_t who = 0, own = geteuid();
    switch (trust_of_server(socket, gate->has_server_uid ? &gate->server_uid : gate->uses_portal ? &own : NULL, &who)) {
    case TRUSTED: return true;
    case TRUST_UNKNOWN:
        *why = error_new(GATE_PERMISSION_DENIED, GATE_REASON_NOT_PERMITTED, "The kernel does not say who listens at %s.", gate->path);
        return false;
    case TRUST_UNMAPPED:
        *why = error_new(GATE_PERMISSION_DENIED, GATE_REASON_UNMAPPED_SERVER,
            "This program runs in a user namespace that does not know the user of the server at %s, so nobody can tell whether that is the "
            "daemon, and nothing is believed. Run it outside of the sandbox, or in one that maps the daemon's user.", gate->path);
        return false;
    case TRUST_OTHER: break;
    }
    *why = error_new(GATE_PERMISSION_DENIED, GATE_REASON_NOT_PERMITTED,
        "The server at %s runs as uid %u, which is not trusted. If that is the daemon of a private run, name its user.", gate->path,
        (unsigned)who);
    return false;
}

// MARK: opening, ending

static void buffer_free(struct buffer *buffer) {
    wipe(buffer->bytes, buffer->capacity); // it may contain secrets
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

void connection_close(gate *gate) {
    if (gate->socket >= 0) {
        // A forked child shares the epoll descriptor with its parent, so it must not change it.
        if (gate_check_thread(gate) != -ECHILD) epoll_ctl(gate->epoll, EPOLL_CTL_DEL, gate->socket, NULL);
        close(gate->socket);
    }
    gate->socket = -1;
    gate->connection = NOT_CONNECTED;
    gate->waits_to_write = false;
    buffer_free(&gate->in);
    buffer_free(&gate->out);
}

void connection_break(gate *gate, gate_error *error) {
    if (gate->is_breaking) {
        error_free(error);
        return;
    }
    gate->is_breaking = true;
    gate->broken = error;
}

static void unreachable(gate *gate, const char *why) {
    connection_break(gate, error_new(GATE_UNAVAILABLE, GATE_REASON_UNSPECIFIED, gate->uses_portal
            ? "This app runs in a sandbox, and Gate can't be reached at %s: %s. Add --filesystem=xdg-run/gate:ro to its manifest, and install "
              "gate-portal on the device."
            : "The daemon can't be reached at %s: %s. Is gated running (`systemctl status gated`)? Does it listen elsewhere (GATE_SOCKET)?",
        gate->path, why));
}

static void connection_try(gate *gate) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char why[128];
    if (strlen(gate->path) >= sizeof address.sun_path) return unreachable(gate, "the path is too long for a socket");
    memcpy(address.sun_path, gate->path, strlen(gate->path) + 1);
    int new = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (new < 0) return unreachable(gate, "there is no room for a socket");
    if (connect(new, (struct sockaddr *)&address, sizeof address) != 0) {
        int error = errno;
        close(new);
        if (error == EINTR || error == EAGAIN) { // EAGAIN: the server's queue of connections is full
            gate->connect_again = monotonic_usec() + CONNECT_AGAIN_USEC;
            return;
        }
        return unreachable(gate, strerror_r(error, why, sizeof why));
    }
    gate_error *error = NULL;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = new};
    if (!is_trusted_server(gate, new, &error)) {
        connection_break(gate, error);
    } else if (epoll_ctl(gate->epoll, EPOLL_CTL_ADD, new, &event) != 0) {
        unreachable(gate, "the kernel has no room for it");
    } else {
        // Makes the socket blocking: calls that must not wait pass MSG_DONTWAIT, and the others wait for at most WAIT_USEC.
        struct timeval while_waiting = {.tv_sec = WAIT_USEC / 1000000};
        gate->can_wait = setsockopt(new, SOL_SOCKET, SO_RCVTIMEO, &while_waiting, sizeof while_waiting) == 0 && fcntl(new, F_SETFL, 0) == 0;
        gate->socket = new;
        gate->connection = CONNECTED;
        connection_flush(gate);
        return;
    }
    close(new);
}

void connection_need(gate *gate) {
    if (gate->connection != NOT_CONNECTED || gate->is_breaking) return;
    gate->connection = CONNECTING;
    gate->connect_until = monotonic_usec() + CONNECT_USEC;
    connection_try(gate);
}

void connection_timers(gate *gate, uint64_t now) {
    if (gate->connection != CONNECTING || gate->is_breaking || now < gate->connect_again) return;
    if (now >= gate->connect_until) unreachable(gate, "it accepts no connection");
    else connection_try(gate);
}

uint64_t connection_due(const gate *gate) {
    return gate->connection == CONNECTING && !gate->is_breaking ? gate->connect_again : UINT64_MAX;
}

bool connection_settle(gate *gate) {
    if (!gate->is_breaking) return false;
    gate_error *error = gate->broken;
    gate->broken = NULL;
    gate->is_breaking = false; // later calls open a new connection
    connection_close(gate);
    // Presentations first: otherwise the failure of an answer under way would be taken for a refusal of the answer.
    for (struct open *open = gate->opens; open; open = gate->opens) {
        uint64_t request = open->request;
        open_close(gate, open->id);
        if (request) request_failed(gate, request, error_copy(error));
    }
    calls_fail(gate, error_or_none(error));
    error_free(error);
    return true;
}

// MARK: writing

bool connection_has_room(const gate *gate, size_t size) {
    return size <= QUEUED_BYTES && gate->out.end - gate->out.start <= QUEUED_BYTES - size;
}

uint8_t *connection_room(gate *gate, size_t size) {
    struct buffer *out = &gate->out;
    if (out->start == out->end) out->start = out->end = 0;
    if (out->capacity - out->end < size) {
        size_t waiting = out->end - out->start, capacity = waiting + size + READ_BYTES;
        uint8_t *larger = malloc(capacity);
        if (!larger) return NULL;
        if (waiting) memcpy(larger, out->bytes + out->start, waiting);
        buffer_free(out);
        *out = (struct buffer){larger, 0, waiting, capacity};
    }
    return out->bytes + out->end;
}

void connection_send(gate *gate, size_t size) {
    gate->out.end += size;
    connection_flush(gate);
}

void connection_flush(gate *gate) {
    struct buffer *out = &gate->out;
    if (gate->connection != CONNECTED || gate->is_breaking) return;
    while (out->start < out->end) {
        ssize_t count = send(gate->socket, out->bytes + out->start, out->end - out->start, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) break;
        if (count < 0) {
            // What the daemon sent before it ended has to be read first; connection_read() then finds the end.
            break;
        }
        wipe(out->bytes + out->start, (size_t)count); // it may contain a password
        out->start += (size_t)count;
    }
    bool waits = out->start < out->end;
    if (!waits && out->capacity > LARGE_BYTES) buffer_free(out); // free the memory of a large frame when it is sent
    if (waits == gate->waits_to_write) return;
    struct epoll_event event = {.events = EPOLLIN | (waits ? (uint32_t)EPOLLOUT : 0), .data.fd = gate->socket};
    epoll_ctl(gate->epoll, EPOLL_CTL_MOD, gate->socket, &event);
    gate->waits_to_write = waits;
}

// MARK: reading

static void unreadable(gate *gate, const char *what) {
    connection_break(gate,
        error_new(GATE_INTERNAL, GATE_REASON_UNSPECIFIED, "The daemon sent a message that this client can't read: %s.", what));
}

// Handles the frames that have arrived completely.
static void take_frames(gate *gate) {
    struct buffer *in = &gate->in;
    while (!gate->is_breaking && in->end - in->start >= HEADER_BYTES) {
        const uint8_t *head = in->bytes + in->start;
        uint32_t size = read_number(head);
        if (size > FRAME_BYTES) return unreadable(gate, "a frame that is larger than 4 MiB");
        if (in->end - in->start - HEADER_BYTES < size) break;
        in->start += HEADER_BYTES + size;
        if (!calls_frame(gate, read_number(head + 4), head[8], head[9], head + HEADER_BYTES, size)) unreadable(gate, "it is malformed");
    }
}

// Makes room for the rest of the frame that has begun, or for further frames. Returns false if there is no memory.
static bool make_room(gate *gate) {
    struct buffer *in = &gate->in;
    size_t there = in->end - in->start, needed = READ_BYTES;
    if (there >= HEADER_BYTES) needed = HEADER_BYTES + (size_t)read_number(in->bytes + in->start);
    if (needed < READ_BYTES) needed = READ_BYTES;
    // Also shrinks the buffer after a large frame.
    if (in->capacity < needed || (in->capacity > needed && in->capacity > READ_BYTES && there < READ_BYTES)) {
        uint8_t *other = malloc(needed);
        if (!other) return false;
        if (there) memcpy(other, in->bytes + in->start, there);
        buffer_free(in);
        *in = (struct buffer){other, 0, there, needed};
    } else if (in->start > 0) {
        if (there) memmove(in->bytes, in->bytes + in->start, there);
        in->start = 0;
        in->end = there;
    }
    return true;
}

bool connection_can_wait(const gate *gate) {
    return gate->connection == CONNECTED && gate->can_wait && !gate->is_breaking && !gate->waits_to_write;
}

bool connection_read(gate *gate, bool waits) {
    bool did = false;
    for (int i = 0; i < READS && gate->connection == CONNECTED && !gate->is_breaking; i++) {
        struct buffer *in = &gate->in;
        if (!make_room(gate)) {
            connection_break(gate, NULL);
            break;
        }
        size_t room = in->capacity - in->end;
        ssize_t count = recv(gate->socket, in->bytes + in->end, room, waits ? 0 : MSG_DONTWAIT);
        waits = false;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) break;
        if (count <= 0) {
            connection_break(gate, error_new(GATE_UNAVAILABLE, GATE_REASON_UNSPECIFIED,
                "The connection to the daemon was lost. Is gated running (`systemctl status gated`)?"));
            break;
        }
        did = true;
        in->end += (size_t)count;
        take_frames(gate);
        if ((size_t)count < room) break;
    }
    return did;
}
