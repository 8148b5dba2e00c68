/*
 * belfry_libnotify.h: the libnotify plug-in, linked in.
 *
 * One instance per process: libnotify keeps global state without locks. No other code of the process may call libnotify while
 * an instance runs, and the plug-in must not be loaded from a file beside the linked one.
 *
 * What it does to the process: it uses the process's shared session bus connection, since libnotify does, and turns that
 * connection's exit-on-close off: GDBus would end the process when the bus goes away.
 */
#ifndef BELFRY_LIBNOTIFY_H
#define BELFRY_LIBNOTIFY_H

#include "belfry_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The plug-in's descriptor: static, never freed. */
const belfry_plugin_descriptor *belfry_libnotify_descriptor(void);

#ifdef __cplusplus
}
#endif

#endif
