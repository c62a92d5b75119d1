// Calls and streams: sends requests, receives answers, and queues what handlers have to get.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum frame_type { REQUEST = 1, RESPONSE = 2, DATA = 3 };
enum frame_flag { REMOTE_CLOSED = 1, NO_DATA = 4 };

// MARK: deliveries

static void answer_clear(struct answer *answer) {
    message_free(answer->message);
    if (answer->bytes) wipe(answer->bytes, answer->size);
    free(answer->bytes);
    error_free(answer->error);
    *answer = (struct answer){0};
}

void delivery_free(struct delivery *delivery) {
    struct answer answer = {delivery->message, delivery->bytes, delivery->size, delivery->error, false};
    answer_clear(&answer);
    free(delivery);
}

bool deliver(gate *gate, struct delivery delivery, struct answer *answer) {
    struct delivery *kept = malloc(sizeof *kept);
    // The ends of calls always have room: call_start_bytes() limits how many there can be.
    bool is_full = gate->delivery_count >= MAXIMUM_DELIVERIES || gate->delivered_bytes + answer->size > QUEUED_BYTES;
    if (!kept || (is_full && !delivery.is_end)) {
        free(kept);
        answer_clear(answer);
        connection_break(gate, error_new(GATE_RESOURCE_EXHAUSTED, GATE_REASON_LIMIT,
            "There is no more room for what waits for this program's handlers. Call gate_process() more often."));
        return false;
    }
    *kept = delivery;
    kept->next = NULL;
    kept->message = answer->message;
    kept->bytes = answer->bytes;
    kept->size = answer->size;
    kept->error = answer->error;
    kept->is_failed = answer->is_failed;
    *answer = (struct answer){0};
    *gate->end = kept;
    gate->end = &kept->next;
    gate->delivery_count++;
    gate->delivered_bytes += kept->size;
    return true;
}

void deliveries_drop(gate *gate, uint64_t number, uint64_t id) {
    for (struct delivery **link = &gate->first; *link;) {
        struct delivery *delivery = *link;
        if ((number && delivery->number == number) || (id && delivery->id == id)) {
            *link = delivery->next;
            gate->delivery_count--;
            gate->delivered_bytes -= delivery->size;
            delivery_free(delivery);
        } else {
            link = &delivery->next;
        }
        if (!*link) gate->end = link;
    }
}

bool delivery_waits(const gate *gate, uint64_t number) {
    const struct delivery *delivery = gate->first;
    while (delivery && delivery->number != number) delivery = delivery->next;
    return delivery != NULL;
}

void call_deliver(gate *gate, struct call *call, struct answer *answer) {
    struct delivery delivery = {.number = call->number, .is_end = !call->is_stream || answer->is_failed, .owner = call->owner,
        .run = call->run, .handler = call->handler, .userdata = call->userdata};
    deliver(gate, delivery, answer);
}

// MARK: requests

// The next odd number that no call uses. There is always one, since there are at most MAXIMUM_CALLS calls.
static uint32_t free_stream(gate *gate) {
    for (;;) {
        gate->last_stream = gate->last_stream ? gate->last_stream + 2 : 1;
        struct call *call = gate->calls;
        while (call && call->stream != gate->last_stream) call = call->next;
        if (!call) return gate->last_stream;
    }
}

static int send_request(
    gate *gate, uint32_t stream, bool is_stream, const char *service, const char *method, const void *bytes, size_t size) {
    Ttrpc__KeyValue program = TTRPC__KEY_VALUE__INIT, *metadata[] = {&program};
    program.key = "program";
    program.value = gate->program;
    Ttrpc__Request request = TTRPC__REQUEST__INIT;
    request.service = (char *)service;
    request.method = (char *)method;
    request.payload.len = size;
    request.payload.data = (uint8_t *)bytes;
    request.n_metadata = 1;
    request.metadata = metadata;
    size_t packed = ttrpc__request__get_packed_size(&request);
    if (packed > FRAME_BYTES) return -EMSGSIZE;
    if (!connection_has_room(gate, packed + HEADER_BYTES)) return -EAGAIN;
    uint8_t *frame = connection_room(gate, HEADER_BYTES + packed);
    if (!frame) return -ENOMEM;
    write_number(frame, (uint32_t)packed);
    write_number(frame + 4, stream);
    frame[8] = REQUEST;
    frame[9] = is_stream ? REMOTE_CLOSED : 0;
    ttrpc__request__pack(&request, frame + HEADER_BYTES);
    connection_send(gate, HEADER_BYTES + packed);
    return 0;
}

