/*
 * One running plug-in, as all its threads see it.
 *
 * Three kinds of threads meet here: the host's, which call in; the worker, the one thread that touches GLib's main context
 * and libnotify; the keeper, which completes calls whose time is up, since the worker may be stuck in libnotify. All fields are
 * guarded by `lock` unless a comment says otherwise. No lock is held while the host is called.
 */
#ifndef BELFRY_LIBNOTIFY_INSTANCE_H
#define BELFRY_LIBNOTIFY_INSTANCE_H

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "belfry_plugin.h"
#include "calls.h"

struct belfry_plugin_instance {
    /* Set by start, constant afterwards. */
    belfry_host host;
    char *app_name, *desktop_entry;
    uint32_t call_timeout_ms, stop_timeout_ms;
    GMainContext *context; /* the worker's; other threads only wake it up */
    pthread_t worker, keeper;

    pthread_mutex_t lock;
    pthread_cond_t changed; /* CLOCK_MONOTONIC; a call came or ended, a callback returned, the worker ended, stop began */
    unsigned references;    /* the host's and the worker's */

    bool is_stopping; /* no new calls */
    bool worker_has_ended;
    bool is_silent;           /* no further callback */
    unsigned callbacks_inside; /* of the host, running now */

    ln_call *first_call, *last_call; /* open ones, in the order of their deadlines */
    unsigned open_calls;             /* how many those are */
    GQueue jobs;                     /* of ln_call *: what the worker has yet to take; each holds a reference */
    belfry_status waiting_status;    /* what a call is completed with when its time is up now, */
    char *waiting_message;           /* and why */
};

/* Gives a reference back; frees with the last. */
void belfry_libnotify_instance_release(belfry_plugin_instance *instance);

/* The descriptor's functions. */
belfry_status belfry_libnotify_start(
    const belfry_host *host, const belfry_start_options *options, belfry_plugin_instance **instance);
void belfry_libnotify_stop(belfry_plugin_instance *instance);
void belfry_libnotify_destroy(belfry_plugin_instance *instance);

#endif
