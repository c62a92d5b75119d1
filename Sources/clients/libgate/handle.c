// The handle: making it, its settings, its loop, and freeing it.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

static uint64_t clock_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t monotonic_usec(void) {
    return clock_ns(CLOCK_MONOTONIC) / 1000;
}

int64_t boottime_ns(void) {
    return (int64_t)clock_ns(CLOCK_BOOTTIME);
}

int64_t wall_ms(void) {
    return (int64_t)(clock_ns(CLOCK_REALTIME) / 1000000);
}

uint64_t monotonic_of_boottime(int64_t deadline, uint64_t now) {
    int64_t boot = boottime_ns();
    return deadline <= boot ? now : now + (uint64_t)(deadline - boot) / 1000 + 1;
}

double gate_chance(gate *gate) {
    gate->chance = gate->chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(gate->chance >> 11) / (double)(UINT64_C(1) << 53);
}

static pid_t thread_id(void) {
    return (pid_t)syscall(SYS_gettid);
}

int gate_check_thread(const gate *gate) {
    if (!gate) return -EINVAL;
    if (thread_id() == gate->thread) return 0;
    return getpid() == gate->process ? -EPERM : -ECHILD;
}

int gate_start(gate *gate) {
    int problem = gate_check_thread(gate);
    if (problem == 0) gate->is_started = true;
    return problem;
}

// The name that the program was started by, as UTF-8 and not too long for the daemon.
static char *program_name(void) {
    char name[PROGRAM_BYTES + 1] = {0};
    strncpy(name, known(program_invocation_short_name), PROGRAM_BYTES);
    make_text(name);
    return strdup(name);
}

// Where the daemon listens; in a sandbox of Flatpak's, where gate-portal does. NULL if there is no memory.
static char *default_path(bool *is_portals) {
    const char *path = secure_getenv("GATE_SOCKET"), *runtime = secure_getenv("XDG_RUNTIME_DIR");
    char *made = NULL;
    *is_portals = false;
    if (path && *path) return strdup(path);
    if (!is_in_flatpak()) return strdup(DAEMON_SOCKET);
    *is_portals = true;
    if (runtime && *runtime == '/') return asprintf(&made, "%s/gate/portal", runtime) < 0 ? NULL : made;
    return asprintf(&made, "/run/user/%u/gate/portal", (unsigned)geteuid()) < 0 ? NULL : made;
}

int gate_new(gate **made) {
    if (!made) return -EINVAL;
    *made = NULL;
    gate *gate = calloc(1, sizeof *gate);
    if (!gate) return -ENOMEM;
    gate->process = getpid();
    gate->thread = thread_id();
    gate->socket = gate->epoll = gate->timer = -1;
    gate->end = &gate->first;
    gate->call_usec = CALL_USEC;
    gate->path = default_path(&gate->uses_portal);
    gate->program = program_name();
    gate->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (gate->epoll >= 0) gate->timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = gate->timer};
    int problem = 0;
    if (gate->timer < 0 || epoll_ctl(gate->epoll, EPOLL_CTL_ADD, gate->timer, &event) != 0) problem = -errno;
    else if (!gate->path || !gate->program) problem = -ENOMEM;
    // Chance is only needed so that many clients do not reconnect at the same moment.
    if (getrandom(&gate->chance, sizeof gate->chance, GRND_NONBLOCK) < 0) gate->chance = clock_ns(CLOCK_MONOTONIC) ^ (uint64_t)getpid();
    if (problem < 0) gate = gate_free(gate);
    *made = gate;
    return problem;
}

gate *gate_free(gate *gate) {
    if (!gate) return NULL;
    if (gate->is_running && gate_check_thread(gate) != -EPERM) {
        gate->is_dying = true; // gate_process() frees the handle, also in a child that a handler has forked
        return NULL;
    }
    connection_close(gate);
    calls_fail(gate, NULL);
    while (gate->opens) open_close(gate, gate->opens->id);
    requests_free(gate);
    forms_free(gate);
    news_free(gate);
    presenter_stop(gate);
    watch_free(gate);
    while (gate->first) {
        struct delivery *delivery = gate->first;
        gate->first = delivery->next;
        delivery_free(delivery);
    }
    error_free(gate->broken);
    error_free(gate->sync_error);
    free(gate->sync_bytes);
    free(gate->in.bytes);
    free(gate->out.bytes);
    free(gate->path);
    free(gate->program);
    if (gate->timer >= 0) close(gate->timer);
    if (gate->epoll >= 0) close(gate->epoll);
    free(gate);
    return NULL;
}

// MARK: settings

static int set_text(gate *gate, char **to, const char *text, size_t maximum) {
    int problem = gate_check_thread(gate);
    if (problem < 0) return problem;
    if (gate->is_started) return -EBUSY;
    if (!text || !*text || strlen(text) > maximum) return -EINVAL;
    char *copy = strdup(text);
    if (!copy) return -ENOMEM;
    free(*to);
    *to = copy;
    return 0;
}

int gate_set_socket(gate *gate, const char *path) {
    int problem = gate ? set_text(gate, &gate->path, path, 4096) : -EINVAL;
    if (problem == 0) gate->uses_portal = false;
    return problem;
}

int gate_set_program(gate *gate, const char *name) {
    if (!gate || (name && !is_text((const uint8_t *)name, strlen(name)))) return -EINVAL;
    return set_text(gate, &gate->program, name, PROGRAM_BYTES);
}

int gate_set_server_uid(gate *gate, uid_t uid) {
    int problem = gate_check_thread(gate);
    if (problem < 0) return problem;
    if (gate->is_started) return -EBUSY;
    gate->server_uid = uid;
    gate->has_server_uid = true;
    return 0;
}

