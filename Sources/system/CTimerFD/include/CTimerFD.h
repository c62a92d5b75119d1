/* timerfd(2), which Swift's Glibc module lacks: a timer on CLOCK_BOOTTIME, and a watch over CLOCK_REALTIME. Functions that fail
   return -1 and set errno. */
#pragma once
#include <stdint.h>

/* Makes a timer on CLOCK_BOOTTIME that is not set yet. */
int boot_timer_create(void);

/* Makes the timer readable at this time, in nanoseconds since the boot; 0: never. */
int boot_timer_set(int descriptor, int64_t nanoseconds);

/* Makes a timer that never rings. Reading it fails with ECANCELED once the wall clock was set (or the device has slept). */
int clock_watch_create(void);
