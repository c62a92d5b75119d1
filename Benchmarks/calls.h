// The C client that calls gated, and other servers that answer its frames.
#pragma once
#include "measures.h"
#include "wire.h"

// How many calls are in flight when calls are made together.
enum { WINDOW = 16 };

struct caller {
    int socket;
    uint32_t stream;
    struct frame request;
    struct inbox inbox;
};
struct caller *connect_caller(const char *path, struct frame request);
// The answer to the request, after checking that it is one.
struct data answer_of(struct caller *caller);
// The seconds of a call in one round of some hundredths of a second, with one call in flight.
double call_alone(struct caller *caller);
// The calls in a second in one round, with WINDOW calls in flight on the one connection.
double call_together(struct caller *caller);
void close_caller(struct caller *caller);

// Both ways of calling, in rounds: first Gate's side, then the other one.
struct call_rounds {
    // Microseconds of a call, and calls in a second.
    struct series alone[2], together[2];
};
// Adds the values of one round: alone Gate and the other, together Gate and the other.
void add_call_round(struct call_rounds *rounds, const double values[4]);
// All rounds of two callers, in turns, after one that warms up.
void measure_call_rounds(struct call_rounds *rounds, struct caller *gate, struct caller *other);
