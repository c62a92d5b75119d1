// May this program do that? Gate's Authorization/Check compared with polkit's CheckAuthorization, on a private bus in
// place of the system's. An ordinary user asks about an action that requires a secret; no person is asked.
#define _GNU_SOURCE
#include <CGateProtocol.h>
#include <CTTRPC.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bus.h"
#include "calls.h"
#include "peers.h"

enum { ROUNDS = 31, NOBODY = 65534 };
static const double ROUND_SECONDS = 0.05;
static const char polkit_name[] = "org.freedesktop.PolicyKit1";
// An action that every polkit has. Users who are not at the screen need an administrator's password for it.
static const char polkit_action[] = "org.freedesktop.policykit.exec";

// The subject, as polkit is told: a name on the bus, as services use it, or a process, which spares polkit a lookup but
// which others can forge.
struct subject {
    // NULL: the process.
    const char *name;
    uint32_t process;
    uint64_t start_time;
};

static struct subject this_process(void) {
    struct subject subject = {.process = (uint32_t)getpid()};
    char text[1024];
    FILE *file = fopen("/proc/self/stat", "re");
    if (!file || !fgets(text, sizeof text, file)) fail_system("can't read /proc/self/stat");
    fclose(file);
    // The 22nd field is the start time. The second field may contain spaces, and ends at the last parenthesis.
    char *field = strrchr(text, ')');
    for (int i = 2; field && i < 22; i++) field = strchr(field + 1, ' ');
    if (!field) fail("/proc/self/stat is not as expected");
    subject.start_time = strtoull(field, NULL, 10);
    return subject;
}

static void append_subject(sd_bus_message *question, const struct subject *subject) {
    int result = subject->name ? sd_bus_message_append(
                                     question, "(sa{sv})", "system-bus-name", 1, "name", "s", subject->name)
                               : sd_bus_message_append(
                                     question, "(sa{sv})", "unix-process", 3, "pid", "u", subject->process, "start-time",
                                     "t", subject->start_time, "uid", "i", NOBODY);
    check_bus(result, "no subject");
}

// Asks polkit once. Fails unless the answer is that a person is needed.
static void ask_polkit(sd_bus *bus, const struct subject *subject) {
    sd_bus_message *question = NULL, *answer = NULL;
    int is_authorized = 0, is_challenge = 0;
    check_bus(
        sd_bus_message_new_method_call(
            bus, &question, polkit_name, "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority",
            "CheckAuthorization"),
        "no question");
    append_subject(question, subject);
    check_bus(sd_bus_message_append(question, "sa{ss}us", polkit_action, 0, 0, ""), "no question");
    sd_bus_error error = SD_BUS_ERROR_NULL;
    int result = sd_bus_call(bus, question, 0, &error, &answer);
    if (result < 0) fail("polkit does not answer: %s", error.message ? error.message : strerror(-result));
    check_bus(sd_bus_message_enter_container(answer, 'r', "bba{ss}"), "a strange answer of polkit");
    check_bus(sd_bus_message_read(answer, "bb", &is_authorized, &is_challenge), "a strange answer of polkit");
    if (is_authorized || !is_challenge) fail("polkit has answered something else than that a person is needed");
    sd_bus_message_unref(answer);
    sd_bus_message_unref(question);
}

// The seconds of a question, with one in flight.
static double ask_over_bus(sd_bus *bus, const struct subject *subject) {
    long answered = 0;
    double start = now(), end = start;
    for (; end - start < ROUND_SECONDS; answered++, end = now()) ask_polkit(bus, subject);
    return (end - start) / (double)answered;
}

static void check_outcome(struct data data) {
    Ttrpc__Response *response = ttrpc__response__unpack(NULL, data.size, data.bytes);
    if (!response) fail("an answer that can't be decoded");
    Gate__V1__CheckResponse *answer =
        gate__v1__check_response__unpack(NULL, response->payload.len, response->payload.data);
    if (!answer || answer->outcome != GATE__V1__CHECK_RESPONSE__OUTCOME__OUTCOME_PERSON_NEEDED)
        fail("gated has answered something else than that a person is needed: %s", answer ? answer->explanation : "");
    gate__v1__check_response__free_unpacked(answer, NULL);
    ttrpc__response__free_unpacked(response, NULL);
}

