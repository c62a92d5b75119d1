// A worker: one process for one client, from its packet to the end of the app. It goes through these states, with a function for each. In
// every state it ends if the main process does. When it ends, the main process stops its unit, if it may have started one.
//
// | state     | what is true                                               | what comes next                                              |
// |-----------|------------------------------------------------------------|--------------------------------------------------------------|
// | accepting | nothing is known                                           | a user with fewer than 8 others: receiving; else: refused     |
// | receiving | nothing of the client is known but its user                | a packet: reading; a wrong one, or none in time: the end      |
// | reading   | the packet has the right form                              | the app's start file, and no earlier unit ending: redeeming    |
// | redeeming | the proof is with gated, for exactly this app              | a grant of this user: counting; else: refused                 |
// | counting  | the grant is used up; gated is asked whether there is time | there is, or the user is nobody's: starting; else: refused    |
// | starting  | systemd has the app, and main knows of the unit            | it runs: running; it does not: refused failed                 |
// | running   | the app runs, and its time is counted                      | the app has ended: ended; the time is over: stopped;          |
// |           |                                                            | gated is lost: uncounted; a terminal's client hangs up: the end |
// | uncounted | the app runs, and gated is tried again each second         | gated counts again: running; a minute has passed: stopped     |
//
// If a user belongs to nobody on the list of people, gated counts no time for them, and grants them no action that needs time; so the app
// may run uncounted. But if gated has counted before, and then says that it does not know the user, it has lost its list of people, and
// counts as lost itself.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gate.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher.h"

#define GATED_USEC UINT64_C(10000000)   // how long gated may take to say whether there is time
#define START_USEC UINT64_C(5000000)    // after this long without an error, the app counts as started
#define AGAIN_USEC UINT64_C(1000000)    // how often a lost gated is tried again

enum { WORKERS_OF_USER = 8, UNKNOWN_USERS = 64, LOOKUP_SECONDS = 5 };

struct count {
    gate *gate;                 // NULL: no connection
    const char *refusal;        // why nothing is counted, as an answer for the client; NULL: it is counted, or was not refused
    bool is_counted, was_counted, is_over, is_nobodys;
    uint64_t lost_since, again; // 0: it is not lost
};

struct worker {
    const struct job *job;
    char packet[PACKET_BYTES + 1], file[FILE_BYTES + 1], action[NAME_BYTES + 8];
    struct request request;
    struct start start;
    int terminal[3];
    bool has_terminal;
    struct count count;
    pid_t systemd_run;
    int process, said;          // systemd-run, and what it prints; -1: nothing is read
};

_Noreturn static void refuse(const struct worker *worker, const char *word) {
    answer(worker->job->client, "refused ", word);
    _exit(EXIT_SUCCESS);
}

// MARK: accepting

// Whether there is a place for this client. One person may have thousands of uids without an account, in containers. So all uids that are
// still being looked up share one limit. The last free place is kept for refusals.
static bool has_place(const struct job *job) {
    size_t of_user = 0, unknown = 0, free = 0;
    for (const struct place *place = job->places; place < job->places + job->place_count; place++) {
        of_user += place->uid == job->own->uid;
        unknown += place->is_unknown;
        free += place->uid == 0;
    }
    return of_user <= WORKERS_OF_USER && unknown <= UNKNOWN_USERS && free > 0;
}

// The main process waits until the place has a user. So before that, nothing here may wait for others, and nothing that the client has sent
// is closed, since this could take long.
static void accept_client(struct worker *worker, struct job *job, int listener, int accepted) {
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    job->client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (job->client < 0 || getsockopt(job->client, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) _exit(EXIT_SUCCESS);
    if (peer.uid == 0) refuse(worker, "bad-request"); // root needs no launcher
    job->own->is_unknown = true;
    job->own->uid = peer.uid;
    if (!has_place(job)) refuse(worker, "limit");
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    // This closes the listener.
    if (nothing < 0 || dup2(nothing, listener) < 0 || close(nothing) != 0 || write(accepted, "", 1) != 1) _exit(EXIT_FAILURE);
    close(accepted);
    alarm(LOOKUP_SECONDS); // ends this process
    job->user = getpwuid(peer.uid);
    alarm(0);
    if (!job->user) refuse(worker, "bad-request");
    job->own->is_unknown = false;
}

// MARK: receiving

// Whether the descriptor is an open terminal or pseudo-terminal of the kernel's that belongs to the user. Other files are refused, because
// systemd gets these descriptors, and closing a file on a file system that the user controls could block it. For the same reason, such a
// file system is not asked about the file here.
static bool is_terminal(int descriptor, uid_t uid) {
    struct statx status;
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || (flags & O_PATH)) return false;
    if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_UID, &status) != 0) return false;
    bool is_device = (status.stx_mask & STATX_TYPE) && S_ISCHR(status.stx_mode);
    bool is_known = status.stx_rdev_major == 4 || (status.stx_rdev_major >= 136 && status.stx_rdev_major <= 143);
    return is_device && is_known && (status.stx_mask & STATX_UID) && status.stx_uid == uid;
}

