// A method call over D-Bus, as most services of a Linux device offer theirs: through dbus-daemon, with sd-bus on both
// sides, which is the fastest library for it.
#include "bus.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "peers.h"

enum { ROUNDS = 31 };
static const double ROUND_SECONDS = 0.04;
static const char service_name[] = "gate.Bench", object_path[] = "/gate/Bench", interface_name[] = "gate.Bench";

void check_bus(int result, const char *what) {
    if (result < 0) fail("D-Bus: %s: %s", what, strerror(-result));
}

sd_bus *connect_to_bus(const char *address) {
    sd_bus *bus;
    check_bus(sd_bus_new(&bus), "no connection");
    check_bus(sd_bus_set_address(bus, address), "a bad address");
    check_bus(sd_bus_set_bus_client(bus, true), "no client of a bus");
    check_bus(sd_bus_start(bus), "can't connect");
    return bus;
}

static bool has_owner(sd_bus *bus, const char *name) {
    sd_bus_message *reply = NULL;
    int owned = 0;
    check_bus(
        sd_bus_call_method(
            bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner", NULL, &reply, "s",
            name),
        "the bus does not answer");
    check_bus(sd_bus_message_read(reply, "b", &owned), "a strange answer of the bus");
    sd_bus_message_unref(reply);
    return owned;
}

bool await_name(sd_bus *bus, const char *name, pid_t *process) {
    for (double started = now(); now() - started < 10;) {
        if (has_owner(bus, name)) return true;
        if (waitpid(*process, NULL, WNOHANG) != 0) {
            *process = 0;
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

// MARK: the service

static int answer_call(sd_bus_message *call, void *context, sd_bus_error *error) {
    (void)error;
    const struct data *answer = context;
    sd_bus_message *reply = NULL;
    check_bus(sd_bus_message_new_method_return(call, &reply), "no reply");
    check_bus(sd_bus_message_append_array(reply, 'y', answer->bytes, answer->size), "no reply");
    int result = sd_bus_send(NULL, reply, NULL);
    sd_bus_message_unref(reply);
    return result;
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    // Without asking for the caller's identity, which would cost more.
    SD_BUS_METHOD("Get", "", "ay", answer_call, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

// Answers with these bytes until the bus is gone.
static _Noreturn void serve(const char *address, struct data answer) {
    sd_bus *bus = connect_to_bus(address);
    check_bus(sd_bus_add_object_vtable(bus, NULL, object_path, interface_name, methods, &answer), "no object");
    check_bus(sd_bus_request_name(bus, service_name, 0), "no name");
    for (;;) {
        int result = sd_bus_process(bus, NULL);
        if (result == 0) result = sd_bus_wait(bus, UINT64_MAX);
        if (result < 0) _exit(0);
    }
}

// MARK: the client

static void call(sd_bus *bus, size_t expected) {
    sd_bus_message *reply = NULL;
    const void *bytes;
    size_t count = 0;
    check_bus(
        sd_bus_call_method(bus, service_name, object_path, interface_name, "Get", NULL, &reply, ""), "a call failed");
    check_bus(sd_bus_message_read_array(reply, 'y', &bytes, &count), "a strange answer");
    if (count != expected) fail("D-Bus: %zu bytes in the place of %zu", count, expected);
    sd_bus_message_unref(reply);
}

// The seconds of a call, with one in flight.
static double call_over_bus(sd_bus *bus, size_t expected) {
    long answered = 0;
    double start = now(), end = start;
    for (; end - start < ROUND_SECONDS; answered++, end = now()) call(bus, expected);
    return (end - start) / (double)answered;
}

void measure_bus(struct report *report, const struct scene *scene, const struct daemon *daemon) {
    place_apart_from(daemon);
    struct bus bus;
    if (!start_bus(report, scene, "unary-dbus", SERVER_PROCESSOR, &bus)) return;
    struct caller *gate = connect_caller(daemon->socket, get_request());
    struct data answer = answer_of(gate);
    pid_t service;
    if (start_child(&service)) {
        place_process(0, SERVER_PROCESSOR);
        serve(bus.address, answer);
    }
    sd_bus *client = connect_to_bus(bus.address);
    if (!await_name(client, service_name, &service)) fail("the service on D-Bus ended before it was ready");

    struct series gate_side = {0}, bus_side = {0};
    for (int round = -1; round < ROUNDS; round++) {
        double gate_seconds = call_alone(gate), bus_seconds = call_over_bus(client, answer.size);
        if (round < 0) continue;  // The first round warms up.
        add_value(&gate_side, gate_seconds * 1e6);
        add_value(&bus_side, bus_seconds * 1e6);
    }
    report_line(
        report, (struct line){
                    .id = "unary-dbus",
                    .what = "unary call `Mode/GetMode`, one in flight, against a D-Bus method call (`dbus-daemon`, sd-bus)",
                    .unit = "µs",
                    .peer = "D-Bus",
                    .gate = &gate_side,
                    .other = &bus_side,
                    .figure = PEER_OVER_GATE,
                    .more_is_better = true,
                    .bound = AT_LEAST,
                    .target = 1.8,
                });
    sd_bus_flush_close_unref(client);
    close_caller(gate);
    stop_peer(service);
    stop_bus(&bus);
}