static void become_nobody(void) {
    if (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0) fail_system("can't become an ordinary user");
    // After a change of user, this has to be set again.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

// The microseconds of one round: Gate's, and polkit's with a name and with a process.
struct round {
    double gate, polkit_by_name, polkit_by_process;
};

// Writes the rounds to a pipe.
static _Noreturn void ask_both(const char *gate_path, const char *bus_address, int output) {
    become_nobody();
    struct caller *gate = connect_caller(gate_path, check_request(GATED_ACTION));
    check_outcome(answer_of(gate));
    sd_bus *bus = connect_to_bus(bus_address);
    struct subject process = this_process(), named = {0};
    check_bus(sd_bus_get_unique_name(bus, &named.name), "no name");
    for (int i = -1; i < ROUNDS; i++) {
        struct round round = {
            call_alone(gate) * 1e6, ask_over_bus(bus, &named) * 1e6, ask_over_bus(bus, &process) * 1e6};
        // The first round warms up.
        if (i >= 0 && write(output, &round, sizeof round) != sizeof round) _exit(1);
    }
    _exit(0);
}

static void measure_on(struct report *report, const struct daemon *daemon, const struct bus *bus) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail_system("can't make a pipe");
    pid_t asker;
    if (start_child(&asker)) {
        close(ends[0]);
        ask_both(daemon->socket, bus->address, ends[1]);
    }
    close(ends[1]);
    struct series gate = {0}, by_name = {0}, by_process = {0};
    for (struct round round; read(ends[0], &round, sizeof round) == sizeof round;) {
        add_value(&gate, round.gate);
        add_value(&by_name, round.polkit_by_name);
        add_value(&by_process, round.polkit_by_process);
    }
    close(ends[0]);
    int status;
    if (waitpid(asker, &status, 0) != asker || status != 0) fail("the one who asks polkit failed");
    struct line line = {
        .id = "check-polkit",
        .what = "authority check, one in flight, an ordinary user asks for itself: `Authorization/Check` against polkit's "
                "`CheckAuthorization` of a name on the bus, as services ask",
        .unit = "µs",
        .peer = "polkitd",
        .gate = &gate,
        .other = &by_name,
        .figure = PEER_OVER_GATE,
        .more_is_better = true,
        .bound = AT_LEAST,
        .target = 40,
    };
    report_line(report, line);
    line.id = "check-polkit-process";
    line.what = "the same, where polkit is told process, start time and user, and need not ask the bus who it is";
    line.other = &by_process;
    line.bound = NO_TARGET;
    report_line(report, line);
}

void measure_polkit(struct report *report, const struct scene *scene, const struct daemon *daemon) {
    if (geteuid() != 0) {
        note(report, "Not measured: `check-polkit`, since `polkitd` changes to a user of its own, which only root may.");
        return;
    }
    char *program = find_program(report, "polkitd", "polkitd");
    struct bus bus;
    if (!program || !start_bus(report, scene, "check-polkit", SERVER_PROCESSOR, &bus)) return;
    // In parent mode nobody would be asked.
    lock_gate(daemon);
    place_apart_from(daemon);
    // The ordinary user and polkitd's user have to pass through this folder.
    chmod(scene->directory, 0711);
    setenv("DBUS_SYSTEM_BUS_ADDRESS", bus.address, true);
    pid_t polkitd = start_peer(scene, (char *[]){program, "--no-debug", NULL}, SERVER_PROCESSOR);
    unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
    sd_bus *watcher = connect_to_bus(bus.address);
    if (await_name(watcher, polkit_name, &polkitd)) measure_on(report, daemon, &bus);
    else note_failure(report, scene, "check-polkit", "polkitd");
    sd_bus_flush_close_unref(watcher);
    stop_peer(polkitd);
    stop_bus(&bus);
    chmod(scene->directory, 0700);
    free(program);
}
