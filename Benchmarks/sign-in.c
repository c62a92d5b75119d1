// Whether the time of a refused log-in reveals that an account exists: an unknown name and a wrong password, in turns.
#include <CGateProtocol.h>
#include <CTTRPC.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "measures.h"

enum { ROUNDS = 60, OK = 0, UNAUTHENTICATED = 16 };

static ProtobufCBinaryData bytes_of(const char *text) {
    return (ProtobufCBinaryData){.len = strlen(text), .data = (uint8_t *)text};
}

static struct frame register_request(const char *name, const char *password) {
    Gate__V1__GrownUp grown_up = GATE__V1__GROWN_UP__INIT;
    Gate__V1__Account account = GATE__V1__ACCOUNT__INIT;
    account.name = (char *)name;
    account.kind_case = GATE__V1__ACCOUNT__KIND_GROWN_UP;
    account.grown_up = &grown_up;
    Gate__V1__RegisterAccountRequest message = GATE__V1__REGISTER_ACCOUNT_REQUEST__INIT;
    message.account = &account;
    message.password = bytes_of(password);
    return request_frame("gate.v1.SignIn", "RegisterAccount", &message.base, 0);
}

static struct frame log_in_request(const char *name, const char *password) {
    Gate__V1__LogInRequest message = GATE__V1__LOG_IN_REQUEST__INIT;
    message.name = (char *)name;
    message.password = bytes_of(password);
    return request_frame("gate.v1.SignIn", "LogIn", &message.base, 0);
}

static struct frame clear_request(void) {
    Gate__V1__ClearLockoutRequest message = GATE__V1__CLEAR_LOCKOUT_REQUEST__INIT;
    return request_frame("gate.v1.Authorization", "ClearLockout", &message.base, 0);
}

// The seconds from the request to its answer, which must have this code.
static double seconds_of(struct caller *caller, struct frame request, int code) {
    struct header header;
    set_stream(&request, caller->stream);
    double start = now();
    write_all(caller->socket, request.bytes, request.size);
    const uint8_t *data = await_frame(caller->socket, &caller->inbox, &header);
    double seconds = now() - start;
    Ttrpc__Response *response = ttrpc__response__unpack(NULL, header.size, data);
    if (header.stream != caller->stream || !response) fail("no answer to the question");
    int answered = response->status ? response->status->code : OK;
    if (answered != code) fail("a log-in ended with code %d: %s", answered, answered ? response->status->message : "");
    ttrpc__response__free_unpacked(response, NULL);
    caller->stream += 2;
    return seconds;
}

// In which fraction of all pairs the first one took longer: a half if they can't be told apart.
static double part_in_which_longer(const struct series *first, const struct series *second) {
    size_t longer = 0;
    for (size_t i = 0; i < first->count; i++) {
        for (size_t j = 0; j < second->count; j++) longer += first->values[i] > second->values[j];
    }
    return (double)longer / (double)(first->count * second->count);
}

void measure_sign_in(struct report *report, const struct daemon *daemon) {
    struct caller *caller = connect_caller(daemon->socket, clear_request());
    seconds_of(caller, register_request("Anna", "open sesame"), OK);
    const struct frame attempts[2] = {log_in_request("Nobody", "open barley"), log_in_request("Anna", "open barley")};
    struct series taken[2] = {0};
    for (int round = -3; round < ROUNDS; round++) {
        // In random order, so that neither always comes second.
        for (int turn = 0, first = rand() % 2; turn < 2; turn++) {
            int which = turn ^ first;
            // Otherwise the third wrong password would lock the user out.
            seconds_of(caller, clear_request(), OK);
            double seconds = seconds_of(caller, attempts[which], UNAUTHENTICATED);
            if (round >= 0) add_value(&taken[which], seconds * 1e3);
        }
    }
    close_caller(caller);
    struct line line = {.unit = "ms", .figure = GATE_OVER_PEER};
    line.id = "sign-in-unknown";
    line.what = "a log-in with a name that nobody has, against a wrong password";
    line.peer = "a wrong password";
    line.gate = &taken[0];
    line.other = &taken[1];
    report_line(report, line);
    // Neither may be faster.
    line.id = "sign-in-wrong";
    line.what = "a log-in with a wrong password, against a name that nobody has";
    line.peer = "an unknown name";
    line.gate = &taken[1];
    line.other = &taken[0];
    report_line(report, line);
    static char note[128];
    snprintf(
        note, sizeof note, "Of all pairs of refused log-ins, the one with a wrong password took longer in %.0f %%.",
        part_in_which_longer(&taken[1], &taken[0]) * 100);
    report_note(report, note);
}
