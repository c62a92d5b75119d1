// How much processor time a call takes in gated. It does not depend on which process waits for which, so it varies
// little between runs.
#pragma once
#include "measures.h"

// Microseconds for a call, on average over many, one after the other.
double cost_of_get(const struct daemon *daemon);
double cost_of_check(const struct daemon *daemon);
double cost_of_command(const struct daemon *daemon);
// The same with 64 calls in flight, which share their commits.
double cost_of_commands(const struct daemon *daemon);
