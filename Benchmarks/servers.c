#define _GNU_SOURCE
#include "servers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

// Forks a child that ends with the benchmark. Returns true in the child.
bool start_child(pid_t *child) {
    fflush(NULL);
    *child = fork();
    if (*child < 0) fail_system("can't fork");
    if (*child > 0) return false;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == 1) _exit(1);
    return true;
}

void place_process(pid_t process, enum place place) {
    // The processors that this process might use at first.
    static cpu_set_t allowed;
    static bool is_known;
    if (!is_known) sched_getaffinity(0, sizeof allowed, &allowed);
    is_known = true;
    cpu_set_t chosen = allowed;
    if (place != ANY_PROCESSOR) {
        int first = -1, last = -1;
        for (int i = 0; i < CPU_SETSIZE; i++) {
            if (!CPU_ISSET(i, &allowed)) continue;
            if (first < 0) first = i;
            last = i;
        }
        CPU_ZERO(&chosen);
        CPU_SET(place == CLIENT_PROCESSOR ? first : last, &chosen);
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)(process ? process : getpid()));
    DIR *tasks = opendir(path);
    if (!tasks) fail_system("can't read %s", path);
    for (struct dirent *task; (task = readdir(tasks));) {
        if (*task->d_name != '.') sched_setaffinity(atoi(task->d_name), sizeof chosen, &chosen);
    }
    closedir(tasks);
}

static char *path_in(const char *directory, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", directory, name) < 0) fail("no memory");
    return path;
}

struct data copy_data(struct header header, const uint8_t *bytes) {
    struct data data = {.size = header.size};
    if (data.size > sizeof data.bytes) fail("a frame too large to compare");
    memcpy(data.bytes, bytes, data.size);
    return data;
}

// MARK: the echo

// Appends a whole frame to some bytes. Returns the new size.
static size_t put_frame(uint8_t *bytes, size_t size, uint32_t stream, uint8_t type, const struct data *data) {
    encode_header(
        bytes + size, (struct header){.size = (uint32_t)data->size, .stream = stream, .type = type, .flags = 0});
    memcpy(bytes + size + HEADER_BYTES, data->bytes, data->size);
    return size + HEADER_BYTES + data->size;
}

static void answer_all(int socket, struct inbox *inbox, const struct data *response) {
    static uint8_t answers[256 * 1024];
    size_t size = 0;
    struct header header;
    while (next_frame(inbox, &header)) {
        if (size + HEADER_BYTES + response->size > sizeof answers) {
            write_all(socket, answers, size);
            size = 0;
        }
        size = put_frame(answers, size, header.stream, FRAME_RESPONSE, response);
    }
    if (size > 0) write_all(socket, answers, size);
}

static _Noreturn void serve_echo(int listener, const struct data *response) {
    static struct inbox inboxes[64];
    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        struct epoll_event events[64];
        int count = epoll_wait(poll, events, 64, -1);
        for (int i = 0; i < count; i++) {
            int socket = events[i].data.fd;
            if (socket == listener) {
                int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
                if (accepted < 0 || accepted >= 64) fail_system("the echo can't accept");
                event = (struct epoll_event){.events = EPOLLIN, .data.fd = accepted};
                epoll_ctl(poll, EPOLL_CTL_ADD, accepted, &event);
                continue;
            }
            struct inbox *inbox = &inboxes[socket];
            if (inbox->start == inbox->end) inbox->start = inbox->end = 0;
            ssize_t bytes = read(socket, inbox->bytes + inbox->end, sizeof inbox->bytes - inbox->end);
            if (bytes <= 0) {
                close(socket);
                continue;
            }
            inbox->end += (size_t)bytes;
            answer_all(socket, inbox, response);
        }
    }
}

const char *start_echo(const char *directory, const struct data *response) {
    const char *path = path_in(directory, "echo.sock");
    int listener = listen_at(path);
    pid_t child;
    if (start_child(&child)) {
        place_process(0, SERVER_PROCESSOR);
        // Frees small numbers for its sockets, which are used as indices of the inboxes.
        close_range(3, (unsigned)listener - 1, 0);
        serve_echo(listener, response);
    }
    close(listener);
    return path;
}

// MARK: the loop of writes

static _Noreturn void serve_fan_out(
    int listener, int file, size_t watchers, const struct data *change, const struct data *response
) {
    static uint8_t frame[1024], answer[1024];
    static const char record[100];
    int *sockets = calloc(watchers, sizeof *sockets);
    for (size_t i = 0; i < watchers; i++) {
        sockets[i] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (sockets[i] < 0) fail_system("the loop of writes can't accept");
    }
    int control = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    static struct inbox inbox;
    for (;;) {
        struct header header;
        if (recv(control, &(char){0}, 1, MSG_PEEK) == 0) _exit(0);
        await_frame(control, &inbox, &header);
        if (header.flags & FAN_OUT_DURABLE) {
            ssize_t written = write(file, record, sizeof record);
            if (written != sizeof record || fdatasync(file) != 0) fail_system("can't append");
        }
        size_t size = put_frame(frame, 0, 1, FRAME_DATA, change);
        for (size_t i = 0; i < watchers; i++) write_all(sockets[i], frame, size);
        write_all(control, answer, put_frame(answer, 0, header.stream, FRAME_RESPONSE, response));
    }
}

