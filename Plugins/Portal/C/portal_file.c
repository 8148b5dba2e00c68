#define _GNU_SOURCE
#include "belfry_portal_file.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

int belfry_portal_file(const void *bytes, size_t length) {
    int file = memfd_create("belfry", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    size_t written = 0;
    while (written < length) {
        /* Without moving the position from the start, where the portal reads. */
        ssize_t count = pwrite(file, (const char *)bytes + written, length - written, (off_t)written);
        if (count > 0) {
            written += (size_t)count;
        } else if (count == 0 || errno != EINTR) {
            int error = count < 0 ? errno : EIO;
            close(file);
            errno = error;
            return -1;
        }
    }
    return file;
}
