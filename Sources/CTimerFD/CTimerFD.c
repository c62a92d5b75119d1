#include "CTimerFD.h"
#include <stddef.h>
#include <sys/timerfd.h>
#include <time.h>

int boot_timer_create(void) {
    return timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
}

int boot_timer_set(int descriptor, int64_t nanoseconds) {
    struct itimerspec setting = {0};
    setting.it_value.tv_sec = nanoseconds / 1000000000;
    setting.it_value.tv_nsec = nanoseconds % 1000000000;
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &setting, NULL);
}
