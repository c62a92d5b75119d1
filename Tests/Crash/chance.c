#include "chance.h"

static uint64_t state;

// SplitMix64.
static uint64_t next_number(void) {
    uint64_t number = (state += 0x9e3779b97f4a7c15u);
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
    number = (number ^ number >> 27) * 0x94d049bb133111ebu;
    return number ^ number >> 31;
}

void seed_chance(uint64_t seed) {
    state = seed;
}

unsigned below(unsigned count) {
    return (unsigned)(next_number() % count);
}

bool once_in(unsigned count) {
    return below(count) == 0;
}

double between(double least, double most) {
    return least + (most - least) * ((double)(next_number() >> 11) * 0x1p-53);
}
