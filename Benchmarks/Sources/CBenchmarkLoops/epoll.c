#include "benchmark_loops.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int wait_for_all(int timer, int epoll, const int64_t *deadlines, int64_t *woke, size_t count) {
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event) < 0) return -errno;
    for (size_t index = 0; index < count; index++) {
        struct itimerspec when = {
            .it_value = {.tv_sec = deadlines[index] / 1000000000, .tv_nsec = deadlines[index] % 1000000000},
        };
        if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL) < 0) return -errno;
        for (;;) {
            int ready = epoll_wait(epoll, &event, 1, -1);
            if (ready == 1) break;
            if (ready < 0 && errno != EINTR) return -errno;
        }
        woke[index] = benchmark_boot_nanoseconds();
        uint64_t expirations;
        if (read(timer, &expirations, sizeof expirations) < 0 && errno != EAGAIN) return -errno;
    }
    return 0;
}

int benchmark_epoll_wait(const int64_t *deadlines, int64_t *woke, size_t count) {
    int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (timer < 0) return -errno;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    int result = epoll < 0 ? -errno : wait_for_all(timer, epoll, deadlines, woke, count);
    if (epoll >= 0) close(epoll);
    close(timer);
    return result;
}
