/* Waits for any number of descriptors at once (epoll). */
#define _GNU_SOURCE
#include "belfry_clock.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

int belfry_clock_loop_open(void) {
    int descriptor = epoll_create1(EPOLL_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

static int control(int loop, int operation, int descriptor, uint64_t name, int readiness) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    if (readiness & BELFRY_CLOCK_LOOP_READ) event.events |= EPOLLIN;
    if (readiness & BELFRY_CLOCK_LOOP_WRITE) event.events |= EPOLLOUT;
    event.data.u64 = name;
    return epoll_ctl(loop, operation, descriptor, &event) < 0 ? -errno : 0;
}

int belfry_clock_loop_add(int loop, int descriptor, uint64_t name, int readiness) {
    return control(loop, EPOLL_CTL_ADD, descriptor, name, readiness);
}

int belfry_clock_loop_change(int loop, int descriptor, uint64_t name, int readiness) {
    return control(loop, EPOLL_CTL_MOD, descriptor, name, readiness);
}

int belfry_clock_loop_remove(int loop, int descriptor) { return control(loop, EPOLL_CTL_DEL, descriptor, 0, 0); }

int belfry_clock_loop_wait(int loop, belfry_clock_loop_event *events, int count, int timeout_ms) {
    struct epoll_event ready[16];
    if (count <= 0) return -EINVAL;
    int found = epoll_wait(loop, ready, count < 16 ? count : 16, timeout_ms);
    if (found < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < found; i++) {
        uint32_t both = ready[i].events & (EPOLLHUP | EPOLLERR) ? EPOLLIN | EPOLLOUT : 0;
        uint32_t flags = ready[i].events | both;
        events[i].name = ready[i].data.u64;
        events[i].readiness =
            (flags & EPOLLIN ? BELFRY_CLOCK_LOOP_READ : 0) | (flags & EPOLLOUT ? BELFRY_CLOCK_LOOP_WRITE : 0);
    }
    return found;
}
