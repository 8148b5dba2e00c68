/*
 * belfry_libnotify.h: the libnotify plug-in, linked in.
 *
 * One instance per process: libnotify keeps global state without locks. No other code in the process may call libnotify
 * while an instance runs. The plug-in must not also be loaded from a file.
 *
 * Effect on the process: it uses the shared session bus connection, as libnotify does, and turns off that connection's
 * exit-on-close. Otherwise GDBus would end the process when the bus goes away.
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
