// The C client that calls gated, and whatever else answers its frames.
#pragma once
#include "measures.h"
#include "wire.h"

// How many are in flight when calls are made together.
enum { WINDOW = 16 };

struct caller {
    int socket;
    uint32_t stream;
    struct frame request;
    struct inbox inbox;
};
struct caller *connect_caller(const char *path, struct frame request);
// The answer to the request, after a look at whether it is one.
struct data answer_of(struct caller *caller);
// One round, some hundredths of a second: seconds a call, with one in flight.
double call_alone(struct caller *caller);
// One round: calls a second, with WINDOW in flight on the one connection.
double call_together(struct caller *caller);
void close_caller(struct caller *caller);

// Both ways of calling, in rounds: Gate's side, then the other's.
struct call_rounds {
    // µs a call, and calls a second.
    struct series alone[2], together[2];
};
// The values of one round: alone Gate and the other, together Gate and the other.
void add_call_round(struct call_rounds *rounds, const double values[4]);
// All rounds of two callers, in turns, after one that warms up.
void measure_call_rounds(struct call_rounds *rounds, struct caller *gate, struct caller *other);