const char *start_fan_out(
    const char *directory, const char *state_directory, size_t watchers, const struct data *change,
    const struct data *response
) {
    const char *path = path_in(directory, "writes.sock");
    int listener = listen_at(path);
    char *file_path = path_in(state_directory, "appended");
    int file = open(file_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) fail_system("can't make %s", file_path);
    free(file_path);
    pid_t child;
    if (start_child(&child)) {
        place_process(0, SERVER_PROCESSOR);
        serve_fan_out(listener, file, watchers, change, response);
    }
    close(listener);
    close(file);
    return path;
}

// MARK: gated

static void write_policy(const char *directory) {
    char *path = path_in(directory, "policy.yaml");
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    static const char policy[] =
        "gated-actions:\n"
        "  " GATED_ACTION ":\n"
        "    requires: {any: [{mode: parent}, {challenge: passcode}]}\n"
        "    keep: 24h\n";
    if (file < 0 && errno != EEXIST) fail_system("can't make %s", path);
    if (file >= 0 && write(file, policy, sizeof policy - 1) != sizeof policy - 1) fail_system("can't write %s", path);
    if (file >= 0) close(file);
    free(path);
}

// As systemd starts it: without arguments, with a listening socket, and with directories in the environment.
static _Noreturn void become_gated(const char *program, int listener, const char *directory, const char *state_directory) {
    char process[16];
    snprintf(process, sizeof process, "%d", (int)getpid());
    setenv("LISTEN_PID", process, 1);
    setenv("LISTEN_FDS", "1", 1);
    setenv("STATE_DIRECTORY", state_directory, 1);
    setenv("RUNTIME_DIRECTORY", directory, 1);
    setenv("CONFIGURATION_DIRECTORY", directory, 1);
    char *log = path_in(directory, "gated.log");
    if (dup2(open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600), STDERR_FILENO) < 0) fail_system("can't write %s", log);
    // dup2 of a descriptor to itself would keep the close-on-exec flag, and exec would close it.
    if (listener == 3 ? fcntl(listener, F_SETFD, 0) < 0 : dup2(listener, 3) < 0) fail_system("can't hand on the socket");
    place_process(0, ANY_PROCESSOR);
    execl(program, program, (char *)NULL);
    fail_system("can't start %s", program);
}

struct daemon start_gated(const char *program, const char *directory, const char *state_directory) {
    struct daemon daemon;
    if ((size_t)snprintf(daemon.socket, sizeof daemon.socket, "%s/gate.sock", directory) >= sizeof daemon.socket)
        fail("%s is too long for a socket", directory);
    write_policy(directory);
    unlink(daemon.socket);
    int listener = listen_at(daemon.socket);
    // As in gated.socket: everybody may connect.
    if (chmod(daemon.socket, 0666) != 0) fail_system("can't open %s to others", daemon.socket);
    double started = now();
    if (start_child(&daemon.process)) become_gated(program, listener, directory, state_directory);
    int socket = connect_to(daemon.socket);
    // From here on only gated has it, so that it is closed when gated ends.
    close(listener);
    if (socket < 0) fail_system("can't connect to %s", daemon.socket);
    // A gated that is not ready by then never will be.
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 20}, sizeof(struct timeval));
    static struct inbox inbox;
    inbox.start = inbox.end = 0;
    struct frame request = get_request();
    struct header header;
    write_all(socket, request.bytes, request.size);
    const uint8_t *data = await_frame(socket, &inbox, &header);
    check_response(header, data);
    daemon.start_seconds = now() - started;
    close(socket);
    return daemon;
}

void stop_gated(struct daemon *daemon) {
    kill(daemon->process, SIGTERM);
    for (int i = 0; i < 5000; i++) {
        if (waitpid(daemon->process, NULL, WNOHANG) != 0) return;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    fprintf(stderr, "benchmark: gated did not stop within 5 s of SIGTERM; killed\n");
    kill(daemon->process, SIGKILL);
    waitpid(daemon->process, NULL, 0);
}

long anonymous_kib(const struct daemon *daemon) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)daemon->process);
    FILE *status = fopen(path, "re");
    long kib = -1;
    while (status && fgets(line, sizeof line, status)) {
        if (sscanf(line, "RssAnon: %ld kB", &kib) == 1) break;
    }
    if (status) fclose(status);
    if (kib < 0) fail_system("can't read the memory of gated");
    return kib;
}

double processor_seconds(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        fail_system("can't read the processor time of %d", (int)process);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
