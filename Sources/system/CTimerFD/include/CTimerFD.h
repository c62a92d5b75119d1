/* timerfd(2), which Swift's Glibc leaves out: a timer on CLOCK_BOOTTIME, and a watch over CLOCK_REALTIME. */
#pragma once
#include <stdint.h>

/* A timer that no one has set. -1, and errno, where there can be none. */
int boot_timer_create(void);

/* Makes it readable at this time, in nanoseconds since the boot; 0: never. -1, and errno, where that failed. */
int boot_timer_set(int descriptor, int64_t nanoseconds);

/* A timer that never rings, but reads as ECANCELED once somebody has set the wall clock (or the device has slept). -1, and
   errno, where there can be none. */
int clock_watch_create(void);
