/* Any number of descriptors waited for at once (epoll). */
#define _GNU_SOURCE
#include "belfry_clock.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

int belfry_clock_loop_open(void) {
    int descriptor = epoll_create1(EPOLL_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int belfry_clock_loop_add(int loop, int descriptor, uint64_t name) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = EPOLLIN;
    event.data.u64 = name;
    return epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event) < 0 ? -errno : 0;
}

int belfry_clock_loop_remove(int loop, int descriptor) {
    struct epoll_event unused;
    memset(&unused, 0, sizeof unused);
    return epoll_ctl(loop, EPOLL_CTL_DEL, descriptor, &unused) < 0 ? -errno : 0;
}

int belfry_clock_loop_wait(int loop, uint64_t *names, int count, int timeout_ms) {
    struct epoll_event events[16];
    if (count <= 0) return -EINVAL;
    int ready = epoll_wait(loop, events, count < 16 ? count : 16, timeout_ms);
    if (ready < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < ready; i++) names[i] = events[i].data.u64;
    return ready;
}
