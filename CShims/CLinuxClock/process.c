/* Detects the end of a process that is not a child of this one (pidfd), and names threads. */
#define _GNU_SOURCE
#include "belfry_clock.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int belfry_clock_process_open(int process) {
    /* glibc has a wrapper only since 2.36. The descriptor is close-on-exec. */
    long descriptor = syscall(SYS_pidfd_open, process, 0);
    return descriptor < 0 ? -errno : (int)descriptor;
}

int belfry_clock_thread_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0) < 0 ? -errno : 0; }
