// Makes calls of one kind at a time to a gated under valgrind's callgrind, and prints how many instructions each took.
// `Benchmarks/instructions` builds and runs it.
#define _GNU_SOURCE
#include <errno.h>
#include <pwd.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../servers.h"
#include "../wire.h"

extern char **environ;

enum { WATCHERS = 1000, LARGEST_WINDOW = 64 };

// What is counted: so many rounds of so many calls, which are sent with one write and answered before the next round.
struct kind {
    const char *name, *what;
    int rounds, window;
    enum { GET, CHECK, CHECK_TIMED, CHANGE } call;
    // Whether WATCHERS are told of each change.
    bool has_watchers;
    // Whether a person calls a gated that has `timed_policy`.
    bool is_persons;
};
static const struct kind kinds[] = {
    {"get-1", "`Mode/GetMode`, one in flight", 500, 1, GET, false, false},
    {"get-16", "`Mode/GetMode`, 16 in flight", 100, 16, GET, false, false},
    {"check", "`Authorization/Check`, one in flight", 500, 1, CHECK, false, false},
    {"command-1", "a durable command, one in flight", 100, 1, CHANGE, false, false},
    {"command-64", "a durable command, 64 in flight", 10, 64, CHANGE, false, false},
    {"change", "a durable command, one in flight, and 1,000 watchers hear of it", 20, 1, CHANGE, true, false},
    {"check-person", "`Authorization/Check` of a person, one in flight", 500, 1, CHECK, false, true},
    {"check-timed", "the same, with a schedule and an allowance", 500, 1, CHECK_TIMED, false, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// A gated action as GATED_ACTION, and one that needs time as well, which the person always has.
#define TIMED_ACTION "game.play"
static const char timed_policy[] =
    "schedules: {always: {mon-sun: 0:00-24:00}}\n"
    "allowances: {games: {mon-sun: 24h}}\n"
    "gated-actions:\n"
    "  " GATED_ACTION ":\n"
    "    requires: {any: [{mode: parent}, {challenge: passcode}]}\n"
    "  " TIMED_ACTION ":\n"
    "    requires: {all: [{during: always}, {allowance: games}, {any: [{mode: parent}, {challenge: passcode}]}]}\n";

static struct daemon gated;
// The folder of callgrind's files and vgdb's pipes.
static const char *directory;
static int dumps;

// Sends a command to the callgrind that runs gated, in the words of callgrind_control.
static void control(const char *command, const char *argument) {
    char prefix[256], process[32];
    snprintf(prefix, sizeof prefix, "--vgdb-prefix=%s/vgdb", directory);
    snprintf(process, sizeof process, "--pid=%d", (int)gated.process);
    // What gated still does after the last answer belongs to the previous round.
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    char *arguments[] = {"vgdb", prefix, process, (char *)command, (char *)argument, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
    pid_t child;
    int status;
    if ((errno = posix_spawnp(&child, "vgdb", &actions, NULL, arguments, environ)) != 0) fail_system("can't run vgdb");
    posix_spawn_file_actions_destroy(&actions);
    if (waitpid(child, &status, 0) != child || status != 0) fail("vgdb could not %s", command);
}

// The instructions since the counters were set to zero. Callgrind writes them to a file of their own.
static double dumped_instructions(char *path, size_t size) {
    control("dump", "steps");
    snprintf(path, size, "%s/callgrind.%d", directory, ++dumps);
    FILE *file = fopen(path, "re");
    if (!file) fail_system("callgrind did not write %s", path);
    char line[4096];
    double instructions = -1;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "totals: %lf", &instructions) == 1 || sscanf(line, "summary: %lf", &instructions) == 1) break;
    }
    fclose(file);
    if (instructions < 0) fail("%s has no total", path);
    return instructions;
}

struct caller {
    int socket;
    uint32_t stream;
    struct inbox inbox;
};

static int watchers[WATCHERS];

static void gather_watchers(void) {
    struct frame watch = watch_request();
    static struct inbox inbox;
    for (int i = 0; i < WATCHERS; i++) {
        watchers[i] = connect_to(gated.socket);
        if (watchers[i] < 0) fail_system("watcher %d can't connect", i);
        write_all(watchers[i], watch.bytes, watch.size);
        struct header header;
        inbox.start = inbox.end = 0;
        await_frame(watchers[i], &inbox, &header);
        if (header.type != FRAME_DATA) fail("a frame of type %d in the place of a snapshot", header.type);
    }
}

static void await_watchers(void) {
    static struct inbox inbox;
    for (int i = 0; i < WATCHERS; i++) {
        struct header header;
        inbox.start = inbox.end = 0;
        await_frame(watchers[i], &inbox, &header);
        if (header.type != FRAME_DATA || inbox.start != inbox.end) fail("something else than one data frame");
    }
}

