// Chance that can be had again: the same seed draws the same numbers.
#pragma once
#include <stdbool.h>
#include <stdint.h>

void seed_chance(uint64_t seed);
// Less than `count`, which is at least 1.
unsigned below(unsigned count);
// Once in `count` times, on average.
bool once_in(unsigned count);
double between(double least, double most);
