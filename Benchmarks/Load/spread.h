// A histogram of times, which takes little memory for any number of calls.
#pragma once
#include <stdint.h>

// No value is off by more than 1 %.
enum { SPREAD_STEPS = 64, SPREAD_OCTAVES = 40 };
struct spread {
    uint64_t counts[SPREAD_OCTAVES][SPREAD_STEPS];
    uint64_t count, longest;
};
// Adds a time in nanoseconds.
void add_time(struct spread *spread, uint64_t nanoseconds);
// The milliseconds that this fraction of all times (like 0.99) did not exceed.
double quantile(const struct spread *spread, double part);

uint64_t nanoseconds_now(void);
