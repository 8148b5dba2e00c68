/* A program under ptrace(2), killed at a chosen system call. */
#define _GNU_SOURCE
#include "system_call_tracer.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <linux/ptrace.h>
#include <time.h>
#include <unistd.h>

static int64_t now_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

/* Whether the thread stands at the entry of a system call; `prints`: of a write to standard output. */
static int is_entry(pid_t thread, int *prints) {
    struct ptrace_syscall_info info;
    *prints = 0;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof info, &info) <= 0) return 0;
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return 0;
    *prints = info.entry.nr == SYS_write && info.entry.args[0] == STDOUT_FILENO;
    return 1;
}

/* Only calls that are safe after a fork of a program with threads. */
static void become(const char *const *arguments, int output) {
    dup2(output, STDOUT_FILENO);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0) _exit(126);
    raise(SIGSTOP);
    execv(arguments[0], (char *const *)arguments);
    _exit(127);
}

long system_call_tracer_run(const char *const *arguments, int output, long kill_at, int seconds, int *status) {
    const int64_t deadline = now_seconds() + seconds;
    const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE;
    pid_t program = fork();
    if (program < 0) return -errno;
    if (program == 0) become(arguments, output);

    if (waitpid(program, status, __WALL) < 0) return -errno;
    if (!WIFSTOPPED(*status)) return -EPERM; /* it could not be traced, and has ended */
    if (ptrace(PTRACE_SETOPTIONS, program, NULL, (void *)options) < 0) {
        int reason = errno;
        kill(program, SIGKILL);
        waitpid(program, status, __WALL);
        return -reason;
    }
    ptrace(PTRACE_SYSCALL, program, NULL, NULL);
    long calls = 0;
    int counts = 0, is_killed = 0, is_late = 0;
    for (;;) {
        int state;
        /* Children of this thread alone: those of the others are theirs to wait for. */
        pid_t thread = waitpid(-1, &state, __WALL | __WNOTHREAD | WNOHANG);
        if (thread < 0) return errno == EINTR ? 0 : -errno;
        if (thread == 0) {
            if (!is_killed && now_seconds() >= deadline) {
                is_late = is_killed = 1;
                kill(program, SIGKILL);
            }
            /* Not a wait for time: a bound on the whole needs a look now and then. */
            const struct timespec moment = {0, 20000};
            nanosleep(&moment, NULL);
            continue;
        }
        if (WIFEXITED(state) || WIFSIGNALED(state)) {
            if (thread != program) continue;
            *status = state;
            return is_late ? -ETIMEDOUT : calls;
        }
        int signal = 0;
        if (WSTOPSIG(state) == (SIGTRAP | 0x80)) {
            int prints;
            if (is_entry(thread, &prints)) {
                if (counts) calls++;
                if (prints) counts = 1;
                if (counts && kill_at > 0 && calls == kill_at && !is_killed) {
                    is_killed = 1;
                    kill(program, SIGKILL);
                }
            }
        } else if (state >> 16 == 0 && WSTOPSIG(state) != SIGSTOP && WSTOPSIG(state) != SIGTRAP) {
            signal = WSTOPSIG(state);
        }
        ptrace(PTRACE_SYSCALL, thread, NULL, (void *)(intptr_t)signal);
    }
}
