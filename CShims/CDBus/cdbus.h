/*
 * libdbus-1 for Swift. Swift imports almost all of its header; this file adds the rest. The functions with variable
 * arguments are not needed: messages are written as bytes and read through iterators.
 */
#ifndef BELFRY_CDBUS_H
#define BELFRY_CDBUS_H

#include <dbus/dbus.h>

/* The type codes of containers: DBUS_TYPE_… are macros with a cast, which Swift doesn't import. */
enum {
    BELFRY_DBUS_INVALID = DBUS_TYPE_INVALID,
    BELFRY_DBUS_BYTE = DBUS_TYPE_BYTE,
    BELFRY_DBUS_ARRAY = DBUS_TYPE_ARRAY,
    BELFRY_DBUS_VARIANT = DBUS_TYPE_VARIANT,
    BELFRY_DBUS_UNIX_FD = DBUS_TYPE_UNIX_FD
};

/* glibc declares it only if _GNU_SOURCE is defined first, which an importing compiler can't be made to do. The
 * environment owns the value. NULL if it isn't set, and in a program with raised privileges. */
extern char *secure_getenv(const char *name);

static inline const char *belfry_dbus_environment(const char *name) { return secure_getenv(name); }

#endif