static struct frame next_request(const struct kind *kind, uint32_t stream) {
    switch (kind->call) {
        case GET: return get_request();
        case CHECK: return check_request(GATED_ACTION);
        case CHECK_TIMED: return check_request(TIMED_ACTION);
        // Parent, child, parent, …: each command is a change.
        case CHANGE: return stream / 2 % 2 ? lock_request() : override_request();
    }
    fail("a call of no kind");
}

static void take_round(struct caller *caller, const struct kind *kind) {
    static uint8_t outbox[LARGEST_WINDOW * sizeof(struct frame)];
    size_t size = 0;
    for (int i = 0; i < kind->window; i++, caller->stream += 2) {
        struct frame frame = next_request(kind, caller->stream);
        set_stream(&frame, caller->stream);
        memcpy(outbox + size, frame.bytes, frame.size);
        size += frame.size;
    }
    write_all(caller->socket, outbox, size);
    for (int i = 0; i < kind->window; i++) {
        struct header header;
        const uint8_t *data = await_frame(caller->socket, &caller->inbox, &header);
        check_response(header, data);
    }
    if (kind->has_watchers) await_watchers();
}

// The instructions for each call. `kept`: where callgrind's own output is kept, or NULL.
static double count(struct caller *caller, const struct kind *kind, const char *kept) {
    // Warms up: some things are done only once, and buffers grow.
    for (int i = 0; i < 10; i++) take_round(caller, kind);
    control("zero", NULL);
    for (int i = 0; i < kind->rounds; i++) take_round(caller, kind);
    char path[512];
    double instructions = dumped_instructions(path, sizeof path);
    if (kept && rename(path, kept) != 0) fail_system("can't write %s", kept);
    return instructions / kind->rounds / kind->window;
}

// Writes another policy, starts a gated with it, and connects as a person. That takes root, to connect as somebody else.
static void become_persons(struct caller *caller, const char *program, const char *state_directory) {
    stop_gated(&gated);
    dumps = 0;
    char path[512];
    snprintf(path, sizeof path, "%s/policy.yaml", directory);
    FILE *file = fopen(path, "we");
    if (!file || fputs(timed_policy, file) < 0 || fclose(file) != 0) fail_system("can't write %s", path);
    gated = start_gated(program, directory, state_directory);
    close(caller->socket);
    *caller = (struct caller){.stream = 1};
    // Every system has this user.
    struct passwd *user = getpwnam("daemon");
    if (!user) fail("there is no user daemon");
    int root = connect_to(gated.socket);
    if (root < 0) fail_system("can't connect to %s", gated.socket);
    struct frame request = set_person_request(user->pw_name, user->pw_uid);
    struct header header;
    static struct inbox inbox;
    write_all(root, request.bytes, request.size);
    const uint8_t *data = await_frame(root, &inbox, &header);
    check_response(header, data);
    close(root);
    // The kernel tells gated the effective user, and the one for files finds the socket.
    if (seteuid(user->pw_uid) != 0) fail_system("can't become %s", user->pw_name);
    setfsuid(0);
    caller->socket = connect_to(gated.socket);
    if (caller->socket < 0) fail_system("%s can't connect to %s", user->pw_name, gated.socket);
    if (seteuid(0) != 0) fail_system("can't become root again");
}

int main(int argument_count, char **arguments) {
    if (argument_count != 6) {
        fputs("usage: steps GATED DIRECTORY STATE-DIRECTORY FILE-OR-NOTHING KIND-OR-NOTHING\n", stderr);
        return 64;
    }
    directory = arguments[2];
    const char *kept = *arguments[4] ? arguments[4] : NULL, *only = *arguments[5] ? arguments[5] : NULL;
    alarm(240);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);

    gated = start_gated(arguments[1], directory, arguments[3]);
    static struct caller caller = {.stream = 1};
    caller.socket = connect_to(gated.socket);
    if (caller.socket < 0) fail_system("can't connect to %s", gated.socket);

    double command = 0;
    bool is_known = false, is_person = false;
    for (int i = 0; i < KINDS; i++) {
        const struct kind *kind = &kinds[i];
        if (only && strcmp(only, kind->name) != 0) continue;
        is_known = true;
        if (kind->is_persons && geteuid() != 0) {
            fprintf(stderr, "instructions: %s is left out, since only root can connect as somebody else\n", kind->name);
            continue;
        }
        if (kind->is_persons && !is_person) become_persons(&caller, arguments[1], arguments[3]);
        is_person = is_person || kind->is_persons;
        if (kind->has_watchers) gather_watchers();
        char path[4096] = "";
        if (kept) snprintf(path, sizeof path, only ? "%s" : "%s.%s", kept, kind->name);
        double instructions = count(&caller, kind, kept ? path : NULL);
        if (strcmp(kind->name, "command-1") == 0) command = instructions;
        printf("%s\t%s\t%.0f\n", kind->name, kind->what, instructions);
        if (kind->has_watchers && command > 0)
            printf("push\tof that, a push to one watcher\t%.0f\n", (instructions - command) / WATCHERS);
        fflush(stdout);
    }
    if (!is_known) fail("nothing is called %s", only);
    stop_gated(&gated);
    return 0;
}
