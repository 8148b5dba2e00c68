#include "benchmark_loops.h"

#include <malloc.h>
#include <time.h>

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t benchmark_boot_nanoseconds(void) { return nanoseconds(CLOCK_BOOTTIME); }

int64_t benchmark_monotonic_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }

int64_t benchmark_thread_nanoseconds(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }

size_t benchmark_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void benchmark_trim(void) { malloc_trim(0); }
