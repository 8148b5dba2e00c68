/*
 * GLib's main loop for Swift, and libdispatch's main queue for a main loop that is not its own. The name is not CGLib,
 * since bindings of GTK for Swift bring a module of that name.
 */
#ifndef BELFRY_CGLIB_H
#define BELFRY_CGLIB_H

#include <glib-unix.h>
#include <glib.h>
#include <sys/types.h>

/*
 * libdispatch exports both for CoreFoundation's run loop ("4CF"), and the headers that come with Swift declare neither:
 * see private/private.h and src/queue.c of swift-corelibs-libdispatch.
 */

/* An eventfd (nonblocking) that libdispatch adds to when the main queue has work. Never close it. */
int _dispatch_get_main_queue_handle_4CF(void);

/* Runs what is in the main queue now, on the process's main thread; from another thread it ends the process. What is
 * queued meanwhile makes the descriptor readable again. Within itself it does nothing. */
void _dispatch_main_queue_callback_4CF(void *unused);

/* glibc shows it to those who define _GNU_SOURCE before anything else, which an importing compiler can't be made to. */
extern pid_t gettid(void);

#endif
