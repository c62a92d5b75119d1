// The same method in Go, with containerd's ttrpc and with gRPC. The programs are in Go/. Their server answers with the
// bytes of Gate's answer, encoded beforehand.
#define _GNU_SOURCE
#include <CTTRPC.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "calls.h"
#include "peers.h"

enum { ROUNDS = 31, ROUND_MILLISECONDS = 40 };

// The payload of an answer as hexadecimal digits.
static char *digits_of(struct data answer) {
    Ttrpc__Response *response = ttrpc__response__unpack(NULL, answer.size, answer.bytes);
    if (!response) fail("an answer that can't be decoded");
    size_t count = response->payload.len;
    char *digits = calloc(count + 1, 2);
    if (!digits) fail("no memory");
    for (size_t i = 0; i < count; i++) sprintf(digits + 2 * i, "%02x", response->payload.data[i]);
    ttrpc__response__free_unpacked(response, NULL);
    return digits;
}

// Both lines of one peer. The caller owns names, words and target.
static void report_calls(
    struct report *report, const struct call_rounds *rounds, struct line alone, struct line together
) {
    alone.unit = "µs";
    alone.gate = &rounds->alone[0];
    alone.other = &rounds->alone[1];
    alone.figure = PEER_OVER_GATE;
    alone.more_is_better = true;
    report_line(report, alone);
    together.unit = "calls/s";
    together.gate = &rounds->together[0];
    together.other = &rounds->together[1];
    together.figure = GATE_OVER_PEER;
    together.more_is_better = true;
    report_line(report, together);
}

// MARK: ttrpc

static void measure_ttrpc(struct report *report, const char *path, struct caller *gate, struct data answer) {
    struct caller *other = connect_caller(path, get_request());
    if (answer_of(other).size != answer.size) fail("Go's ttrpc answers with another size");
    struct call_rounds rounds = {0};
    measure_call_rounds(&rounds, gate, other);
    close_caller(other);
    report_calls(
        report, &rounds,
        (struct line){
            .id = "unary-go-ttrpc",
            .what = "unary call `Mode/GetMode`, one in flight, against containerd's ttrpc in Go; the client is the same",
            .peer = "Go ttrpc",
        },
        (struct line){
            .id = "pipelined-go-ttrpc",
            .what = "unary calls `Mode/GetMode`, 16 in flight on one connection, against Go ttrpc",
            .peer = "Go ttrpc",
            .bound = AT_LEAST,
            .target = 3,
        });
}

// MARK: gRPC

// The client in Go, which measures when it is told to.
struct client {
    pid_t process;
    FILE *orders, *results;
};

static struct client start_client(const char *program, const char *path) {
    struct client client;
    int orders[2], results[2];
    if (pipe2(orders, O_CLOEXEC) != 0 || pipe2(results, O_CLOEXEC) != 0) fail_system("can't make a pipe");
    if (start_child(&client.process)) {
        place_process(0, CLIENT_PROCESSOR);
        if (dup2(orders[0], STDIN_FILENO) < 0 || dup2(results[1], STDOUT_FILENO) < 0) fail_system("can't use a pipe");
        execl(program, program, path, (char *)NULL);
        fail_system("can't start %s", program);
    }
    close(orders[0]);
    close(results[1]);
    client.orders = fdopen(orders[1], "w");
    client.results = fdopen(results[0], "r");
    if (!client.orders || !client.results) fail("no memory");
    return client;
}

// Calls in a second.
static double call_grpc(struct client *client, int in_flight) {
    double rate;
    fprintf(client->orders, "%d %d\n", in_flight, ROUND_MILLISECONDS);
    fflush(client->orders);
    if (fscanf(client->results, "%lf", &rate) != 1) fail("the client of Go's gRPC ended");
    return rate;
}

static void measure_grpc(struct report *report, const char *program, const char *path, struct caller *gate) {
    struct client client = start_client(program, path);
    struct call_rounds rounds = {0};
    for (int round = -1; round < ROUNDS; round++) {
        double values[] = {
            call_alone(gate) * 1e6, 1e6 / call_grpc(&client, 1), call_together(gate), call_grpc(&client, WINDOW)};
        if (round >= 0) add_call_round(&rounds, values);
    }
    fclose(client.orders);
    fclose(client.results);
    stop_peer(client.process);
    report_calls(
        report, &rounds,
        (struct line){
            .id = "unary-go-grpc",
            .what = "unary call `Mode/GetMode`, one in flight, against gRPC in Go, whose client is Go's too",
            .peer = "Go gRPC",
        },
        (struct line){
            .id = "pipelined-go-grpc",
            .what = "unary calls `Mode/GetMode`, 16 in flight on one connection, against gRPC in Go, whose client is Go's too",
            .peer = "Go gRPC",
        });
}

// MARK: both

// The path of a program that `Go/build` has made, or NULL after a note.
static char *find_built(struct report *report, const struct scene *scene, const char *name) {
    char *path = scene->peers_directory ? path_in_folder(scene->peers_directory, name) : NULL;
    if (path && access(path, X_OK) == 0) return path;
    note(report, "Not measured: Go's `%s`, which was not built (`Benchmarks/Go/build` says why).", name);
    free(path);
    return NULL;
}

// Starts a server. Returns the path of its socket, or NULL after a note.
static char *start_server(
    struct report *report, const struct scene *scene, const char *name, char *digits, pid_t *process
) {
    char *program = find_built(report, scene, name);
    if (!program) return NULL;
    char *path;
    if (asprintf(&path, "%s/%s.sock", scene->directory, name) < 0) fail("no memory");
    // On its processor from the start, so that Go knows only one, and hands no work over between threads.
    *process = start_peer(scene, (char *[]){program, path, digits, NULL}, SERVER_PROCESSOR);
    free(program);
    if (await_listener(process, path)) return path;
    note_failure(report, scene, "Go", name);
    stop_peer(*process);
    free(path);
    return NULL;
}

void measure_go(struct report *report, const struct scene *scene, const struct daemon *daemon) {
    place_apart_from(daemon);
    struct caller *gate = connect_caller(daemon->socket, get_request());
    struct data answer = answer_of(gate);
    char *digits = digits_of(answer), *client = find_built(report, scene, "grpc-client"), *path;
    pid_t server;
    if ((path = start_server(report, scene, "ttrpc-server", digits, &server))) {
        measure_ttrpc(report, path, gate, answer);
        stop_peer(server);
        free(path);
    }
    if (client && (path = start_server(report, scene, "grpc-server", digits, &server))) {
        measure_grpc(report, client, path, gate);
        stop_peer(server);
        free(path);
    }
    close_caller(gate);
    free(client);
    free(digits);
}
