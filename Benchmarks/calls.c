// Unary calls to gated, compared with an echo that only reads and writes frames of the same sizes.
#include "calls.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measures.h"

enum { ROUNDS = 31, SAMPLES = 20000 };
static const double ROUND_SECONDS = 0.04;

struct caller *connect_caller(const char *path, struct frame request) {
    struct caller *caller = calloc(1, sizeof *caller);
    if (!caller) fail("no memory");
    caller->socket = connect_to(path);
    if (caller->socket < 0) fail_system("can't connect to %s", path);
    caller->stream = 1;
    caller->request = request;
    return caller;
}

void close_caller(struct caller *caller) {
    close(caller->socket);
    free(caller);
}

static void call_once(struct caller *caller) {
    struct header header;
    set_stream(&caller->request, caller->stream);
    write_all(caller->socket, caller->request.bytes, caller->request.size);
    await_frame(caller->socket, &caller->inbox, &header);
    if (header.stream != caller->stream || header.type != FRAME_RESPONSE) fail("an answer to another question");
    caller->stream += 2;
}

double call_alone(struct caller *caller) {
    long answered = 0;
    double start = now(), end = start;
    for (; end - start < ROUND_SECONDS; answered++, end = now()) call_once(caller);
    return (end - start) / (double)answered;
}

// Keeps WINDOW calls in flight until `enough` were answered or the time is over; it sends as many new ones as answers
// arrived with one read. Writes into `seconds`, unless it is NULL, how long each call took. Returns how many were
// answered.
static size_t keep_calling(struct caller *caller, double until, size_t enough, double *seconds) {
    static uint8_t outbox[WINDOW * sizeof caller->request.bytes];
    // By the stream of the call.
    double started[WINDOW];
    size_t asked = 0, answered = 0;
    for (double time = now(); time < until && asked < enough ? true : answered < asked;) {
        size_t size = 0;
        for (; asked - answered < WINDOW && time < until && asked < enough; asked++, caller->stream += 2) {
            set_stream(&caller->request, caller->stream);
            memcpy(outbox + size, caller->request.bytes, caller->request.size);
            size += caller->request.size;
            started[caller->stream / 2 % WINDOW] = time;
        }
        if (size > 0) write_all(caller->socket, outbox, size);
        struct header header;
        read_more(caller->socket, &caller->inbox);
        time = now();
        for (; next_frame(&caller->inbox, &header); answered++) {
            if (header.type != FRAME_RESPONSE) fail("a frame of type %d in the place of a response", header.type);
            if (seconds) seconds[answered] = time - started[header.stream / 2 % WINDOW];
        }
    }
    return answered;
}

double call_together(struct caller *caller) {
    double start = now();
    size_t answered = keep_calling(caller, start + ROUND_SECONDS, SIZE_MAX, NULL);
    return (double)answered / (now() - start);
}

struct data answer_of(struct caller *caller) {
    struct header header;
    set_stream(&caller->request, caller->stream);
    write_all(caller->socket, caller->request.bytes, caller->request.size);
    const uint8_t *data = await_frame(caller->socket, &caller->inbox, &header);
    check_response(header, data);
    caller->stream += 2;
    return copy_data(header, data);
}

void add_call_round(struct call_rounds *rounds, const double values[4]) {
    for (int side = 0; side < 2; side++) {
        add_value(&rounds->alone[side], values[side]);
        add_value(&rounds->together[side], values[2 + side]);
    }
}

void measure_call_rounds(struct call_rounds *rounds, struct caller *gate, struct caller *other) {
    for (int round = -1; round < ROUNDS; round++) {
        double values[] = {call_alone(gate) * 1e6, call_alone(other) * 1e6, call_together(gate), call_together(other)};
        // The first round warms up.
        if (round >= 0) add_call_round(rounds, values);
    }
}

