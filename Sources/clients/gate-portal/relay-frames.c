// The machine of one connection, without sockets. It has two directions. The caller may only read as many bytes as the machine has
// room for, so the machine never keeps more than one request from the app and RELAY_ANSWER_BYTES from gated.
//
// From the app come frames (docs/wire.md). gated gets only whole requests, each written anew by relay-calls.c:
//
// | event                                  | what happens                                                                       |
// |----------------------------------------|------------------------------------------------------------------------------------|
// | a header: a request that is not too large | its data is collected                                                           |
// | a header: a larger one                 | it is refused (RESOURCE_EXHAUSTED), and its data thrown away                        |
// | a header: another type                 | its data is thrown away, since no method takes data, and the app answers nothing   |
// | a header: longer than the protocol has it | the connection is broken                                                        |
// | the data of a request is complete      | a request waits for gated, or a refusal for the app; either stops reading from it  |
// | gated has taken the request            | the app is read from again                                                         |
// | there is no memory                     | the connection is broken                                                           |
//
// From gated come the bytes for the app, as they are. The machine only counts, so that it knows where a frame ends:
//
// | event                                  | what happens                                                                       |
// |----------------------------------------|------------------------------------------------------------------------------------|
// | bytes                                  | they wait for the app; gated is read from again once it has all of them             |
// | bytes, while a refusal waits           | no more are read than belong to the frame that is under way                         |
// | the frame has ended, and the app has everything | the refusal takes the place of the next bytes; the app is read from again  |
// | a header: longer than the protocol has it | the connection is broken                                                        |
#include <stdlib.h>
#include <string.h>

#include "relay.h"

enum { REQUEST_FRAME = 1, SKIPPED_BYTES = 4096 };

void relay_frames_free(struct relay_frames *frames) {
    free(frames->data);
    relay_frame_free(&frames->request);
    relay_frame_free(&frames->refusal);
    frames->data = NULL;
}

// Puts the refusal where the bytes for the app are, if it is its turn.
static void place_refusal(struct relay_frames *frames) {
    bool is_between = frames->answer_header_size == 0 && frames->answer_left == 0;
    if (!frames->refusal.bytes || !is_between || frames->answers_start < frames->answers_end) return;
    memcpy(frames->answers, frames->refusal.bytes, frames->refusal.end); // relay-calls.c limits what a refusal says
    frames->answers_start = 0;
    frames->answers_end = frames->refusal.end;
    relay_frame_free(&frames->refusal);
}

static void refuse(struct relay_frames *frames, struct relay_frame refusal) {
    if (!refusal.bytes || refusal.end > sizeof frames->answers) frames->is_broken = true;
    frames->refusal = refusal;
    if (!frames->is_broken) place_refusal(frames);
}

// MARK: from the app

static void request_complete(struct relay_frames *frames) {
    bool is_refusal = false;
    struct relay_frame made = relay_call(read_number(frames->header + 4), frames->data, frames->data_size, frames->app, &is_refusal);
    free(frames->data);
    frames->data = NULL;
    frames->header_size = 0;
    if (is_refusal) refuse(frames, made);
    else if (made.bytes) frames->request = made;
    else frames->is_broken = true;
}

static void header_complete(struct relay_frames *frames) {
    uint32_t size = read_number(frames->header);
    if (size > FRAME_BYTES) {
        frames->is_broken = true;
    } else if (frames->header[8] != REQUEST_FRAME || size > RELAY_REQUEST_BYTES) {
        frames->skipped = size;
        if (size == 0) frames->header_size = 0;
        if (frames->header[8] == REQUEST_FRAME)
            refuse(frames, relay_refusal(read_number(frames->header + 4), RELAY_RESOURCE_EXHAUSTED,
                "A request of an app in a sandbox has at most 65536 bytes."));
    } else {
        frames->data = malloc(size + 1);
        frames->data_capacity = size;
        frames->data_size = 0;
        if (!frames->data) frames->is_broken = true;
        else if (size == 0) request_complete(frames);
    }
}

size_t relay_room_for_requests(struct relay_frames *frames, uint8_t **room) {
    static uint8_t skipped[SKIPPED_BYTES];
    if (frames->is_broken || frames->request.bytes || frames->refusal.bytes) return 0;
    if (frames->data) {
        *room = frames->data + frames->data_size;
        return frames->data_capacity - frames->data_size;
    }
    if (frames->skipped > 0) {
        *room = skipped;
        return frames->skipped < sizeof skipped ? frames->skipped : sizeof skipped;
    }
    *room = frames->header + frames->header_size;
    return sizeof frames->header - frames->header_size;
}

void relay_requests_came(struct relay_frames *frames, size_t count) {
    if (frames->data) {
        frames->data_size += count;
        if (frames->data_size == frames->data_capacity) request_complete(frames);
    } else if (frames->skipped > 0) {
        frames->skipped -= count;
        if (frames->skipped == 0) frames->header_size = 0;
    } else {
        frames->header_size += count;
        if (frames->header_size == sizeof frames->header) header_complete(frames);
    }
}

size_t relay_requests(const struct relay_frames *frames, const uint8_t **bytes) {
    *bytes = frames->request.bytes + frames->request.start;
    return frames->request.end - frames->request.start;
}

void relay_requests_went(struct relay_frames *frames, size_t count) {
    frames->request.start += count;
    if (frames->request.start == frames->request.end) relay_frame_free(&frames->request);
}

// MARK: from gated

// How many bytes are missing of the header or of the data that is under way.
static size_t answer_wanted(const struct relay_frames *frames) {
    return frames->answer_left > 0 ? frames->answer_left : HEADER_BYTES - frames->answer_header_size;
}

size_t relay_room_for_answers(struct relay_frames *frames, uint8_t **room) {
    if (frames->is_broken || frames->answers_start < frames->answers_end) return 0;
    frames->answers_start = frames->answers_end = 0;
    *room = frames->answers;
    if (!frames->refusal.bytes) return sizeof frames->answers;
    size_t left = answer_wanted(frames);
    return left < sizeof frames->answers ? left : sizeof frames->answers;
}

void relay_answers_came(struct relay_frames *frames, size_t count) {
    const uint8_t *at = frames->answers, *end = frames->answers + count;
    frames->answers_end = count;
    while (at < end) {
        size_t there = (size_t)(end - at), wanted = answer_wanted(frames);
        size_t taken = there < wanted ? there : wanted;
        if (frames->answer_left > 0) {
            frames->answer_left -= taken;
        } else {
            memcpy(frames->answer_header + frames->answer_header_size, at, taken);
            frames->answer_header_size += taken;
            if (frames->answer_header_size == HEADER_BYTES) {
                frames->answer_header_size = 0;
                frames->answer_left = read_number(frames->answer_header);
                if (frames->answer_left > FRAME_BYTES) frames->is_broken = true;
            }
        }
        at += taken;
    }
}

size_t relay_answers(const struct relay_frames *frames, const uint8_t **bytes) {
    *bytes = frames->answers + frames->answers_start;
    return frames->answers_end - frames->answers_start;
}

void relay_answers_went(struct relay_frames *frames, size_t count) {
    frames->answers_start += count;
    place_refusal(frames);
}
