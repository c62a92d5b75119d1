// The relay: sandboxed apps talk with gated through it, over a socket of the session. relay.c has the overview.
#pragma once
#include <gio/gio.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../libgate/frames.h"

struct settings;

enum {
    RELAY_CONNECTIONS = 256,            // of all apps; gated allows a user 1,024
    RELAY_APP_CONNECTIONS = 32,         // of one app
    RELAY_REQUEST_BYTES = 64 << 10,     // of the data of a request: what gated takes from a user who is nothing special
    RELAY_ANSWER_BYTES = 16 << 10,      // of gated's answers that wait for a slow app; the rest waits with gated, which hangs up in the end
    RELAY_ID_BYTES = 64,                // of an app's id: what gated keeps of a program's name
};

// MARK: relay-calls.c: which calls go on

enum relay_code { RELAY_INVALID_ARGUMENT = 3, RELAY_PERMISSION_DENIED = 7, RELAY_RESOURCE_EXHAUSTED = 8 };

// A frame that waits to be sent. The owner frees `bytes`, which is NULL if there is no frame, or no memory for it.
struct relay_frame { uint8_t *bytes; size_t start, end; };
// Reads the data of a request and makes the frame that takes its place: the request for gated, in the name of this app, or, if
// `is_refusal`, an answer for the app.
struct relay_frame relay_call(uint32_t stream, const uint8_t *data, size_t size, const char *app, bool *is_refusal);
// An answer that refuses the request on this stream.
struct relay_frame relay_refusal(uint32_t stream, enum relay_code code, const char *message);
void relay_frame_free(struct relay_frame *frame);

// MARK: relay-frames.c: the machine of one connection

struct relay_frames {
    const char *app;                    // its id; it has to outlive the machine
    bool is_broken;                     // the connection has to be closed
    // From the app:
    uint8_t header[HEADER_BYTES];
    size_t header_size;                 // of the header, as much as has come
    uint8_t *data;                      // of a request; NULL: none has begun
    size_t data_size, data_capacity;
    size_t skipped;                     // bytes of the frame that are still to be thrown away
    struct relay_frame request;         // waits until gated takes it
    struct relay_frame refusal;         // waits until the frame from gated that is under way has ended
    // From gated:
    uint8_t answer_header[HEADER_BYTES];
    size_t answer_header_size;
    size_t answer_left;                 // bytes of the frame's data that are still to come
    uint8_t answers[RELAY_ANSWER_BYTES];
    size_t answers_start, answers_end;
};
void relay_frames_free(struct relay_frames *frames);
// Where the next bytes from the app go, and how many at most; 0: none are wanted now.
size_t relay_room_for_requests(struct relay_frames *frames, uint8_t **room);
void relay_requests_came(struct relay_frames *frames, size_t count);
// The same for the next bytes from gated.
size_t relay_room_for_answers(struct relay_frames *frames, uint8_t **room);
void relay_answers_came(struct relay_frames *frames, size_t count);
// What is to be sent next, to gated and to the app. Afterwards the caller says how many bytes of it were sent.
size_t relay_requests(const struct relay_frames *frames, const uint8_t **bytes);
void relay_requests_went(struct relay_frames *frames, size_t count);
size_t relay_answers(const struct relay_frames *frames, const uint8_t **bytes);
void relay_answers_went(struct relay_frames *frames, size_t count);

// MARK: relay.c: the sockets

// Serves the apps that connect to the listening socket, in this context (NULL: the default one), until relay_stop(). The socket is the
// relay's from now on; the settings stay the caller's, and have to outlive the relay. Returns NULL if it can't be served.
struct relay *relay_start(GMainContext *context, int listener, const struct settings *settings);
// Closes all connections and the socket, and frees the relay, which may be NULL.
void relay_stop(struct relay *relay);
