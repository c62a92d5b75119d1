/* epoll(7), eventfd(2) and accept4(2), which Swift's Glibc leaves out. */
#pragma once
#include <stdint.h>
#include <sys/epoll.h>

/* A new epoll. -1, and errno, where there can be none. */
int epoll_make(void);

/* Watches a descriptor for these events from now on; `data` comes with each of them. -1, and errno, where that failed. */
int epoll_watch(int epoll, int descriptor, uint32_t events, uint64_t data);

/* The same for a descriptor that is watched already. */
int epoll_change(int epoll, int descriptor, uint32_t events, uint64_t data);

/* Watches it no longer. */
void epoll_forget(int epoll, int descriptor);

/* Waits for events, for so many nanoseconds; -1: until one comes. Returns how many there are, 0 where the time has passed
   or a signal came. Kernels before 5.11, and those who forbid epoll_pwait2(2), wait to the end of the millisecond. */
int epoll_await(int epoll, struct epoll_event *events, int count, int64_t nanoseconds);

/* A descriptor that is readable when another thread has called `wake_up`. -1, and errno, where there can be none. */
int wake_up_make(void);
void wake_up(int descriptor);

/* The next peer that waits at this listener: a socket that does not block, and that no program started from here inherits.
   -1, and errno. */
int accept_peer(int listener);

/* Names the calling thread, as ps(1) shows it. */
void name_thread(const char *name);

/* Makes a socket's calls return at once. -1, and errno, where that failed. */
int never_block(int descriptor);
