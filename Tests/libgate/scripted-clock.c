// The clocks of a dialogue: libgate, like any program of the device, sees the time that gated-scripted has. Preloaded by
// Tests/python/play_script.py, whose other clocks go on.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t boot_ns, wall_ms;

// From now on they show this, until they are turned again. 0: they go as ever.
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

// A clock that stands comes to no moment: anyone who turns it wakes those who wait.
int timerfd_settime(int timer, int flags, const struct itimerspec *at, struct itimerspec *before) {
    static const struct itimerspec never;
    if (atomic_load(&boot_ns) != 0 && flags & TFD_TIMER_ABSTIME) at = &never;
    return (int)syscall(SYS_timerfd_settime, timer, flags, at, before);
}
