// Which calls of a sandboxed app go on to gated, and how. Everything that reaches gated is written here anew, out of what was understood:
// the service, the method, the message, the time limit. So nothing gets past the list because gated might read the same bytes in another
// way.
//
// An app may make requests for itself, and read what every program may know. It may not answer, show, list or change anything:
//
// | method                                 | what changes on the way                                                      |
// |----------------------------------------|------------------------------------------------------------------------------|
// | those of `passed` without a type       | the metadata                                                                 |
// | Authorize, RequirePremium              | the metadata, and who shows the question: always a presenter, never the app |
// | Check, Authorize for another process   | refused, since the person's user may be a broker                             |
// | Watch, with only topics of `topics`    | the metadata                                                                 |
// | all others                             | refused                                                                      |
//
// The metadata is one entry, `program`, with the app's id.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../libgate/internal.h"
#include "relay.h"

enum { REQUEST_FRAME = 1, RESPONSE_FRAME = 2, NAME_BYTES = 64 };

static const Gate__V1__Topic topics[] = {
    GATE__V1__TOPIC__TOPIC_MODE, GATE__V1__TOPIC__TOPIC_SIGN_IN, GATE__V1__TOPIC__TOPIC_ENTITLEMENTS, GATE__V1__TOPIC__TOPIC_SCHEDULES,
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

void relay_frame_free(struct relay_frame *frame) {
    free(frame->bytes);
    *frame = (struct relay_frame){0};
}

static struct relay_frame frame_of(uint32_t stream, uint8_t type, const ProtobufCMessage *message) {
    size_t size = protobuf_c_message_get_packed_size(message);
    struct relay_frame frame = {.bytes = malloc(HEADER_BYTES + size), .end = HEADER_BYTES + size};
    if (!frame.bytes) return (struct relay_frame){0};
    write_number(frame.bytes, (uint32_t)size);
    write_number(frame.bytes + 4, stream);
    frame.bytes[8] = type;
    frame.bytes[9] = 0; // gated knows by the method whether it is a stream
    protobuf_c_message_pack(message, frame.bytes + HEADER_BYTES);
    return frame;
}

struct relay_frame relay_refusal(uint32_t stream, enum relay_code code, const char *message) {
    Ttrpc__Status status = TTRPC__STATUS__INIT;
    Ttrpc__Response response = TTRPC__RESPONSE__INIT;
    status.code = (int32_t)code;
    status.message = (char *)message;
    response.status = &status;
    return frame_of(stream, RESPONSE_FRAME, &response.base);
}

// MARK: the list

static bool may_watch(ProtobufCMessage *message) {
    const Gate__V1__WatchRequest *watch = (const Gate__V1__WatchRequest *)message;
    for (size_t i = 0; i < watch->n_topics; i++) {
        bool is_passed_topic = false;
        for (size_t j = 0; j < COUNT(topics); j++) is_passed_topic |= watch->topics[i] == topics[j];
        if (!is_passed_topic) return false;
    }
    return true;
}

static bool may_check(ProtobufCMessage *message) {
    return !((const Gate__V1__CheckRequest *)message)->subject;
}

static bool may_authorize(ProtobufCMessage *message) {
    Gate__V1__AuthorizeRequest *authorize = (Gate__V1__AuthorizeRequest *)message;
    authorize->presents_itself = false;
    authorize->presenting = GATE__V1__PRESENTING__PRESENTING_UNSPECIFIED;
    return !authorize->subject;
}

static bool may_require_premium(ProtobufCMessage *message) {
    Gate__V1__RequirePremiumRequest *premium = (Gate__V1__RequirePremiumRequest *)message;
    premium->presents_itself = false;
    premium->presenting = GATE__V1__PRESENTING__PRESENTING_UNSPECIFIED;
    return true;
}

static const struct passed {
    const char *service, *method;
    const ProtobufCMessageDescriptor *type;     // of the message, if it is read and changed on the way; NULL: it stays as it is
    bool (*may)(ProtobufCMessage *message);     // says whether this message may go on, and makes the changes; with `type` alone
} passed[] = {
    {.service = "gate.v1.Control", .method = "Ping"}, {.service = "gate.v1.Control", .method = "Cancel"},
    {.service = "gate.v1.Control", .method = "GetVersion"}, {.service = "gate.v1.Control", .method = "Describe"},
    {.service = "gate.v1.Mode", .method = "GetMode"}, {.service = "gate.v1.SignIn", .method = "GetSignIn"},
    {.service = "gate.v1.Authorization", .method = "Redeem"}, {.service = "gate.v1.Authorization", .method = "AskMoreTime"},
    {.service = "gate.v1.Entitlements", .method = "GetEntitlements"}, {.service = "gate.v1.Usage", .method = "CountUse"},
    {.service = "gate.v1.Age", .method = "QueryAgeRange"},
    {"gate.v1.Watch", "Watch", &gate__v1__watch_request__descriptor, may_watch},
    {"gate.v1.Authorization", "Check", &gate__v1__check_request__descriptor, may_check},
    {"gate.v1.Authorization", "Authorize", &gate__v1__authorize_request__descriptor, may_authorize},
    {"gate.v1.Entitlements", "RequirePremium", &gate__v1__require_premium_request__descriptor, may_require_premium},
};

// NULL: an app may not call this.
static const struct passed *find(const Ttrpc__Request *request) {
    for (size_t i = 0; i < COUNT(passed); i++)
        if (strcmp(request->service, passed[i].service) == 0 && strcmp(request->method, passed[i].method) == 0) return &passed[i];
    return NULL;
}

static struct relay_frame refused(uint32_t stream, const Ttrpc__Request *request, const struct passed *method) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.";
    char text[512];
    const char *service = request->service, *name = request->method;
    if (method && method->may == may_watch)
        return relay_refusal(stream, RELAY_PERMISSION_DENIED,
            "An app in a sandbox may only watch the topics mode, sign-in, entitlements and schedules.");
    // Other characters are not repeated, since a terminal may show the text.
    bool is_name = service[strspn(service, plain)] == 0 && name[strspn(name, plain)] == 0;
    snprintf(text, sizeof text, "An app in a sandbox may not call %.*s%s%.*s. gate-portal only passes on what an app asks for itself.",
        NAME_BYTES, is_name ? service : "this", is_name ? "/" : "", NAME_BYTES, is_name ? name : "");
    return relay_refusal(stream, RELAY_PERMISSION_DENIED, text);
}