int gate_set_call_timeout(gate *gate, uint64_t usec) {
    int problem = gate_check_thread(gate);
    if (problem < 0) return problem;
    if (gate->is_started) return -EBUSY;
    if (usec == 0) return -EINVAL;
    gate->call_usec = usec;
    return 0;
}

// MARK: the loop

int gate_get_fd(const gate *gate) {
    int problem = gate_check_thread(gate);
    return problem < 0 ? problem : gate->epoll;
}

int gate_get_events(const gate *gate) {
    int problem = gate_check_thread(gate);
    return problem < 0 ? problem : POLLIN;
}

static uint64_t earlier(uint64_t one, uint64_t other) {
    return one < other ? one : other;
}

// When to call gate_turn() at the latest.
static uint64_t next_turn(const gate *gate) {
    if (gate->is_breaking) return 0;
    uint64_t now = monotonic_usec(), due = earlier(calls_due(gate), connection_due(gate));
    due = earlier(due, earlier(watch_due(gate, now), opens_due(gate, now)));
    return gate->presenter.state == AWAY ? earlier(due, gate->presenter.wait_until) : due;
}

int gate_get_timeout(const gate *gate, uint64_t *usec) {
    int problem = gate_check_thread(gate);
    if (problem < 0 || !usec) return problem < 0 ? problem : -EINVAL;
    *usec = gate->first || gate->watch.untold ? 0 : next_turn(gate);
    return 0;
}

// Does everything except calling handlers. With `waits`, it may first wait for the daemon. Returns whether it did something.
static bool gate_turn(gate *gate, bool waits) {
    bool did = connection_settle(gate);
    did |= connection_read(gate, waits && connection_can_wait(gate));
    connection_flush(gate);
    did |= connection_settle(gate);
    uint64_t now = monotonic_usec();
    connection_timers(gate, now);
    calls_timers(gate, now);
    opens_timers(gate, now);
    presenter_timers(gate, now);
    watch_timers(gate, now);
    did |= connection_settle(gate);
    return did;
}

int gate_process(gate *gate) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    if (gate->is_running) return -EBUSY;
    gate->is_running = true;
    bool did = gate_turn(gate, false);
    did |= watch_tell(gate);
    problem = gate_check_thread(gate);
    // Deliveries that handlers add are left for the next call, so that handlers can't occupy the program's loop.
    for (size_t count = gate->delivery_count; problem == 0 && count > 0 && gate->first && !gate->is_dying; count--) {
        struct delivery *delivery = gate->first;
        gate->first = delivery->next;
        if (!gate->first) gate->end = &gate->first;
        gate->delivery_count--;
        gate->delivered_bytes -= delivery->size;
        delivery->run(gate, delivery);
        delivery_free(delivery);
        did = true;
        // If the handler has forked, only the parent may call the other handlers.
        problem = gate_check_thread(gate);
    }
    gate->is_running = false;
    if (gate->is_dying) {
        gate_free(gate);
        return -ESHUTDOWN;
    }
    return problem < 0 ? problem : did;
}

// Waits until there is something to read or write, a signal comes, or a moment has come. Returns whether there is something. It polls the
// timer and the socket themselves: polling the epoll descriptor that holds them takes the kernel longer.
static bool wait_until(gate *gate, uint64_t end) {
    uint64_t now = monotonic_usec(), left = end <= now ? 0 : end - now;
    short events = POLLIN | (gate->waits_to_write ? POLLOUT : 0);
    struct pollfd polled[] = {{.fd = gate->timer, .events = POLLIN}, {.fd = gate->socket, .events = events}};
    struct timespec wait = {.tv_sec = (time_t)(left / 1000000), .tv_nsec = (long)(left % 1000000 * 1000)};
    return ppoll(polled, 2, left > UINT64_C(86400000000) ? NULL : &wait, NULL) > 0;
}

int gate_wait_sync(gate *gate, uint64_t usec) {
    int problem = gate_start(gate);
    if (problem < 0) return problem;
    if (gate->is_running) return -EBUSY;
    uint64_t now = monotonic_usec(), end = usec < UINT64_MAX - now ? now + usec : UINT64_MAX, until;
    for (;;) {
        gate_get_timeout(gate, &until);
        if (until <= monotonic_usec() || wait_until(gate, earlier(until, end))) return 1;
        if (monotonic_usec() >= end) return 0;
    }
}

const gate_error *gate_get_error(const gate *gate) {
    return gate_check_thread(gate) == 0 ? gate->sync_error : NULL;
}

int sync_run(gate *gate, uint64_t number) {
    gate->is_running = true;
    for (;;) {
        for (struct delivery **link = &gate->first; *link; link = &(*link)->next) {
            struct delivery *delivery = *link;
            if (delivery->number != number) continue;
            *link = delivery->next;
            if (!*link) gate->end = link;
            gate->delivery_count--;
            gate->delivered_bytes -= delivery->size;
            delivery->run(gate, delivery);
            delivery_free(delivery);
            gate->is_running = false;
            return 0;
        }
        if (!call_is_open(gate, number) && !request_is_open(gate, number)) { // there was no memory for the delivery of its end
            gate->is_running = false;
            return -ENOMEM;
        }
        // Reading with a wait takes the kernel less time than polling first, but no timer can end it.
        uint64_t due = next_turn(gate);
        bool waits = connection_can_wait(gate) && !gate->watch.armed && (due == UINT64_MAX || due > monotonic_usec() + WAIT_USEC);
        if (!waits) wait_until(gate, due);
        gate_turn(gate, waits);
    }
}
