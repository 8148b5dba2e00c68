#define _GNU_SOURCE
#include "belfry_portal_file.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

int belfry_portal_file(const void *bytes, size_t length) {
    const char *rest = bytes;
    int file = memfd_create("belfry", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    while (length > 0) {
        ssize_t count = write(file, rest, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            int error = count < 0 ? errno : EIO;
            close(file);
            errno = error;
            return -1;
        }
        rest += count;
        length -= (size_t)count;
    }
    if (lseek(file, 0, SEEK_SET) < 0) {
        int error = errno;
        close(file);
        errno = error;
        return -1;
    }
    return file;
}
