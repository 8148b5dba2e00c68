/* inotify: changes of files, such as the system's time zone. */
#define _GNU_SOURCE
#include "belfry_clock.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

int belfry_clock_watch_open(void) {
    int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int belfry_clock_watch_add_directory(int watch, const char *path) {
    /* IN_CREATE as well: a symbolic link such as /etc/localtime is created, never written and closed.
     * IN_ATTRIB: a file may become readable. */
    int number = inotify_add_watch(watch, path,
                                   IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                       IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
    return number < 0 ? -errno : number;
}

int belfry_clock_watch_remove(int watch, int number) {
    return inotify_rm_watch(watch, number) < 0 ? -errno : 0;
}

static bool is_one_of(const char *name, const char *names) {
    size_t length = strlen(name);
    while (names != NULL && *names != '\0') {
        size_t candidate = strcspn(names, "/");
        if (candidate == length && memcmp(names, name, length) == 0) return true;
        names += candidate;
        names += strspn(names, "/");
    }
    return false;
}

static int meaning(const struct inotify_event *event, const char *names) {
    /* IN_IGNORED follows each of the others, and the caller's own removal of a watch. */
    if (event->mask & (IN_Q_OVERFLOW | IN_UNMOUNT | IN_DELETE_SELF | IN_MOVE_SELF)) return BELFRY_CLOCK_WATCH_LOST;
    if (event->len > 0 && is_one_of(event->name, names)) return BELFRY_CLOCK_WATCH_NAMED;
    return BELFRY_CLOCK_WATCH_OTHER;
}

int belfry_clock_watch_read(int watch, const char *names) {
    _Alignas(struct inotify_event) char buffer[16384];
    int result = 0;
    for (;;) {
        ssize_t length = read(watch, buffer, sizeof buffer);
        if (length < 0) {
            if (errno == EINTR) continue;
            return errno == EAGAIN ? result : -errno;
        }
        for (ssize_t offset = 0; offset + (ssize_t)sizeof(struct inotify_event) <= length;) {
            const struct inotify_event *event = (const void *)(buffer + offset);
            result |= meaning(event, names);
            offset += (ssize_t)(sizeof *event + event->len);
        }
    }
}
