// One message to 1,000 subscribers of Redis, each with its own connection, compared with one change to 1,000 watchers
// of Gate. Redis stores nothing on a disk here, and forgets the message at once. Gate's change is durable before it is
// sent.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "peers.h"
#include "watchers.h"

enum { WATCHERS = 1000, ROUNDS = 41, MESSAGE_BYTES = 1024 };

static const char configuration[] =
    "port 0\n"
    "unixsocket %s/redis.sock\n"
    "dir %s\n"
    "save \"\"\n"
    "appendonly no\n"
    "daemonize no\n"
    "maxclients 2000\n";

// A command in Redis' protocol: an array of texts.
struct command {
    size_t size;
    char bytes[MESSAGE_BYTES];
};

static void put_text(struct command *command, const void *bytes, size_t count) {
    if (command->size + count + 32 > sizeof command->bytes) fail("a message too large for Redis' side");
    command->size += (size_t)sprintf(command->bytes + command->size, "$%zu\r\n", count);
    memcpy(command->bytes + command->size, bytes, count);
    memcpy(command->bytes + command->size + count, "\r\n", 2);
    command->size += count + 2;
}

static struct command begin_command(const char *name, int texts) {
    struct command command = {0};
    command.size = (size_t)sprintf(command.bytes, "*%d\r\n", texts);
    put_text(&command, name, strlen(name));
    return command;
}

// MARK: the readers

struct subscribers {
    int poll, control;
    int sockets[WATCHERS];
};

// Reads exactly these bytes. Ends the benchmark if other bytes arrive.
static void expect(int socket, const char *bytes, size_t count) {
    char seen[MESSAGE_BYTES + 1];
    for (size_t size = 0; size < count;) {
        ssize_t more = read(socket, seen + size, sizeof seen - size);
        if (more <= 0) fail("Redis hung up");
        size += (size_t)more;
        if (size > count) fail("Redis says more than it should: %.*s", (int)size, seen);
        if (size == count && memcmp(seen, bytes, count) != 0) fail("Redis says something else: %.*s", (int)size, seen);
    }
}

static void await_message(struct subscribers *subscribers, const struct command *message) {
    for (int heard = 0; heard < WATCHERS;) {
        struct epoll_event events[WATCHERS];
        int count = epoll_wait(subscribers->poll, events, WATCHERS, 10000);
        if (count <= 0) fail("%d subscribers of Redis heard nothing for 10 s", WATCHERS - heard);
        for (int i = 0; i < count; i++, heard++) expect(events[i].data.fd, message->bytes, message->size);
    }
}

static struct subscribers *subscribe(const char *path) {
    struct subscribers *subscribers = calloc(1, sizeof *subscribers);
    if (!subscribers) fail("no memory");
    subscribers->poll = epoll_create1(EPOLL_CLOEXEC);
    struct command subscribe = begin_command("SUBSCRIBE", 2);
    put_text(&subscribe, "mode", 4);
    static const char subscribed[] = "*3\r\n$9\r\nsubscribe\r\n$4\r\nmode\r\n:1\r\n";
    for (int i = 0; i < WATCHERS; i++) {
        int socket = subscribers->sockets[i] = connect_to(path);
        if (socket < 0) fail_system("subscriber %d can't connect to Redis", i);
        write_all(socket, subscribe.bytes, subscribe.size);
        expect(socket, subscribed, sizeof subscribed - 1);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = socket};
        if (epoll_ctl(subscribers->poll, EPOLL_CTL_ADD, socket, &event) != 0) fail_system("epoll_ctl");
    }
    subscribers->control = connect_to(path);
    if (subscribers->control < 0) fail_system("can't connect to Redis");
    return subscribers;
}

static void unsubscribe(struct subscribers *subscribers) {
    for (int i = 0; i < WATCHERS; i++) close(subscribers->sockets[i]);
    close(subscribers->control);
    close(subscribers->poll);
    free(subscribers);
}

// The seconds from sending PUBLISH until the last subscriber has the message.
static double publish_once(struct subscribers *subscribers, const struct data *change) {
    struct command publish = begin_command("PUBLISH", 3), message = begin_command("message", 3);
    put_text(&publish, "mode", 4);
    put_text(&publish, change->bytes, change->size);
    put_text(&message, "mode", 4);
    put_text(&message, change->bytes, change->size);
    double start = now();
    write_all(subscribers->control, publish.bytes, publish.size);
    await_message(subscribers, &message);
    double seconds = now() - start;
    static const char heard_by_all[] = ":1000\r\n";
    expect(subscribers->control, heard_by_all, sizeof heard_by_all - 1);
    return seconds;
}

// MARK: the server

// Starts Redis. Returns the path of its socket, or NULL after a note.
static char *start_redis(struct report *report, const struct scene *scene, pid_t *process) {
    char *program = find_program(report, "redis-server", "redis-server");
    if (!program) return NULL;
    char *folder = make_folder(scene->directory, "redis"), *path = path_in_folder(folder, "redis.sock");
    char *configuration_path = path_in_folder(folder, "redis.conf"), text[512];
    if ((size_t)snprintf(text, sizeof text, configuration, folder, folder) >= sizeof text) fail("%s is too long", folder);
    write_file(configuration_path, text);
    *process = start_peer(scene, (char *[]){program, configuration_path, NULL}, SERVER_PROCESSOR);
    bool listens = await_listener(process, path);
    if (!listens) {
        note_failure(report, scene, "watchers-redis", "redis-server");
        stop_peer(*process);
        free(path);
    }
    free(program);
    free(folder);
    free(configuration_path);
    return listens ? path : NULL;
}

void measure_redis(struct report *report, const struct scene *scene, const struct daemon *daemon) {
    place_apart_from(daemon);
    pid_t server;
    char *path = start_redis(report, scene, &server);
    if (!path) return;
    // From here on every command is a change: parent, child, parent, …
    lock_gate(daemon);
    struct audience *gate = gather(daemon->socket, WATCHERS);
    begin_watching(gate, WATCHERS);
    struct subscribers *redis = subscribe(path);
    struct frame commands[] = {override_request(), lock_request()};
    struct series gate_side = {0}, redis_side = {0};
    for (int round = -2; round < ROUNDS; round++) {
        double gate_seconds = change_once(gate, commands[round & 1]);
        double redis_seconds = publish_once(redis, &gate->change);
        // The first two rounds warm up.
        if (round < 0) continue;
        add_value(&gate_side, gate_seconds * 1e3);
        add_value(&redis_side, redis_seconds * 1e3);
    }
    dismiss(gate);
    unsubscribe(redis);
    stop_peer(server);
    free(path);
    report_line(
        report, (struct line){
                    .id = "watchers-redis",
                    .what = "one change to 1,000 watchers, durable, against `PUBLISH` of the same bytes to 1,000 subscribers "
                            "of Redis, which keeps nothing",
                    .unit = "ms",
                    .peer = "Redis",
                    .gate = &gate_side,
                    .other = &redis_side,
                    .figure = GATE_OVER_PEER,
                    .bound = AT_MOST,
                    .target = 1.0,
                });
}
