/* A wake-up from another thread (eventfd). */
#define _GNU_SOURCE
#include "belfry_clock.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

int belfry_clock_signal_open(void) {
    int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int belfry_clock_signal_raise(int signal) {
    const uint64_t one = 1;
    for (;;) {
        if (write(signal, &one, sizeof one) >= 0) return 0;
        if (errno == EAGAIN) return 0; /* the counter is full, so the descriptor is readable already */
        if (errno != EINTR) return -errno;
    }
}

int belfry_clock_signal_clear(int signal) {
    uint64_t count = 0;
    for (;;) {
        if (read(signal, &count, sizeof count) >= 0) return 1;
        if (errno == EAGAIN) return 0;
        if (errno != EINTR) return -errno;
    }
}
