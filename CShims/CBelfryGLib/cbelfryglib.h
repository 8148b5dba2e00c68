/*
 * GLib's main loop for Swift, and libdispatch's main queue for a foreign main loop. The module is not named CGLib
 * because GTK bindings for Swift use that name.
 */
#ifndef BELFRY_CGLIB_H
#define BELFRY_CGLIB_H

#include <glib-unix.h>
#include <glib.h>
#include <sys/types.h>

/*
 * libdispatch exports both functions for CoreFoundation's run loop ("4CF"), but Swift's headers declare neither: see
 * private/private.h and src/queue.c of swift-corelibs-libdispatch.
 */

/* Returns a nonblocking eventfd that libdispatch adds to when the main queue has work. Never close it. */
int _dispatch_get_main_queue_handle_4CF(void);

/* Runs the main queue's current work. Must be called on the main thread: on another one it ends the process. Work
 * queued meanwhile makes the descriptor readable again. A nested call does nothing. */
void _dispatch_main_queue_callback_4CF(void *unused);

/* glibc declares it only if _GNU_SOURCE is defined first, which an importing compiler can't be made to do. */
extern pid_t gettid(void);

#endif
