#define _GNU_SOURCE
#include "daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <gate_status.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "chance.h"
#include "configuration.h"
#include "journal.h"
#include "peer.h"
#include "promises.h"

enum { START_SECONDS = 60, FIRST_DESCRIPTOR = 3 };

double *start_seconds;
unsigned start_count, start_attempts;

static const char *program;
static char *configuration, *runtime, *state, *log_path, *page_path;
static pid_t process;
static double started;
// -1: the daemon makes its own socket.
static int listener = -1;
static int events = -1;
static struct gate_status_reader page = GATE_STATUS_READER;
// The last content of the page.
static struct gate_status seen;
static uint64_t epoch, newest;

static char *path_in(const char *directory, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", directory, name) < 0) fail("no memory");
    return path;
}

void prepare_daemon(const char *program_, const char *sockets, const char *directory) {
    program = program_;
    configuration = path_in(sockets, "etc");
    runtime = path_in(sockets, "run");
    gate_socket = path_in(sockets, "run/gate.sock");
    page_path = path_in(sockets, "run/status");
    log_path = path_in(directory, "gated.log");
    state = path_in(directory, "disk/state");
    // Other users have to reach the socket and the page.
    if (chmod(sockets, 0711) != 0 || mkdir(runtime, 0755) != 0 || mkdir(configuration, 0755) != 0)
        fail_system("can't make the folders in %s", sockets);
    write_configuration(configuration);
}

const char *state_directory(void) {
    return state;
}

bool is_socket_kept(void) {
    return listener >= 0;
}

// Keeps the same choice for several starts, so that a client that connects before a start is served after it.
static void choose_socket(void) {
    if (!once_in(4)) return;
    if (listener >= 0) {
        close(listener);
        listener = -1;
        return;
    }
    unlink(gate_socket);
    listener = listen_at(gate_socket);
    // As in gated.socket: every local user may connect.
    if (chmod(gate_socket, 0666) != 0) fail_system("can't open %s to everybody", gate_socket);
}

static _Noreturn void become_daemon(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == 1) _exit(1);
    int input = open("/dev/null", O_RDONLY), output = open(log_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (input < 0 || output < 0) fail_system("can't open %s", log_path);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    // Passes the socket as systemd does: sd_listen_fds(3).
    if (listener >= 0) {
        if (listener == FIRST_DESCRIPTOR) fcntl(listener, F_SETFD, 0);
        else if (dup2(listener, FIRST_DESCRIPTOR) < 0) fail_system("can't hand the socket over");
        char text[16];
        snprintf(text, sizeof text, "%d", (int)getpid());
        setenv("LISTEN_PID", text, true);
        setenv("LISTEN_FDS", "1", true);
    }
    close_range(FIRST_DESCRIPTOR + (listener >= 0), ~0u, 0);
    execl(
        program, program, "--socket", gate_socket, "--state-directory", state, "--runtime-directory", runtime,
        "--config-directory", configuration, "--log-level", "error", (char *)NULL);
    fail_system("can't start %s", program);
}

void start_daemon(void) {
    choose_socket();
    fflush(NULL);
    started = now();
    start_attempts++;
    process = fork();
    if (process < 0) fail_system("can't fork");
    if (process == 0) become_daemon();
}

// The daemon must not end by itself.
static void check_alive(void) {
    int status;
    if (waitpid(process, &status, WNOHANG) != process) return;
    process = 0;
    if (WIFEXITED(status)) broken("gated ends with %d instead of serving", WEXITSTATUS(status));
    broken("gated is ended by signal %d", WTERMSIG(status));
}

// MARK: the page

static void read_page(void) {
    enum gate_status_problem problem = gate_status_open(&page, page_path, getuid());
    if (problem != GATE_STATUS_OPENED) broken("the status page can't be read: %d", (int)problem);
    seen = gate_status_read(&page);
    if (!seen.is_live) broken("a daemon serves, and its status page is dead");
    if (seen.mode != GATE_STATUS_CHILD) broken("the status page says mode %d after a start", (int)seen.mode);
    if (seen.epoch != epoch || seen.number != newest) broken("the status page is of another revision than the daemon");
}

void look_at_page(void) {
    struct gate_status status = gate_status_read(&page);
    if (!status.is_live) broken("the status page is dead, and the daemon lives");
    if (status.epoch != epoch || status.number < seen.number) broken("the status page went back");
    seen = status;
}