// Takes no descriptors, or three terminals. Returns false for anything else.
static bool take_terminal(struct worker *worker, struct msghdr *message) {
    struct cmsghdr *part = CMSG_FIRSTHDR(message);
    if (!part) return true;
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS || part->cmsg_len != CMSG_LEN(sizeof worker->terminal)) return false;
    memcpy(worker->terminal, CMSG_DATA(part), sizeof worker->terminal);
    worker->has_terminal = true;
    for (size_t i = 0; i < 3; i++)
        if (!is_terminal(worker->terminal[i], worker->job->user->pw_uid)) return false;
    return true;
}

static void receive(struct worker *worker) {
    struct pollfd polled = {.fd = worker->job->client, .events = POLLIN};
    union { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof worker->terminal)]; } control;
    struct iovec bytes = {worker->packet, PACKET_BYTES};
    // The kernel passes on as many descriptors as there is room for, closes further ones, and sets MSG_CTRUNC.
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(sizeof worker->terminal)};
    if (poll(&polled, 1, (int)(worker->job->settings->packet_usec / 1000)) != 1) _exit(EXIT_SUCCESS);
    ssize_t size = recvmsg(worker->job->client, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (size < 0) _exit(EXIT_SUCCESS);
    bool is_whole = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
    if (!is_whole || !take_terminal(worker, &message) || !request_read(worker->packet, (size_t)size, &worker->request)) refuse(worker, "bad-request");
}

// MARK: reading

static void read_start(struct worker *worker) {
    int error = record_read(worker->job->settings->records, worker->request.name, worker->file, &worker->start);
    if (error) refuse(worker, error == ENOENT ? "not-guarded" : "failed");
    if (worker->start.is_for_terminals && !worker->has_terminal) refuse(worker, "no-terminal");
}

// Waits until units of an earlier start of the same app have ended. Their left-over processes are killed by the app's group, which the new
// ones would have, too.
static void wait_for_earlier(const struct worker *worker) {
    const struct job *job = worker->job;
    const uint64_t end = now_usec() + job->settings->stop_usec;
    for (size_t i = 0; i < job->place_count; i++) {
        const struct place *place = &job->places[i];
        while (place != job->own && place->uid == job->own->uid && place->group == worker->start.group && place->is_stopping) {
            if (now_usec() >= end) refuse(worker, "failed");
            (void)poll(NULL, 0, 20);
        }
    }
}

// MARK: towards gated

// Makes this user the effective one, so that a connection that is opened next counts as theirs. The real and the saved user stay root, so
// that the user can neither signal nor trace this process.
static void act_as(const struct job *job, uid_t uid) {
    // Changing the user makes the kernel forget that this process is to end with main.
    if (seteuid(uid) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != job->parent) _exit(EXIT_FAILURE);
}

static gate *gate_for(const struct settings *settings) {
    gate *made;
    if (gate_new(&made) < 0) _exit(EXIT_FAILURE);
    // The socket is never taken from the environment.
    bool is_set = gate_set_socket(made, settings->gate_socket) == 0 && gate_set_program(made, "gate-launcher") == 0;
    if (settings->has_server_uid) is_set = is_set && gate_set_server_uid(made, settings->server_uid) == 0;
    if (!is_set) _exit(EXIT_FAILURE);
    return made;
}

struct redeeming { bool is_over; uid_t uid; const char *refusal; };

static void redeemed(gate *gate, uid_t uid, pid_t pid, const gate_error *error, void *userdata) {
    (void)gate, (void)pid;
    struct redeeming *redeeming = userdata;
    *redeeming = (struct redeeming){.is_over = true, .uid = uid};
    if (!error) return;
    bool is_lost = error->code == GATE_UNAVAILABLE || error->code == GATE_DEADLINE_EXCEEDED;
    redeeming->refusal = is_lost ? "no-gate" : error->code == GATE_RESOURCE_EXHAUSTED ? "limit" : "no-grant";
}

