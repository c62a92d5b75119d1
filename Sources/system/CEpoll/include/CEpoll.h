/* epoll(7), eventfd(2) and accept4(2), which Swift's Glibc module lacks. Unless something else is said, functions that fail return
   -1 and set errno. */
#pragma once
#include <stdint.h>
#include <sys/epoll.h>

/* Makes an epoll descriptor, which other programs don't inherit. The caller closes it. */
int epoll_make(void);

/* Begins to watch a descriptor for these events. Each event carries `data`. */
int epoll_watch(int epoll, int descriptor, uint32_t events, uint64_t data);

int epoll_change(int epoll, int descriptor, uint32_t events, uint64_t data);

void epoll_forget(int epoll, int descriptor);

/* Waits for events for at most this many nanoseconds; -1: until one comes. Returns how many there are; 0 if the time has passed, a
   signal came or the call failed. If epoll_pwait2(2) is missing (before Linux 5.11, or with musl) or forbidden, the time is rounded up
   to milliseconds. */
int epoll_await(int epoll, struct epoll_event *events, int count, int64_t nanoseconds);

/* Makes a descriptor that is readable after another thread has called `wake_up`. The caller closes it. */
int wake_up_make(void);
void wake_up(int descriptor);

/* Accepts the next connection of a listening socket. The new socket does not block and is not inherited by other programs. */
int accept_peer(int listener);

/* Names the calling thread. ps(1) shows the first 15 bytes of the name. */
void name_thread(const char *name);

/* Makes reads and writes of a socket fail with EAGAIN if they would have to wait. */
int never_block(int descriptor);
