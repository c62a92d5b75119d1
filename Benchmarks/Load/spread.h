// Times, of however many calls, in little memory.
#pragma once
#include <stdint.h>

// How long things took, as a histogram: no value is off by more than 1 %.
enum { SPREAD_STEPS = 64, SPREAD_OCTAVES = 40 };
struct spread {
    uint64_t counts[SPREAD_OCTAVES][SPREAD_STEPS];
    uint64_t count, longest;
};
// Nanoseconds.
void add_time(struct spread *spread, uint64_t nanoseconds);
// Milliseconds that this part (0.99) of all did not exceed.
double quantile(const struct spread *spread, double part);

uint64_t nanoseconds_now(void);
