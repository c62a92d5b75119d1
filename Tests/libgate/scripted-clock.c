// The clocks of a dialogue: libgate sees gated-scripted's time, like any program of the device.
// Tests/python/play_script.py preloads this; its own clocks are unchanged.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t boot_ns, wall_ms;

// From now on the clocks show these times, until they are set again. 0: they show the real time.
__attribute__((visibility("default"))) void scripted_clock_set(int64_t boot_nanoseconds, int64_t wall_milliseconds) {
    atomic_store(&wall_ms, wall_milliseconds);
    atomic_store(&boot_ns, boot_nanoseconds);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int64_t boot = atomic_load(&boot_ns), wall = atomic_load(&wall_ms);
    if (boot == 0 || (clock != CLOCK_BOOTTIME && clock != CLOCK_REALTIME)) return (int)syscall(SYS_clock_gettime, clock, time);
    int64_t shown = clock == CLOCK_BOOTTIME ? boot : wall * 1000000;
    *time = (struct timespec){.tv_sec = (time_t)(shown / 1000000000), .tv_nsec = (long)(shown % 1000000000)};
    return 0;
}

// A stopped clock reaches no moment, so the program that sets it wakes those that wait.
int timerfd_settime(int timer, int flags, const struct itimerspec *at, struct itimerspec *before) {
    static const struct itimerspec never;
    if (atomic_load(&boot_ns) != 0 && flags & TFD_TIMER_ABSTIME) at = &never;
    return (int)syscall(SYS_timerfd_settime, timer, flags, at, before);
}
