/* Writing with a timeout and without SIGPIPE. */
#define _GNU_SOURCE
#include "belfry_console.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/*
 * Returns an own, nonblocking description of a terminal, which the caller closes; negative if `descriptor` is no
 * terminal, is nonblocking already or can't be opened again.
 *
 * poll(2) reports any room in a terminal, and a newline may take two bytes (ONLCR), so that writing one byte may block.
 * The given description may be shared with other processes (the shell), so it must not be made nonblocking.
 */
static int open_nonblocking(int descriptor) {
    char path[40];
    int number;
    if (!isatty(descriptor) || (fcntl(descriptor, F_GETFL) & O_NONBLOCK)) return -1;
    /* Opening a master again would create another pseudoterminal (pts(4)). */
    if (ioctl(descriptor, TIOCGPTN, &number) == 0) return -1;
    /* /proc/self/fd is empty after the end of the first thread, which dispatch_main causes. */
    snprintf(path, sizeof path, "/proc/thread-self/fd/%d", descriptor);
    return open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

/*
 * How many bytes can be written without blocking when poll(2) reports room: PIPE_BUF for a pipe (pipe(7)), any number
 * for a file and for what is nonblocking. A terminal that can't be opened again may block; a small portion makes that
 * less likely.
 */
static size_t portion(int descriptor, mode_t mode) {
    if (S_ISREG(mode) || (fcntl(descriptor, F_GETFL) & O_NONBLOCK)) return SIZE_MAX;
    return S_ISFIFO(mode) ? PIPE_BUF : 256;
}

static int write_all(int descriptor, const unsigned char *bytes, size_t length, int timeout_ms, size_t *ret_written) {
    struct stat status;
    if (fstat(descriptor, &status) < 0) return -errno;
    size_t most = portion(descriptor, status.st_mode);
    int64_t deadline = now_ms() + timeout_ms;
    while (*ret_written < length) {
        int64_t left = deadline - now_ms();
        struct pollfd room = {.fd = descriptor, .events = POLLOUT, .revents = 0};
        int ready = poll(&room, 1, left > 0 ? (int)left : 0);
        if (ready < 0 && errno != EINTR) return -errno;
        if (ready == 0) return -ETIMEDOUT;
        if (ready < 0) continue;
        /* There is room again, but the process was stopped (SIGSTOP) for longer: the caller repeats all of it. */
        if (*ret_written == 0 && now_ms() >= deadline) return -ETIMEDOUT;
        size_t rest = length - *ret_written;
        size_t count = rest < most ? rest : most;
        ssize_t written = S_ISSOCK(status.st_mode)
            ? send(descriptor, bytes + *ret_written, count, MSG_DONTWAIT | MSG_NOSIGNAL)
            : write(descriptor, bytes + *ret_written, count);
        if (written >= 0) *ret_written += (size_t)written;
        else if (errno == EAGAIN && left <= 0) return -ETIMEDOUT;
        else if (errno == EAGAIN) poll(NULL, 0, 10); /* Too little room, or another writer has the terminal. */
        else if (errno != EINTR) return -errno;
    }
    return 0;
}

int belfry_console_write(int descriptor, const unsigned char *bytes, size_t length, int timeout_ms, size_t *ret_written) {
    sigset_t pipe_signal, mask, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &mask);
    *ret_written = 0;
    int own = open_nonblocking(descriptor);
    int status = write_all(own >= 0 ? own : descriptor, bytes, length, timeout_ms, ret_written);
    if (own >= 0) close(own);
    if (status == -EPIPE && !sigismember(&pending, SIGPIPE)) {
        /* The kernel sends SIGPIPE to the writing thread, where it is pending while blocked: consume it. */
        const struct timespec at_once = {0, 0};
        while (sigtimedwait(&pipe_signal, NULL, &at_once) < 0 && errno == EINTR) continue;
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return status;
}