int call_start_bytes(gate *gate, const char *service, const char *method, const void *bytes, size_t size, const struct call *call,
    uint64_t *number) {
    if (gate->call_count >= MAXIMUM_CALLS || gate->delivery_count >= MAXIMUM_DELIVERIES) return -EAGAIN;
    struct call *kept = malloc(sizeof *kept);
    if (!kept) return -ENOMEM;
    *kept = *call;
    kept->stream = free_stream(gate);
    kept->number = kept->number ? kept->number : ++gate->last_number;
    if (number) *number = kept->number;
    connection_need(gate);
    // If the connection has just been lost, this call is not sent: it fails in gate_process(), like the other calls.
    int problem = gate->is_breaking ? 0 : send_request(gate, kept->stream, kept->is_stream, service, method, bytes, size);
    if (problem < 0) {
        free(kept);
        return problem;
    }
    kept->next = gate->calls;
    gate->calls = kept;
    gate->call_count++;
    return 0;
}

int call_start(gate *gate, const char *service, const char *method, const ProtobufCMessage *message, const struct call *call,
    uint64_t *number) {
    size_t size = protobuf_c_message_get_packed_size(message);
    uint8_t *bytes = malloc(size + 1);
    if (!bytes) return -ENOMEM;
    protobuf_c_message_pack(message, bytes);
    int problem = call_start_bytes(gate, service, method, bytes, size, call, number);
    wipe(bytes, size); // it may contain a secret
    free(bytes);
    return problem;
}

uint64_t time_after(uint64_t usec) {
    uint64_t now = usec == UINT64_MAX ? 0 : monotonic_usec();
    return usec < UINT64_MAX - now ? now + usec : UINT64_MAX;
}

uint64_t call_limit(const gate *gate) {
    return time_after(gate->call_usec);
}

// MARK: ends

static void call_free(struct call *call) {
    listing_free(call->listing);
    free(call);
}

static struct call *take_call(gate *gate, struct call **link) {
    struct call *call = *link;
    *link = call->next;
    gate->call_count--;
    return call;
}

// Cancels the call on the daemon. If the daemon answers all the same, calls_frame() ignores that.
static void send_cancel(gate *gate, uint32_t stream) {
    if (gate->connection == NOT_CONNECTED || gate->is_breaking) return;
    Gate__V1__CancelRequest message = GATE__V1__CANCEL_REQUEST__INIT;
    uint8_t bytes[16];
    message.stream_id = stream;
    size_t size = gate__v1__cancel_request__pack(&message, bytes);
    send_request(gate, free_stream(gate), false, "gate.v1.Control", "Cancel", bytes, size);
}

bool call_cancel(gate *gate, uint64_t number) {
    for (struct call **link = &gate->calls; number && *link; link = &(*link)->next) {
        if ((*link)->number != number) continue;
        struct call *call = take_call(gate, link);
        send_cancel(gate, call->stream);
        call_free(call);
        return true;
    }
    return false;
}

bool call_is_open(const gate *gate, uint64_t number) {
    const struct call *call = gate->calls;
    while (call && call->number != number) call = call->next;
    return call != NULL;
}

static void end_call(gate *gate, struct call *call, struct answer answer) {
    call->answered(gate, call, &answer);
    answer_clear(&answer);
    call_free(call);
}

