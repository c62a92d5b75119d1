// Unary calls: gated against an echo that reads and writes frames of the same sizes and does nothing else.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measures.h"
#include "wire.h"

enum { ROUNDS = 31, WINDOW = 16 };
static const double ROUND_SECONDS = 0.04;

struct caller {
    int socket;
    uint32_t stream;
    struct frame request;
    struct inbox inbox;
};

static struct caller *connect_caller(const char *path) {
    struct caller *caller = calloc(1, sizeof *caller);
    if (!caller) fail("no memory");
    caller->socket = connect_to(path);
    if (caller->socket < 0) fail_system("can't connect to %s", path);
    caller->stream = 1;
    caller->request = get_request();
    return caller;
}

// Seconds a call, with one in flight.
static double call_alone(struct caller *caller) {
    long answered = 0;
    double start = now(), end = start;
    for (; end - start < ROUND_SECONDS; answered++, end = now()) {
        struct header header;
        set_stream(&caller->request, caller->stream);
        write_all(caller->socket, caller->request.bytes, caller->request.size);
        await_frame(caller->socket, &caller->inbox, &header);
        if (header.stream != caller->stream || header.type != FRAME_RESPONSE) fail("an answer to another question");
        caller->stream += 2;
    }
    return (end - start) / (double)answered;
}

// Calls a second, with WINDOW in flight: as many new ones as answers came with one read.
static double call_together(struct caller *caller) {
    static uint8_t outbox[WINDOW * sizeof caller->request.bytes];
    int in_flight = 0;
    long answered = 0;
    double start = now(), end = start;
    while (end - start < ROUND_SECONDS || in_flight > 0) {
        size_t size = 0;
        for (; in_flight < WINDOW && end - start < ROUND_SECONDS; in_flight++, caller->stream += 2) {
            set_stream(&caller->request, caller->stream);
            memcpy(outbox + size, caller->request.bytes, caller->request.size);
            size += caller->request.size;
        }
        if (size > 0) write_all(caller->socket, outbox, size);
        struct header header;
        read_more(caller->socket, &caller->inbox);
        for (; next_frame(&caller->inbox, &header); in_flight--, answered++) {
            if (header.type != FRAME_RESPONSE) fail("a frame of type %d in the place of a response", header.type);
        }
        end = now();
    }
    return (double)answered / (end - start);
}

// The answer to Mode/Get, after a look at whether it is one.
static struct data answer_of(struct caller *caller) {
    struct header header;
    write_all(caller->socket, caller->request.bytes, caller->request.size);
    const uint8_t *data = await_frame(caller->socket, &caller->inbox, &header);
    check_response(header, data);
    caller->stream += 2;
    return copy_data(header, data);
}

// `has_target`: the targets are held with a processor each for client and server, as on an idle device.
static void measure_placed(struct report *report, struct caller *gate, struct caller *echo, bool has_target) {
    double alone[2][ROUNDS], together[2][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
        // The first one warms up.
        int slot = round < 0 ? 0 : round;
        alone[0][slot] = call_alone(gate);
        alone[1][slot] = call_alone(echo);
        together[0][slot] = call_together(gate);
        together[1][slot] = call_together(echo);
    }

    double seconds = median(alone[0], ROUNDS), echo_seconds = median(alone[1], ROUNDS);
    struct result *result = add_result(
        report, has_target ? "unary call `Mode/Get`, one in flight"
                           : "the same, client and server on one processor");
    snprintf(result->gate, sizeof result->gate, "%.1f µs a call", seconds * 1e6);
    snprintf(result->baseline, sizeof result->baseline, "%.1f µs (epoll echo)", echo_seconds * 1e6);
    snprintf(result->figure, sizeof result->figure, "%.2f ×", seconds / echo_seconds);
    result->target = "≤ 1.15 ×";
    result->has_target = has_target;
    result->is_met = seconds / echo_seconds <= 1.15;

    double rate = median(together[0], ROUNDS), echo_rate = median(together[1], ROUNDS);
    result = add_result(
        report, has_target ? "unary calls `Mode/Get`, 16 in flight on one connection"
                           : "the same 16, client and server on one processor");
    snprintf(result->gate, sizeof result->gate, "%.0f calls/s", rate);
    snprintf(result->baseline, sizeof result->baseline, "%.0f/s (epoll echo)", echo_rate);
    snprintf(result->figure, sizeof result->figure, "%.2f ×", rate / echo_rate);
    result->target = "≥ 0.6 ×";
    result->has_target = has_target;
    result->is_met = rate / echo_rate >= 0.6;
}

void measure_calls(struct report *report, const struct scene *scene, const struct daemon *daemon) {
    struct caller *gate = connect_caller(daemon->socket);
    struct data answer = answer_of(gate);
    struct caller *echo = connect_caller(start_echo(scene->directory, &answer));
    if (answer_of(echo).size != answer.size) fail("the echo answers with another size");

    measure_placed(report, gate, echo, true);
    // Without the wake-ups between processors, which hide what a call costs by itself.
    place_process(0, SERVER_PROCESSOR);
    measure_placed(report, gate, echo, false);
    place_process(0, CLIENT_PROCESSOR);
    close(gate->socket);
    close(echo->socket);
}
