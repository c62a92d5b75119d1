#define _GNU_SOURCE
#include "CEpoll.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int epoll_make(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static int control(int epoll, int operation, int descriptor, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data.u64 = data};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int epoll_watch(int epoll, int descriptor, uint32_t events, uint64_t data) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, events, data);
}

int epoll_change(int epoll, int descriptor, uint32_t events, uint64_t data) {
    return control(epoll, EPOLL_CTL_MOD, descriptor, events, data);
}

void epoll_forget(int epoll, int descriptor) {
    control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}

int epoll_await(int epoll, struct epoll_event *events, int count, int64_t nanoseconds) {
    static atomic_bool is_coarse = false;
    int found;
    if (nanoseconds <= 0) {
        found = epoll_wait(epoll, events, count, nanoseconds < 0 ? -1 : 0);
    } else {
        struct timespec timeout = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
        found = -1;
        errno = ENOSYS;
#if defined(__GLIBC__)
        if (!atomic_load_explicit(&is_coarse, memory_order_relaxed))
            found = epoll_pwait2(epoll, events, count, &timeout, NULL);
#endif
        if (found < 0 && (errno == ENOSYS || errno == EPERM)) {
            atomic_store_explicit(&is_coarse, true, memory_order_relaxed);
            int64_t milliseconds = nanoseconds / 1000000 + (nanoseconds % 1000000 != 0);
            found = epoll_wait(epoll, events, count, milliseconds > INT_MAX ? INT_MAX : (int)milliseconds);
        }
    }
    return found < 0 ? 0 : found;
}

int wake_up_make(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

void wake_up(int descriptor) {
    eventfd_write(descriptor, 1);
}

int accept_peer(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void name_thread(const char *name) {
    prctl(PR_SET_NAME, name);
}

int never_block(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}
