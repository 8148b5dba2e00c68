/* Detects the end of a process that is not a child of this one (pidfd). */
#define _GNU_SOURCE
#include "belfry_clock.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int belfry_clock_process_open(int process) {
    /* glibc has a wrapper only since 2.36. The descriptor is close-on-exec. */
    long descriptor = syscall(SYS_pidfd_open, process, 0);
    return descriptor < 0 ? -errno : (int)descriptor;
}