// The request as gated gets it. `message` replaces its message, without fields that this program does not know; NULL: it stays.
static struct relay_frame rewritten(uint32_t stream, const Ttrpc__Request *request, ProtobufCMessage *message, const char *app) {
    Ttrpc__KeyValue program = TTRPC__KEY_VALUE__INIT, *metadata[] = {&program};
    Ttrpc__Request made = TTRPC__REQUEST__INIT;
    uint8_t *packed = NULL;
    program.key = "program";
    program.value = (char *)app;
    made.service = request->service;
    made.method = request->method;
    made.payload = request->payload;
    made.timeout_nano = request->timeout_nano;
    made.metadata = metadata;
    made.n_metadata = 1;
    if (message) {
        unsigned unknown = message->n_unknown_fields;
        message->n_unknown_fields = 0;
        made.payload.len = protobuf_c_message_get_packed_size(message);
        made.payload.data = packed = malloc(made.payload.len + 1);
        if (packed) protobuf_c_message_pack(message, packed);
        message->n_unknown_fields = unknown; // they are freed with it
        if (!packed) return (struct relay_frame){0};
    }
    struct relay_frame frame = frame_of(stream, REQUEST_FRAME, &made.base);
    free(packed);
    return frame;
}

static struct relay_frame malformed(uint32_t stream) {
    return relay_refusal(stream, RELAY_INVALID_ARGUMENT, "This is no request that gate-portal can read.");
}

struct relay_frame relay_call(uint32_t stream, const uint8_t *data, size_t size, const char *app, bool *is_refusal) {
    *is_refusal = true;
    Ttrpc__Request *request = unpack(&ttrpc__request__descriptor, data, size);
    if (!request) return malformed(stream);
    const struct passed *method = find(request);
    const ProtobufCMessageDescriptor *type = method ? method->type : NULL;
    ProtobufCMessage *message = type ? unpack(type, request->payload.data, request->payload.len) : NULL;
    struct relay_frame frame;
    if (type && !message) {
        frame = malformed(stream);
    } else if (!method || (message && !method->may(message))) {
        frame = refused(stream, request, method);
    } else {
        *is_refusal = false;
        frame = rewritten(stream, request, message, app);
    }
    message_free(message);
    message_free(request);
    return frame;
}
