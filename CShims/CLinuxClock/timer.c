/* timerfd: one deadline at a time, and detection of changes to the wall clock. */
#define _GNU_SOURCE
#include "belfry_clock.h"

#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int belfry_clock_timer_open(void) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int belfry_clock_timer_arm(int timer, belfry_clock_time deadline) {
    if (deadline.nanoseconds < 0 || deadline.nanoseconds > 999999999) return -EINVAL;
    struct itimerspec value;
    memset(&value, 0, sizeof value);
    value.it_value.tv_sec = deadline.seconds;
    value.it_value.tv_nsec = deadline.nanoseconds;
    if (deadline.seconds < 0 || (deadline.seconds == 0 && deadline.nanoseconds == 0)) {
        value.it_value.tv_sec = 0;
        value.it_value.tv_nsec = 1;
    }
    int flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
    return timerfd_settime(timer, flags, &value, NULL) < 0 ? -errno : 0;
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
