// Random numbers that can be repeated: the same seed gives the same numbers.
#pragma once
#include <stdbool.h>
#include <stdint.h>

void seed_chance(uint64_t seed);
// A number below `count`, which is at least 1.
unsigned below(unsigned count);
// True once in `count` times, on average.
bool once_in(unsigned count);
double between(double least, double most);
