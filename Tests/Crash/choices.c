#include "choices.h"

#include <time.h>

#include "chance.h"

enum { HOUR_MILLISECONDS = 3600000 };

int64_t wall_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

const char *choice_name(enum choice choice) {
    return choice_detail(choice) + 2;
}

const char *choice_detail(enum choice choice) {
    static const char *const details[CHOICES] = {", once", ", today", ", always", ", this-site", ", 12h"};
    return details[choice];
}

// The next midnight by the device's clock.
static int64_t end_of_day(int64_t milliseconds) {
    time_t seconds = (time_t)(milliseconds / 1000);
    struct tm day;
    localtime_r(&seconds, &day);
    day.tm_mday++;
    day.tm_hour = day.tm_min = day.tm_sec = 0;
    day.tm_isdst = -1;
    return (int64_t)mktime(&day) * 1000;
}

enum choice some_choice(void) {
    int64_t now = wall_milliseconds();
    enum choice choice = below(CHOICES);
    return choice == TODAY && end_of_day(now) - now < 2 * HOUR_MILLISECONDS ? ONCE : choice;
}

int64_t end_of_choice(enum choice choice, int64_t given, int64_t may_wait) {
    switch (choice) {
        case ONCE: return given + may_wait;
        case TODAY: return end_of_day(given);
        case HALF_A_DAY: return given + 12 * HOUR_MILLISECONDS;
        case ALWAYS:
        case THIS_SITE:
        case CHOICES: break;
    }
    return 0;
}
