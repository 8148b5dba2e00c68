/* Stands between SQLite (and Swift) and libc: a program's own symbols are found before those of its libraries. */
#define _GNU_SOURCE
#include "faulty_system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

static atomic_int calls_left;
static atomic_int failing_with;
static atomic_int fails_forever;
static atomic_int failures;

void faulty_system_arm(int n, int error, int forever) {
    atomic_store(&failures, 0);
    atomic_store(&failing_with, error);
    atomic_store(&fails_forever, forever);
    atomic_store(&calls_left, n);
}

int faulty_system_failures(void) { return atomic_load(&failures); }

/* 1 where this call is to fail; errno is set then. */
static int fails(void) {
    int left = atomic_load(&calls_left);
    if (left == 0) return 0;
    if (left > 1) {
        atomic_store(&calls_left, left - 1);
        return 0;
    }
    if (!atomic_load(&fails_forever)) atomic_store(&calls_left, 0);
    atomic_fetch_add(&failures, 1);
    errno = atomic_load(&failing_with);
    return 1;
}

/* ISO C knows no pointer from data to function; POSIX does. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A thread is woken through an eventfd, which no disk makes fail. */
static int is_on_disk(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

/* Standard output is where the test is told what happened. */
ssize_t write(int fd, const void *bytes, size_t count) {
    if (fd > 2 && is_on_disk(fd) && fails()) return -1;
    return REAL(write)(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    if (fails()) return -1;
    return REAL(pwrite)(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    if (fails()) return -1;
    return REAL(pwrite64)(fd, bytes, count, offset);
}

int fsync(int fd) { return fails() ? -1 : REAL(fsync)(fd); }

int fdatasync(int fd) { return fails() ? -1 : REAL(fdatasync)(fd); }

int ftruncate(int fd, off_t size) { return fails() ? -1 : REAL(ftruncate)(fd, size); }

int ftruncate64(int fd, off64_t size) { return fails() ? -1 : REAL(ftruncate64)(fd, size); }

int rename(const char *from, const char *to) { return fails() ? -1 : REAL(rename)(from, to); }

int mkdir(const char *path, mode_t mode) { return fails() ? -1 : REAL(mkdir)(path, mode); }

static mode_t mode_of(int flags, va_list rest) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    if ((flags & O_ACCMODE) != O_RDONLY && fails()) return -1;
    return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    if ((flags & O_ACCMODE) != O_RDONLY && fails()) return -1;
    return REAL(open64)(path, flags, mode);
}
