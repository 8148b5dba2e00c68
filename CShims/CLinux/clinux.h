/*
 * Linux for Swift: what Swift's Glibc module doesn't import.
 */
#ifndef BELFRY_CLINUX_H
#define BELFRY_CLINUX_H

#include <linux/memfd.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <unistd.h>

/* Swift doesn't import functions with variable arguments. Each returns -1 and sets errno on failure. */

/*
 * Creates a descriptor that becomes readable only when a process ends (pidfd_open(2)). It refers to the same process
 * even if its number is reused later. glibc has a wrapper since 2.36. The caller closes it.
 */
static inline int belfry_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/*
 * Creates an empty file in memory that others can seal (memfd_create(2)). glibc declares its wrapper only with
 * _GNU_SOURCE, which an importing compiler can't be made to define. The caller closes the descriptor.
 */
static inline int belfry_memory_file(void) {
    return (int)syscall(SYS_memfd_create, "belfry", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

/*
 * Lowers the soft limit of a resource of another process (prlimit(2)), of which glibc's wrapper is declared only with
 * _GNU_SOURCE, too. A lower one stays.
 */
static inline int belfry_lower_limit(pid_t process, int resource, uint64_t soft) {
    uint64_t limits[2]; /* The soft one and the hard one. */
    if (syscall(SYS_prlimit64, process, resource, NULL, limits) == -1) return -1;
    if (limits[0] <= soft) return 0;
    limits[0] = soft;
    return (int)syscall(SYS_prlimit64, process, resource, limits, NULL);
}

/* Names the calling thread for debuggers and ps(1). `name` is UTF-8 and borrowed; bytes after the 15th are cut. */
static inline int belfry_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/* Swift refuses global variables of C. Returns the environment of this process (environ(7)); borrowed. */
static inline char **belfry_environment(void) { return __environ; }

#endif