// `is_apart`: client and server have a processor each, as on an idle device; otherwise they share one, as on a busy
// one.
static void measure_placed(struct report *report, struct caller *gate, struct caller *echo, bool is_apart) {
    struct call_rounds rounds = {0};
    measure_call_rounds(&rounds, gate, echo);
    report_line(
        report, (struct line){
                    .id = is_apart ? "unary-alone" : "unary-alone-one-processor",
                    .what = is_apart ? "unary call `Mode/GetMode`, one in flight"
                                     : "the same, client and server on one processor",
                    .unit = "µs",
                    .peer = "C epoll echo",
                    .gate = &rounds.alone[0],
                    .other = &rounds.alone[1],
                    .figure = GATE_OVER_PEER,
                    .bound = AT_MOST,
                    .target = is_apart ? 1.15 : 1.2,
                });
    report_line(
        report, (struct line){
                    .id = is_apart ? "unary-together" : "unary-together-one-processor",
                    .what = is_apart ? "unary calls `Mode/GetMode`, 16 in flight on one connection"
                                     : "the same 16, client and server on one processor",
                    .unit = "calls/s",
                    .peer = "C epoll echo",
                    .gate = &rounds.together[0],
                    .other = &rounds.together[1],
                    .figure = GATE_OVER_PEER,
                    .more_is_better = true,
                    .bound = AT_LEAST,
                    .target = is_apart ? 0.6 : 0.4,
                });
}

// A client that writes a whole batch at once, and the next one when all of it was answered.
static double call_in_batches(struct caller *caller) {
    size_t answered = 0;
    double start = now(), end = start;
    for (; end - start < ROUND_SECONDS; end = now()) answered += keep_calling(caller, 1e300, WINDOW, NULL);
    return (double)answered / (end - start);
}

static void measure_batches(struct report *report, struct caller *gate, struct caller *echo) {
    struct series rates[2] = {0};
    for (int round = -1; round < ROUNDS; round++) {
        double values[] = {call_in_batches(gate), call_in_batches(echo)};
        for (int side = 0; side < 2 && round >= 0; side++) add_value(&rates[side], values[side]);
    }
    report_line(
        report, (struct line){
                    .id = "unary-batches-one-processor",
                    .what = "the same in batches: 16 are written at once, and the next when all have been answered",
                    .unit = "calls/s",
                    .peer = "C epoll echo",
                    .gate = &rates[0],
                    .other = &rates[1],
                    .figure = GATE_OVER_PEER,
                    .more_is_better = true,
                    .bound = AT_LEAST,
                    .target = 0.4,
                });
}

static void measure_latencies(struct report *report, struct caller *gate) {
    static double seconds[SAMPLES + WINDOW];
    for (int i = 0; i < SAMPLES; i++) {
        double start = now();
        call_once(gate);
        seconds[i] = now() - start;
    }
    report_latency(report, "latency-unary-alone", "unary call `Mode/GetMode`, one in flight", seconds, SAMPLES);
    size_t count = keep_calling(gate, 1e300, SAMPLES, seconds);
    report_latency(report, "latency-unary-together", "unary call `Mode/GetMode`, 16 in flight", seconds, count);
}

void measure_calls(struct report *report, const struct scene *scene, const struct daemon *daemon) {
    struct caller *gate = connect_caller(daemon->socket, get_request());
    struct data answer = answer_of(gate);
    struct caller *echo = connect_caller(start_echo(scene->directory, &answer), get_request());
    if (answer_of(echo).size != answer.size) fail("the echo answers with another size");

    measure_placed(report, gate, echo, true);
    measure_latencies(report, gate);
    // On one processor, without wake-ups between processors, which would hide what a call costs by itself.
    place_process(0, SERVER_PROCESSOR);
    measure_placed(report, gate, echo, false);
    measure_batches(report, gate, echo);
    place_process(0, CLIENT_PROCESSOR);
    close_caller(gate);
    close_caller(echo);
}