// The page shows only durable states, so the journal has the last one.
void compare_page(void) {
    if (seen.number == 0) return;
    // The modes are counted from 0 in the page, and from 1 on the wire.
    run.records_compared++;
    if ((int)mode_at(seen.number) != (int)seen.mode + 1)
        broken(
            "the status page said mode %d at revision %lu; the journal says %d", (int)seen.mode,
            (unsigned long)seen.number, (int)mode_at(seen.number) - 1);
}

// MARK: starts and ends

static void note_start(void) {
    if (start_count % 256 == 0) start_seconds = realloc(start_seconds, (start_count + 256) * sizeof *start_seconds);
    if (!start_seconds) fail("no memory");
    start_seconds[start_count++] = now() - started;
}

static void answered(void *context, const struct answer *answer) {
    (void)context;
    if (answer->code != CODE_OK) broken("a new daemon answers %d: %s", answer->code, answer->text);
    const Gate__V1__PingResponse *response = (const Gate__V1__PingResponse *)answer->message;
    note_start();
    if (epoch == 0) epoch = response->revision->epoch;
    if (response->revision->epoch != epoch) broken("the epoch has changed: the store was replaced");
    if (response->revision->number <= newest) broken("the revision went back over a restart");
    newest = response->revision->number;
}

uint64_t await_daemon(void) {
    static struct peer peer;
    double start = now();
    uint64_t before = newest;
    while (!connect_peer(&peer, user_of_administrator())) {
        if (is_socket_kept()) broken("a client is refused while the daemon starts, though the socket is kept");
        check_alive();
        if (now() - start > START_SECONDS) broken("gated does not listen after %d s", START_SECONDS);
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    Gate__V1__PingRequest request = GATE__V1__PING_REQUEST__INIT;
    call(&peer, &gate__v1__control__descriptor, "Ping", &request.base, answered, NULL);
    while (newest == before) {
        if (await_peer(&peer, 0.1) && !read_peer(&peer) && newest == before) broken("a new daemon hangs up");
        // If the socket is kept, a daemon that has ended looks like one that is slow.
        check_alive();
        if (now() - start > START_SECONDS) broken("gated does not answer after %d s", START_SECONDS);
    }
    close_peer(&peer);
    read_page();
    return newest;
}

void freeze_daemon(void) {
    int status;
    check_alive();
    if (kill(process, SIGSTOP) != 0 || waitpid(process, &status, WUNTRACED) != process || !WIFSTOPPED(status))
        fail_system("can't stop gated");
}

void kill_daemon(void) {
    int status;
    check_alive();
    if (kill(process, SIGKILL) != 0 || waitpid(process, &status, 0) != process) fail_system("can't kill gated");
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        broken("gated ended by itself: status %#x", (unsigned)status);
    process = 0;
    // The kernel has marked the page, so a process that has it mapped sees child mode at once.
    if (page.page) {
        struct gate_status status_ = gate_status_read(&page);
        if (status_.is_live || status_.mode != GATE_STATUS_CHILD || status_.subscription_active)
            broken("the status page of a dead daemon still says something");
    }
    gate_status_close(&page);
}

void stop_daemon(void) {
    int status;
    if (kill(process, SIGTERM) != 0 || waitpid(process, &status, 0) != process) fail_system("can't stop gated");
    process = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        broken("gated does not stop in order: status %#x", (unsigned)status);
}

// MARK: the files of the store

void unwatch_store(void) {
    if (events >= 0) close(events);
    events = -1;
}

void watch_store(void) {
    unwatch_store();
    if (mkdir(state, 0700) != 0 && errno != EEXIST) fail_system("can't make %s", state);
    events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (events < 0 || inotify_add_watch(events, state, IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO) < 0)
        fail_system("can't watch %s", state);
}

int store_events_descriptor(void) {
    return events;
}

int read_store_events(void) {
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    int found = 0;
    for (ssize_t size; (size = read(events, buffer, sizeof buffer)) > 0;) {
        for (char *next = buffer; next < buffer + size;) {
            const struct inotify_event *event = (const struct inotify_event *)next;
            next += sizeof *event + event->len;
            if (event->len == 0) continue;
            found |= WROTE_ANY;
            if (strcmp(event->name, "gate.sqlite-wal") == 0) found |= WROTE_LOG;
            if (strcmp(event->name, "gate.sqlite") == 0) found |= WROTE_DATABASE;
        }
    }
    return found;
}
