// What a call takes of the processor in gated. That does not depend on who waits for whom, so it differs little between
// runs.
#pragma once
#include "measures.h"

// Microseconds a call, on average over many, one after the other.
double cost_of_get(const struct daemon *daemon);
double cost_of_check(const struct daemon *daemon);
double cost_of_command(const struct daemon *daemon);
// The same with 64 in flight, which share their commits.
double cost_of_commands(const struct daemon *daemon);