static void redeem(struct worker *worker) {
    struct redeeming redeeming = {.refusal = "failed"};
    gate *gate = gate_for(worker->job->settings);
    snprintf(worker->action, sizeof worker->action, "app.%s", worker->request.name);
    if (gate_redeem(gate, worker->request.proof, worker->request.proof_size, worker->action, worker->request.name, redeemed, &redeeming, NULL) < 0)
        refuse(worker, "failed");
    while (!redeeming.is_over) {
        int did = gate_process(gate);
        if (did < 0) refuse(worker, "failed");
        if (did == 0) gate_wait_sync(gate, UINT64_MAX); // the call has a limit
    }
    gate_free(gate);
    if (redeeming.refusal) refuse(worker, redeeming.refusal);
    if (redeeming.uid != worker->job->user->pw_uid) refuse(worker, "no-grant");
}

// MARK: counting

static void counted(gate *gate, const gate_use *use, const gate_error *error, void *userdata) {
    (void)gate;
    struct count *count = userdata;
    *count = (struct count){.gate = count->gate, .was_counted = count->was_counted, .lost_since = count->lost_since, .again = count->again};
    if (!error) {
        count->is_counted = count->was_counted = true;
        count->is_over = use->is_over;
        count->lost_since = 0;
    } else if (error->code == GATE_FAILED_PRECONDITION && error->reason == GATE_REASON_OUT_OF_HOURS) {
        count->is_over = true;
    } else if (error->code == GATE_FAILED_PRECONDITION && error->reason == GATE_REASON_NOT_SET_UP && !count->was_counted) {
        count->is_nobodys = true;
        count->lost_since = 0;
    } else {
        count->refusal = error->code == GATE_RESOURCE_EXHAUSTED ? "limit" : error->reason == GATE_REASON_DENIED ? "not-guarded" : "no-gate";
    }
    if (count->is_over) count->refusal = "out-of-hours";
}

// Opens the count, or processes its messages, with the effective user of the app, because gated counts the time for the user that connects.
static void go_on_counting(struct worker *worker) {
    struct count *count = &worker->count;
    uint64_t now = now_usec();
    if (count->is_nobodys || (!count->gate && now < count->again)) return;
    act_as(worker->job, worker->job->user->pw_uid);
    int did = 1;
    if (!count->gate) {
        count->refusal = NULL;
        count->gate = gate_for(worker->job->settings);
        did = gate_count_use(count->gate, worker->action, worker->request.name, counted, count, NULL);
        if (did == 0) did = 1;
    }
    while (did > 0) did = gate_process(count->gate);
    if (did < 0 && !count->refusal) count->refusal = "failed";
    if (count->refusal || count->is_nobodys) {
        count->gate = gate_free(count->gate);
        count->again = now + AGAIN_USEC;
        if (count->refusal && !count->lost_since) count->lost_since = now;
    }
    act_as(worker->job, getuid());
}

static void begin_counting(struct worker *worker) {
    struct count *count = &worker->count;
    uint64_t end = now_usec() + GATED_USEC;
    for (;;) {
        go_on_counting(worker);
        if (count->refusal) refuse(worker, count->refusal);
        if (count->is_counted || count->is_nobodys) return;
        uint64_t now = now_usec();
        if (now >= end) refuse(worker, "no-gate");
        gate_wait_sync(count->gate, end - now);
    }
}

// MARK: starting

// Tells main that there may be a unit from now on.
static void claim(struct worker *worker) {
    worker->job->own->group = worker->start.group;
    wait_for_earlier(worker);
}

