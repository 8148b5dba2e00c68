/*
 * A terminal in single-key mode, which is restored whatever happens.
 *
 * The signal handler below may run on any thread at any time. It only uses atomic variables, and those that are written
 * before `is_held` is set. It only calls functions that signal-safety(7) lists.
 */
#define _GNU_SOURCE
#include "belfry_console.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_held = 0;
static int held_terminal = -1;
static atomic_int continued = -1; /* an eventfd, never closed, because the handler may use it at any time */
static struct termios original, single_keys;

/* All that stop or end a process and can be handled, crashes among them. */
static const int hooked_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGABRT, SIGSEGV, SIGBUS,
                                     SIGILL,  SIGTRAP, SIGFPE,  SIGSYS,  SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};
enum { hooked_count = sizeof hooked_signals / sizeof *hooked_signals };

int belfry_console_is_in_front(int terminal) {
    pid_t group = tcgetpgrp(terminal);
    /* A terminal of another session has no job control here. */
    return group < 0 || group == getpgrp();
}

/* In the background, tcsetattr would stop the process (SIGTTOU), and disturb the foreground process. */
static int apply(const struct termios *settings) {
    if (!belfry_console_is_in_front(held_terminal)) return -EPERM;
    return tcsetattr(held_terminal, TCSANOW, settings) < 0 ? -errno : 0;
}

static void on_signal(int number);

static void hook(int number) {
    struct sigaction current, ours;
    if (sigaction(number, NULL, &current) < 0) return;
    if ((current.sa_flags & SA_SIGINFO) || current.sa_handler != SIG_DFL) return;
    ours.sa_handler = on_signal;
    ours.sa_flags = SA_RESTART;
    sigemptyset(&ours.sa_mask);
    sigaction(number, &ours, NULL);
}

static void unhook(int number) {
    struct sigaction current, usual;
    if (sigaction(number, NULL, &current) < 0) return;
    if ((current.sa_flags & SA_SIGINFO) || current.sa_handler != on_signal) return;
    usual.sa_handler = SIG_DFL;
    usual.sa_flags = 0;
    sigemptyset(&usual.sa_mask);
    sigaction(number, &usual, NULL);
}

/* Performs a signal's default action inside its handler. Returns if the process survives it. */
static void do_as_usual(int number) {
    sigset_t one, before;
    unhook(number);
    raise(number);
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_signal(int number) {
    int error = errno;
    if (number == SIGCONT) {
        uint64_t once = 1;
        if (is_held) apply(&single_keys);
        /* If it is full, a check is pending anyway. */
        if (continued >= 0 && write(continued, &once, sizeof once) < 0) once = 0;
    } else {
        if (is_held) apply(&original);
        do_as_usual(number);
        /* The process was stopped and continued, or the signal had no effect: as for process 1 and orphaned groups. */
        if (is_held) {
            hook(number);
            apply(&single_keys);
        }
    }
    errno = error;
}

static void release(void) {
    is_held = 0;
    for (int index = 0; index < hooked_count; index++) unhook(hooked_signals[index]);
}

static void end_at_exit(void) { belfry_console_keys_end(); }

int belfry_console_keys_begin(int terminal) {
    static int is_registered = 0;
    pthread_mutex_lock(&lock);
    int status = 0;
    if (is_held) {
        status = -EBUSY;
    } else if (tcgetattr(terminal, &original) < 0) {
        status = -errno;
    } else {
        single_keys = original;
        single_keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        /* Don't block if another reader was faster and nothing is left to read. */
        single_keys.c_cc[VMIN] = 0;
        single_keys.c_cc[VTIME] = 0;
        held_terminal = terminal;
        /* After the handler's data: a signal at this moment must be able to restore the terminal. */
        is_held = 1;
        for (int index = 0; index < hooked_count; index++) hook(hooked_signals[index]);
        if (!is_registered) is_registered = atexit(end_at_exit) == 0;
        status = apply(&single_keys);
        if (status < 0) release();
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void belfry_console_keys_end(void) {
    pthread_mutex_lock(&lock);
    if (is_held) {
        apply(&original);
        release();
    }
    pthread_mutex_unlock(&lock);
}

int belfry_console_keys_resume(void) {
    pthread_mutex_lock(&lock);
    int status = is_held ? apply(&single_keys) : 0;
    pthread_mutex_unlock(&lock);
    return status;
}

int belfry_console_keys_continued(void) {
    pthread_mutex_lock(&lock);
    if (continued < 0) continued = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int descriptor = continued;
    pthread_mutex_unlock(&lock);
    return descriptor;
}

static int has_hung_up(int terminal) {
    struct pollfd state = {.fd = terminal, .events = POLLIN};
    return poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

/* Whether a read of 0 bytes means the end: a hang-up, or ^D in line mode. In single-key mode nothing was there. */
static int is_at_end(int terminal) {
    struct termios settings;
    if (has_hung_up(terminal)) return 1;
    return tcgetattr(terminal, &settings) < 0 || (settings.c_lflag & ICANON) != 0;
}

int belfry_console_keys_read(int terminal, unsigned char *buffer, size_t size) {
    sigset_t background, mask;
    struct pollfd state = {.fd = terminal, .events = POLLIN};
    if (poll(&state, 1, 0) == 0) return -EAGAIN;
    sigemptyset(&background);
    sigaddset(&background, SIGTTIN);
    pthread_sigmask(SIG_BLOCK, &background, &mask);
    ssize_t count;
    do count = read(terminal, buffer, size);
    while (count < 0 && errno == EINTR);
    int status = count < 0 ? -errno : (int)count;
    if (count == 0 && !is_at_end(terminal)) status = -EAGAIN;
    /* The process was in the background (POSIX.1-2017, XBD 11.1.4), and may be in front again already. */
    if (status == -EIO && !has_hung_up(terminal)) status = -EPERM;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return status;
}
