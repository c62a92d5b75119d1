#include <time.h>

#include "spread.h"

uint64_t nanoseconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// An octave has SPREAD_STEPS steps of the same width. The first octave begins at 0.
void add_time(struct spread *spread, uint64_t nanoseconds) {
    int octave = 0;
    uint64_t step = nanoseconds;
    for (; step >= 2 * SPREAD_STEPS; octave++) step >>= 1;
    if (step >= SPREAD_STEPS) octave++, step -= SPREAD_STEPS;
    if (octave >= SPREAD_OCTAVES) octave = SPREAD_OCTAVES - 1, step = SPREAD_STEPS - 1;
    spread->counts[octave][step]++;
    spread->count++;
    if (nanoseconds > spread->longest) spread->longest = nanoseconds;
}

double quantile(const struct spread *spread, double part) {
    uint64_t wanted = (uint64_t)((double)spread->count * part), passed = 0;
    for (int octave = 0; octave < SPREAD_OCTAVES; octave++) {
        for (uint64_t step = 0; step < SPREAD_STEPS; step++) {
            passed += spread->counts[octave][step];
            if (passed <= wanted) continue;
            // The middle of the step.
            double width = octave == 0 ? 0 : (double)(UINT64_C(1) << (octave - 1));
            double start = octave == 0 ? (double)step : (double)(SPREAD_STEPS + step) * width;
            double middle = start + width / 2, longest = (double)spread->longest;
            return (middle < longest ? middle : longest) * 1e-6;
        }
    }
    return (double)spread->longest * 1e-6;
}
