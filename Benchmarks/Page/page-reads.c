// Reads the status page a number of times, and prints what it read. Benchmarks/Page/prove runs it.
// usage: page-reads FILE TIMES
#include <stdlib.h>
#include "gate_status.h"

// A function of its own, so that its cost can be told from the rest.
__attribute__((noinline)) static uint64_t read_often(const struct gate_status_reader *reader, uint64_t times) {
    uint64_t live = 0;
    for (uint64_t i = 0; i < times; i++) {
        struct gate_status status = gate_status_read(reader);
        live += status.is_live && status.mode != GATE_STATUS_VERIFYING;
    }
    return live;
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    struct gate_status_reader reader = GATE_STATUS_READER;
    enum gate_status_problem problem = gate_status_open(&reader, arguments[1], geteuid());
    if (problem != GATE_STATUS_OPENED) {
        fprintf(stderr, "page-reads: no page at %s (problem %d)\n", arguments[1], (int)problem);
        return 69;
    }
    uint64_t times = strtoull(arguments[2], NULL, 10);
    struct gate_status first = gate_status_read(&reader);
    uint64_t began = gate_status_clock(CLOCK_MONOTONIC);
    uint64_t live = read_often(&reader, times);
    uint64_t ended = gate_status_clock(CLOCK_MONOTONIC);
    printf(
        "%llu of %llu reads live; the mode is %d, %s a deadline; %.2f ns a read\n", (unsigned long long)live,
        (unsigned long long)times, (int)first.mode, first.mode_deadline == GATE_STATUS_FOREVER ? "without" : "with",
        times ? (double)(ended - began) / (double)times : 0);
    gate_status_close(&reader);
    return live == times ? 0 : 1;
}
