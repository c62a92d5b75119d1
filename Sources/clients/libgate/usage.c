// Counting the time that a gated action is used: a stream of its own, which call_deliver() passes on message by message.
#include <errno.h>

#include "internal.h"
#include "gate/v1/usage.pb-c.h"

static void run_use(gate *gate, struct delivery *delivery) {
    gate_use_handler handler = (gate_use_handler)delivery->handler;
    if (!handler) return;
    const Gate__V1__CountUseResponse *from = (const Gate__V1__CountUseResponse *)delivery->message;
    gate_error *made;
    const gate_error *error = error_unless(from != NULL, delivery, &made);
    gate_use use = {0};
    if (!error) use = (gate_use){from->is_limited, from->is_over, from->is_limited ? from->left_milliseconds : 0};
    handler(gate, error ? NULL : &use, error, delivery->userdata);
    error_free(made);
}

int gate_count_use(gate *gate, const char *gated_action, const char *details, gate_use_handler handler, void *userdata, uint64_t *number) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    if (!gated_action) return -EINVAL;
    Gate__V1__CountUseRequest message = GATE__V1__COUNT_USE_REQUEST__INIT;
    message.gated_action = (char *)gated_action;
    if (details) message.details = (char *)details;
    const struct call call = {.is_stream = true, .answered = call_deliver, .run = run_use, .output = &gate__v1__count_use_response__descriptor,
        .handler = (any_handler)handler, .userdata = userdata, .due = UINT64_MAX};
    return call_start(gate, "gate.v1.Usage", "CountUse", &message.base, &call, number);
}