// Ends all calls. With NULL as the error, nothing is called.
void calls_fail(gate *gate, const gate_error *error) {
    // Calls that are made meanwhile belong to the next connection, so they have to stay.
    struct call *calls = gate->calls;
    gate->calls = NULL;
    gate->call_count = 0;
    struct call *oldest_first = NULL;
    while (calls) {
        struct call *call = calls;
        calls = call->next;
        call->next = oldest_first;
        oldest_first = call;
    }
    while (oldest_first) {
        struct call *call = oldest_first;
        oldest_first = call->next;
        if (error) end_call(gate, call, (struct answer){.error = error_copy(error), .is_failed = true});
        else call_free(call);
    }
}

void calls_timers(gate *gate, uint64_t now) {
    for (struct call **link = &gate->calls; *link;) {
        if ((*link)->due > now) {
            link = &(*link)->next;
            continue;
        }
        struct call *call = take_call(gate, link);
        send_cancel(gate, call->stream);
        gate_error *error = error_new(GATE_DEADLINE_EXCEEDED, GATE_REASON_UNSPECIFIED, "The daemon did not answer in time.");
        end_call(gate, call, (struct answer){.error = error, .is_failed = true});
        link = &gate->calls; // begin again, since other calls may have been made or ended meanwhile
    }
}

uint64_t calls_due(const gate *gate) {
    uint64_t due = UINT64_MAX;
    for (const struct call *call = gate->calls; call; call = call->next)
        if (call->due < due) due = call->due;
    return due;
}

// MARK: frames

static bool take_payload(const struct call *call, const uint8_t *data, size_t size, struct answer *answer) {
    answer->size = size;
    if (call->output) return (answer->message = unpack(call->output, data, size)) != NULL;
    answer->bytes = malloc(size + 1);
    if (answer->bytes && size) memcpy(answer->bytes, data, size);
    return answer->bytes != NULL;
}

// Handles one frame. Returns false if Gate's daemon never sends such a frame.
bool calls_frame(gate *gate, uint32_t stream, uint8_t type, uint8_t flags, const uint8_t *data, size_t size) {
    struct call **link = &gate->calls;
    while (*link && (*link)->stream != stream) link = &(*link)->next;
    // The frame is for a cancelled call, or of a type of a later protocol: ignore it.
    if (!*link || (type != RESPONSE && type != DATA)) return true;
    struct call *call = *link;
    struct answer answer = {0};
    if (type == DATA) {
        if (!call->is_stream) return false;
        if (!(flags & NO_DATA)) {
            if (!take_payload(call, data, size, &answer)) return false;
            uint64_t number = call->number;
            call->answered(gate, call, &answer);
            answer_clear(&answer);
            // The message may have led to the cancellation of this call.
            for (link = &gate->calls; *link && (*link)->number != number;) link = &(*link)->next;
            if (!*link) return true;
        }
        if (!(flags & REMOTE_CLOSED)) return true;
        answer.error = error_new(GATE_CANCELLED, GATE_REASON_UNSPECIFIED, "The daemon ended the stream.");
        answer.is_failed = true;
        end_call(gate, take_call(gate, link), answer);
        return true;
    }
    Ttrpc__Response *response = unpack(&ttrpc__response__descriptor, data, size);
    if (!response) return false;
    bool is_read = true;
    if (response->status && (response->status->code != 0 || call->is_stream)) {
        answer.error = error_of_status(response->status);
        answer.is_failed = true;
    } else if (call->is_stream) {
        is_read = false; // Gate's daemon never ends a stream with a response without a status
    } else if (!call->output && response->payload.len > 0) {
        answer = (struct answer){.bytes = response->payload.data, .size = response->payload.len};
        response->payload = (ProtobufCBinaryData){0};
    } else {
        is_read = take_payload(call, response->payload.data, response->payload.len, &answer);
    }
    ttrpc__response__free_unpacked(response, NULL);
    if (is_read) end_call(gate, take_call(gate, link), answer);
    else answer_clear(&answer);
    return is_read;
}
