// gate-launcher: starts guarded apps, as root. Only the group of a guarded app may start its programs, and nobody is in that group. So the
// app can only be started by root, in this way:
//
// 1. A menu entry runs `gatectl apps run NAME`. It has the gated action app.NAME authorized, which may ask a grown-up, for root as the
//    redeemer, and sends the proof of the grant here, with the variables of its session.
// 2. The main process (this file) forks a worker for each connection, and never has the connection itself. The worker accepts it, and the
//    kernel attests whose it is.
// 3. The worker (worker.c, with a table of its states) reads the packet and root's file about the app (request.c). It redeems the grant with
//    gated for exactly this app, compares the user, and has gated count the time in the user's name.
// 4. systemd starts the program as a unit of the user, with the app's group (unit.c). The worker stays as long as the unit, and ends it
//    when gated says that the time is over, or is lost for a minute. When a worker ends, for whatever reason, this process stops its unit,
//    and has the processes killed that have left the unit.
//
//     gate-launcher [--NAME=VALUE ...] <&LISTENER
//     gate-launcher --sweep                        # what systemd runs before and after it: kills what is left of apps
//
// Standard input is the listening socket (StandardInput=socket in gate-launcher.service). From the environment it reads only what systemd
// sets: the socket for the watchdog, and, for --sweep, how the main process has ended. Options, for tests: --records=FOLDER
// --gate-socket=PATH --server-uid=UID --systemd-run=PATH --systemctl=PATH, and --grace=, --packet=, --idle= and --stop= in milliseconds.
//
// A client sends one packet with its descriptors, and nothing else. A client has at most 8 workers, started or not, and 5 seconds to send
// its packet; all clients together have 128. The protocol, packets of at most 16 KiB over a Unix SOCK_SEQPACKET:
//
//     client → "1" NAME PROOF NAME=VALUE …, each with a NUL at its end; for terminals with the three standard descriptors
//     client ← "started" or "started terminal", then "ended STATUS", or "stopped WORD" if Gate has ended it
//     client ← "refused WORD": bad-request, not-guarded, no-terminal, no-grant, out-of-hours, no-gate, limit, failed
//
// The client of an app for terminals stays connected, and the app ends when it disconnects. Other clients may disconnect after "started".
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../libgate/trust.h"
#include "launcher.h"

enum { LISTENER = STDIN_FILENO, MAXIMUM_WORKERS = 128, ACCEPT_MSEC = 2000, STOP_ATTEMPTS = 3 };
#define ROUND_USEC UINT64_C(10000000)   // how often the main process looks around at least

// A slot is free; or a worker runs in it; or the unit of a worker that has ended is being stopped.
static struct slot { pid_t worker, stopper; unsigned attempts; } slots[MAXIMUM_WORKERS];
static struct place *places; // for each slot; shared with the workers

void answer(int client, const char *words, const char *more) {
    char packet[64];
    int size = snprintf(packet, sizeof packet, "%s%s", words, more);
    // If the client does not read or has disconnected, the answer is dropped.
    if (size > 0 && size < (int)sizeof packet) (void)!send(client, packet, (size_t)size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

// MARK: workers

static bool is_free(const struct slot *slot) {
    return !slot->worker && !slot->stopper;
}

static void release(size_t at) {
    places[at].group = 0;
    places[at].uid = 0;
    places[at].is_unknown = false;
    places[at].is_stopping = false;
}

// Forks a worker for the next client, and waits until it has accepted the connection and stored its user. This process never holds a
// client's socket itself: closing it also closes the descriptors in messages that were not read, and a client can make that take as long as
// it likes (SO_LINGER). Only an exiting process does not wait for that.
static void fork_worker(const struct settings *settings, int signals) {
    size_t at = 0;
    int accepted[2];
    while (at < MAXIMUM_WORKERS && !is_free(&slots[at])) at++;
    if (at == MAXIMUM_WORKERS || pipe2(accepted, O_CLOEXEC) != 0) {
        (void)poll(NULL, 0, 100); // the client waits
        return;
    }
    const pid_t parent = getpid();
    slots[at] = (struct slot){.worker = fork()};
    if (slots[at].worker == 0) {
        struct job job = {.settings = settings, .parent = parent, .places = places, .own = &places[at], .place_count = MAXIMUM_WORKERS};
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        close(signals);
        close(accepted[0]);
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(EXIT_FAILURE);
        worker_run(&job, LISTENER, accepted[1]);
    }
    close(accepted[1]);
    struct pollfd polled = {.fd = accepted[0], .events = POLLIN};
    if (slots[at].worker < 0) slots[at].worker = 0;
    (void)poll(&polled, 1, slots[at].worker ? ACCEPT_MSEC : 100);
    close(accepted[0]);
}

// MARK: units

// Whether another unit of the same user and app is running. Only when the last one ends, all processes with the app's group are killed.
static bool has_another(size_t at) {
    for (size_t i = 0; i < MAXIMUM_WORKERS; i++)
        if (i != at && places[i].group == places[at].group && places[i].uid == places[at].uid && !places[i].is_stopping) return true;
    return false;
}

static void leave_listener(void) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, LISTENER) < 0) _exit(EXIT_FAILURE);
}