static void start(struct worker *worker) {
    struct words words;
    int said[2] = {-1, -1};
    char unit[UNIT_BYTES];
    const bool is_for_terminals = worker->start.is_for_terminals;
    const pid_t own = getpid();
    unit_name(unit, worker->job->own->uid, (size_t)(worker->job->own - worker->job->places));
    unit_start_command(&words, worker->job->settings->systemd_run, unit, worker->job->user, &worker->request, &worker->start);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (words.has_failed || nothing < 0 || (!is_for_terminals && pipe2(said, O_CLOEXEC) != 0)) refuse(worker, "failed");
    claim(worker);
    worker->systemd_run = fork();
    if (worker->systemd_run == 0) {
        const int standard[] = {nothing, nothing, said[1]};
        // systemd-run is killed when this process ends, so that it can't start a unit that no worker watches.
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != own) _exit(EXIT_FAILURE);
        for (int i = 0; i < 3; i++) dup2(is_for_terminals ? worker->terminal[i] : standard[i], i);
        words_execute(&words);
        _exit(127);
    }
    close(nothing);
    if (said[1] >= 0) close(said[1]);
    worker->said = said[0];
    worker->process = worker->systemd_run > 0 ? (int)syscall(SYS_pidfd_open, worker->systemd_run, 0) : -1;
    if (worker->process < 0) refuse(worker, "failed");
    for (size_t i = 0; worker->has_terminal && i < 3; i++) close(worker->terminal[i]);
    if (is_for_terminals) answer(worker->job->client, "started terminal", "");
}

// Passes what systemd-run prints on to the journal. Returns whether it is the line that says that the app runs.
static bool hear(struct worker *worker) {
    char text[1025];
    ssize_t size = read(worker->said, text, sizeof text - 1);
    if (size <= 0) {
        close(worker->said);
        worker->said = -1;
        return false;
    }
    text[size] = 0;
    fputs(text, stderr);
    return strstr(text, "Running as unit") != NULL;
}

// MARK: running

_Noreturn static void end(struct worker *worker, bool has_started) {
    int status = 0;
    char words[16];
    while (waitpid(worker->systemd_run, &status, 0) < 0 && errno == EINTR) continue;
    if (!has_started) refuse(worker, "failed");
    snprintf(words, sizeof words, "%d", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    answer(worker->job->client, "ended ", words);
    _exit(EXIT_SUCCESS);
}

// Ends the app: main stops the unit when this process has ended.
_Noreturn static void stop(struct worker *worker, const char *why) {
    fprintf(stderr, "%s of user %u is ended: %s\n", worker->request.name, (unsigned)worker->job->user->pw_uid, why);
    answer(worker->job->client, "stopped ", why);
    _exit(EXIT_SUCCESS);
}

static uint64_t earlier(uint64_t one, uint64_t other) {
    return one < other ? one : other;
}

static void run(struct worker *worker) {
    struct count *count = &worker->count;
    const uint64_t grace = worker->job->settings->grace_usec, begin = now_usec();
    bool has_started = worker->start.is_for_terminals;
    for (;;) {
        go_on_counting(worker);
        uint64_t now = now_usec(), due = has_started ? UINT64_MAX : begin + START_USEC, until = UINT64_MAX;
        if (count->is_over) stop(worker, "out-of-hours");
        if (count->lost_since && now - count->lost_since >= grace) stop(worker, "no-gate");
        if (count->lost_since) due = earlier(due, count->lost_since + grace);
        if (count->gate && gate_get_timeout(count->gate, &until) == 0) due = earlier(due, until);
        else if (!count->is_nobodys) due = earlier(due, count->again);
        struct pollfd polled[] = {{.fd = worker->process, .events = POLLIN}, {.fd = worker->said, .events = POLLIN},
            {.fd = count->gate ? gate_get_fd(count->gate) : -1, .events = POLLIN},
            {.fd = worker->start.is_for_terminals ? worker->job->client : -1}};
        uint64_t wait = due > now ? earlier(due - now, UINT64_C(3600000000)) : 0;
        if (poll(polled, 4, (int)((wait + 999) / 1000)) < 0 && errno != EINTR) _exit(EXIT_FAILURE);
        bool runs = polled[1].revents && hear(worker);
        if (!has_started && (runs || now_usec() >= begin + START_USEC)) {
            has_started = true;
            answer(worker->job->client, "started", "");
        }
        if (polled[0].revents) end(worker, has_started);
        if (polled[3].revents) _exit(EXIT_SUCCESS);
    }
}

_Noreturn void worker_run(struct job *job, int listener, int accepted) {
    static struct worker worker = {.process = -1, .said = -1};
    worker.job = job;
    accept_client(&worker, job, listener, accepted);
    receive(&worker);
    read_start(&worker);
    wait_for_earlier(&worker); // before the grant is used up
    redeem(&worker);
    begin_counting(&worker);
    start(&worker);
    run(&worker);
    _exit(EXIT_SUCCESS);
}
