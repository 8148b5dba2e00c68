/*
 * libdbus-1 for Swift. Swift imports almost all of its header; this file adds the rest. The functions with variable
 * arguments are not needed: messages are written as bytes and read through iterators.
 */
#ifndef BELFRY_CDBUS_H
#define BELFRY_CDBUS_H

#include <dbus/dbus.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Type codes: DBUS_TYPE_… are macros with a cast, which Swift doesn't import. */
enum {
    BELFRY_DBUS_INVALID = DBUS_TYPE_INVALID,
    BELFRY_DBUS_BYTE = DBUS_TYPE_BYTE,
    BELFRY_DBUS_UNIX_FD = DBUS_TYPE_UNIX_FD
};

/* glibc declares it only if _GNU_SOURCE is defined first, which an importing compiler can't be made to do. The
 * environment owns the value. NULL if it isn't set, and in a program with raised privileges. */
extern char *secure_getenv(const char *name);

static inline const char *belfry_dbus_environment(const char *name) { return secure_getenv(name); }

/* The descriptors of one message at most. A bus accepts 16 by default. */
#define BELFRY_DBUS_DESCRIPTORS 16

/*
 * Sends bytes, and `count` descriptors with the first of them (unix(7), SCM_RIGHTS). The descriptors are borrowed: the
 * kernel has copies when this returns. Returns the number of bytes sent, or a negated errno. Never blocks, and raises
 * no signal if the other side is gone.
 */
static inline ssize_t belfry_dbus_send(int socket, const void *bytes, size_t length, const int *descriptors,
                                       size_t count) {
    struct iovec part = {(void *)bytes, length};
    struct msghdr message;
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int) * BELFRY_DBUS_DESCRIPTORS)];
    } control;
    if (count > BELFRY_DBUS_DESCRIPTORS) return -EINVAL;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(rights), descriptors, sizeof(int) * count);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

#endif
