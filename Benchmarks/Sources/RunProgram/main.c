/*
 * RunProgram COUNT PROGRAM [ARGUMENT …]: runs a program so often, one after the other, and prints the seconds of all runs and
 * the peak resident size of one in bytes.
 *
 * A program of its own, and a small one: a process's peak counts what the one that started it held at that moment.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The peak in bytes, or a negated errno. */
static long long run(char **arguments) {
    pid_t child;
    int status;
    struct rusage usage;
    int failure = posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);
    if (failure) return -failure;
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR) return -errno;
    return WIFEXITED(status) && !WEXITSTATUS(status) ? (long long)usage.ru_maxrss * 1024 : -ECHILD;
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    long long peak = 0;
    double begun = seconds();
    for (long left = strtol(arguments[1], NULL, 10); left > 0; left--) {
        long long held = run(arguments + 2);
        if (held < 0) {
            fprintf(stderr, "%s: %s\n", arguments[2], held == -ECHILD ? "it failed" : strerror((int)-held));
            return 1;
        }
        if (held > peak) peak = held;
    }
    printf("%.6f %lld\n", seconds() - begun, peak);
    return 0;
}
