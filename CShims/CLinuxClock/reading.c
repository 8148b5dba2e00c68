/* Reads the wall clock and CLOCK_BOOTTIME at one instant. */
#define _GNU_SOURCE
#include "belfry_clock.h"

#include <errno.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>

static int64_t nanoseconds_between(const struct timespec *earlier, const struct timespec *later) {
    return (int64_t)(later->tv_sec - earlier->tv_sec) * 1000000000 + (later->tv_nsec - earlier->tv_nsec);
}

int belfry_clock_read(belfry_clock_reading *reading) {
    const int64_t close_enough = 20000;
    int64_t best = INT64_MAX;
    for (int attempt = 0; attempt < 8 && best > close_enough; attempt++) {
        struct timespec before, wall, after;
        if (clock_gettime(CLOCK_BOOTTIME, &before) < 0 || clock_gettime(CLOCK_REALTIME, &wall) < 0
            || clock_gettime(CLOCK_BOOTTIME, &after) < 0)
            return -errno;
        int64_t width = nanoseconds_between(&before, &after);
        if (width >= best) continue;
        best = width;
        int64_t nanoseconds = before.tv_nsec + width / 2;
        reading->boot.seconds = before.tv_sec + nanoseconds / 1000000000;
        reading->boot.nanoseconds = (int32_t)(nanoseconds % 1000000000);
        reading->wall.seconds = wall.tv_sec;
        reading->wall.nanoseconds = (int32_t)wall.tv_nsec;
        reading->uncertainty = width - width / 2;
    }
    return 0;
}

int belfry_clock_is_synchronized(void) {
    struct timex state;
    memset(&state, 0, sizeof state); /* modes 0: reads, changes nothing, needs no privilege */
    if (adjtimex(&state) < 0) return -errno;
    return (state.status & STA_UNSYNC) == 0;
}
