// A call through libgate, compared with the C client of calls.c, which knows only its own frame. Both call the same
// daemon.
#include <gate.h>
#include <unistd.h>

#include "calls.h"
#include "measures.h"

enum { ROUNDS = 31 };
static const double ROUND_SECONDS = 0.04;

static double call_by_library(gate *handle) {
    const void *answer;
    size_t size;
    long answered = 0;
    double start = now(), end = start;
    for (; end - start < ROUND_SECONDS; answered++, end = now()) {
        int code = gate_call_sync(handle, "gate.v1.Mode", "GetMode", NULL, 0, 0, &answer, &size);
        if (code != GATE_OK) fail("libgate: %d", code);
    }
    return (end - start) / (double)answered;
}

void measure_library(struct report *report, const struct daemon *daemon) {
    struct caller *caller = connect_caller(daemon->socket, get_request());
    struct series library = {0}, frames = {0};
    gate *handle;
    if (gate_new(&handle) < 0 || gate_set_socket(handle, daemon->socket) < 0 || gate_set_server_uid(handle, getuid()) < 0)
        fail("libgate makes no handle");
    for (int round = -1; round < ROUNDS; round++) {
        double values[] = {call_by_library(handle) * 1e6, call_alone(caller) * 1e6};
        if (round < 0) continue; // this round warms up
        add_value(&library, values[0]);
        add_value(&frames, values[1]);
    }
    report_line(
        report, (struct line){
                    .id = "unary-libgate",
                    .what = "unary call `Mode/GetMode` through libgate, one in flight",
                    .unit = "µs",
                    .peer = "a C client that sends the same frame again and again",
                    .gate = &library,
                    .other = &frames,
                    .figure = GATE_OVER_PEER,
                    .bound = AT_MOST,
                    .target = 1.1,
                });
    gate_free(handle);
    close_caller(caller);
}
