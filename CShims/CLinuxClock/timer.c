/* timerfd: one deadline at a time, and detection of changes to the wall clock. */
#define _GNU_SOURCE
#include "belfry_clock.h"

#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

_Static_assert(BELFRY_CLOCK_WALL == CLOCK_REALTIME && BELFRY_CLOCK_BOOT == CLOCK_BOOTTIME, "clock numbers");

int belfry_clock_timer_open(int clock) {
    if (clock != BELFRY_CLOCK_WALL && clock != BELFRY_CLOCK_BOOT) return -EINVAL;
    int descriptor = timerfd_create(clock, TFD_NONBLOCK | TFD_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

static int set(int timer, int flags, int64_t seconds, int32_t nanoseconds) {
    struct itimerspec value;
    memset(&value, 0, sizeof value);
    value.it_value.tv_sec = seconds;
    value.it_value.tv_nsec = nanoseconds;
    return timerfd_settime(timer, flags, &value, NULL) < 0 ? -errno : 0;
}

int belfry_clock_timer_arm(int timer, belfry_clock_time deadline, bool tell_of_sets) {
    if (deadline.nanoseconds < 0 || deadline.nanoseconds > 999999999) return -EINVAL;
    if (deadline.seconds < 0 || (deadline.seconds == 0 && deadline.nanoseconds == 0)) {
        deadline.seconds = 0;
        deadline.nanoseconds = 1;
    }
    int flags = TFD_TIMER_ABSTIME | (tell_of_sets ? TFD_TIMER_CANCEL_ON_SET : 0);
    return set(timer, flags, deadline.seconds, deadline.nanoseconds);
}

int belfry_clock_timer_arm_for_sets(int timer) {
    /* The largest possible time: the kernel clamps it to one that never comes. */
    return set(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, INT64_MAX, 0);
}

int belfry_clock_timer_disarm(int timer) {
    int status = set(timer, 0, 0, 0);
    return status == -ECANCELED ? 0 : status;
}

int belfry_clock_timer_read(int timer) {
    uint64_t expirations = 0;
    for (;;) {
        if (read(timer, &expirations, sizeof expirations) >= 0) return BELFRY_CLOCK_TIMER_EXPIRED;
        switch (errno) {
        case EINTR: continue;
        case EAGAIN: return BELFRY_CLOCK_TIMER_PENDING;
        case ECANCELED: return BELFRY_CLOCK_TIMER_CLOCK_SET;
        default: return -errno;
        }
    }
}
