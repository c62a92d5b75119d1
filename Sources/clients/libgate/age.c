// The age range of the person who uses the program. sync.c has the call that waits.
#include "internal.h"
#include "gate/v1/age.pb-c.h"

static int source_of(Gate__V1__AgeSource source) {
    switch (source) {
    case GATE__V1__AGE_SOURCE__AGE_SOURCE_GUARDIAN: return GATE_AGE_SOURCE_GUARDIAN;
    case GATE__V1__AGE_SOURCE__AGE_SOURCE_SELF: return GATE_AGE_SOURCE_SELF;
    default: return GATE_AGE_SOURCE_UNSPECIFIED;
    }
}

static void run_age_range(gate *gate, struct delivery *delivery) {
    gate_age_range_handler handler = (gate_age_range_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__QueryAgeRangeResponse *from = (const Gate__V1__QueryAgeRangeResponse *)delivery->message;
    gate_error *made;
    const gate_error *error = error_unless(from != NULL, delivery, &made);
    gate_age_range range = {0};
    if (!error && from->range) range = (gate_age_range){true, from->range->low, from->range->high, source_of(from->range->source)};
    handler(gate, error ? NULL : &range, error, delivery->userdata);
    error_free(made);
}

int gate_query_age_range(gate *gate, gate_age_range_handler handler, void *userdata, uint64_t *number) {
    Gate__V1__QueryAgeRangeRequest message = GATE__V1__QUERY_AGE_RANGE_REQUEST__INIT;
    return call_ask(gate, "gate.v1.Age", "QueryAgeRange", &message.base, &gate__v1__query_age_range_response__descriptor, run_age_range,
        (any_handler)handler, userdata, number);
}