// Stops a unit, in a process of its own, which exits with 0 if nothing is left. It closes the listener, which neither it nor systemctl
// needs.
_Noreturn static void stop(const struct settings *settings, size_t at, bool is_last) {
    char unit[UNIT_BYTES];
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    leave_listener();
    _exit(unit_end(settings, unit_name(unit, places[at].uid, at), &places[at], is_last) ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void stop_unit(const struct settings *settings, size_t at) {
    struct slot *slot = &slots[at];
    places[at].is_stopping = true;
    bool is_last = !has_another(at);
    slot->stopper = slot->attempts++ < STOP_ATTEMPTS ? fork() : -1;
    // The service's end is the end of all units (BindsTo=).
    if (slot->stopper < 0) {
        char unit[UNIT_BYTES];
        fprintf(stderr, "%s can't be stopped, so gate-launcher ends\n", unit_name(unit, places[at].uid, at));
        exit(EXIT_FAILURE);
    }
    if (slot->stopper == 0) stop(settings, at, is_last);
}

static void reap(const struct settings *settings) {
    int status;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
        for (size_t i = 0; i < MAXIMUM_WORKERS; i++) {
            struct slot *slot = &slots[i];
            if (slot->worker == ended) {
                slot->worker = 0;
                if (places[i].group) stop_unit(settings, i);
                else release(i);
            } else if (slot->stopper == ended) {
                slot->stopper = 0;
                if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) {
                    stop_unit(settings, i);
                    continue;
                }
                release(i);
            }
        }
    }
}

// MARK: the main process

// Tells systemd that the main loop still runs (WatchdogSec=). If it did not, systemd would end the service, and with it all units.
static void feed_watchdog(void) {
    static const char word[] = "WATCHDOG=1";
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    static int notify = -1;
    const char *path = getenv("NOTIFY_SOCKET");
    size_t length = path ? strlen(path) : 0;
    if (length < 2 || length >= sizeof address.sun_path) return;
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') address.sun_path[0] = 0;
    if (notify < 0) notify = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    (void)!sendto(notify, word, sizeof word - 1, MSG_NOSIGNAL, (struct sockaddr *)&address, size);
}

static bool take_setting(struct settings *settings, const char *word) {
    const char *value = strchr(word, '=');
    char *rest = NULL;
    if (!value || !*++value) return false;
    size_t name = (size_t)(value - word);
    unsigned long number = strtoul(value, &rest, 10);
    bool is_number = *rest == 0 && number <= UINT32_MAX;
#define IS(option) (name == sizeof(option) - 1 && strncmp(word, option, name) == 0)
    if (IS("--records=")) settings->records = value;
    else if (IS("--gate-socket=")) settings->gate_socket = value;
    else if (IS("--systemd-run=")) settings->systemd_run = value;
    else if (IS("--systemctl=")) settings->systemctl = value;
    else if (!is_number) return false;
    else if (IS("--server-uid=")) settings->has_server_uid = true, settings->server_uid = (uid_t)number;
    else if (IS("--grace=")) settings->grace_usec = number * 1000;
    else if (IS("--packet=")) settings->packet_usec = number * 1000;
    else if (IS("--idle=")) settings->idle_usec = number * 1000;
    else if (IS("--stop=")) settings->stop_usec = number * 1000;
    else return false;
    return true;
#undef IS
}

int main(int count, char **words) {
    struct settings settings = {.records = "/var/lib/gate-apps", .gate_socket = DAEMON_SOCKET, .systemd_run = "/usr/bin/systemd-run",
        .systemctl = "/usr/bin/systemctl", .grace_usec = 60000000, .packet_usec = 5000000, .idle_usec = 60000000,
        .stop_usec = 20000000};
    bool is_sweep = false;
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--sweep") == 0 && (is_sweep = true)) continue;
        if (take_setting(&settings, words[i])) continue;
        fprintf(stderr, "gate-launcher has no option '%s'\n", words[i]);
        return 64;
    }
    if (is_sweep) {
        leave_listener();
        return sweep(&settings) ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, NULL);
    int signals = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK), type = 0;
    socklen_t size = sizeof type;
    places = mmap(NULL, MAXIMUM_WORKERS * sizeof *places, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool is_listening = getsockopt(LISTENER, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
    if (signals < 0 || places == MAP_FAILED || !is_listening || fcntl(LISTENER, F_SETFL, O_NONBLOCK) != 0) {
        fputs("gate-launcher takes a listening socket as its standard input; systemd starts it: systemctl start gate-launcher.socket\n", stderr);
        return 64;
    }
    uint64_t idle_since = now_usec();
    for (;;) {
        bool is_idle = true;
        for (size_t i = 0; i < MAXIMUM_WORKERS; i++) is_idle = is_idle && is_free(&slots[i]);
        uint64_t passed = now_usec() - idle_since;
        if (!is_idle) idle_since = now_usec();
        else if (passed >= settings.idle_usec) return EXIT_SUCCESS;
        struct pollfd polled[] = {{.fd = LISTENER, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
        int wait = is_idle && settings.idle_usec - passed < ROUND_USEC ? (int)((settings.idle_usec - passed) / 1000) + 1 : (int)(ROUND_USEC / 1000);
        feed_watchdog();
        if (poll(polled, 2, wait) < 0 && errno != EINTR) return EXIT_FAILURE;
        struct signalfd_siginfo told;
        while (read(signals, &told, sizeof told) > 0) continue;
        reap(&settings);
        if (polled[0].revents) {
            fork_worker(&settings, signals);
            idle_since = now_usec();
        }
    }
}
