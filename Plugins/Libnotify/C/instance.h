/*
 * One running plug-in, as all its threads see it.
 *
 * Three kinds of threads meet here: the host's, which call in; the worker, the one thread that touches GLib's main
 * context and libnotify; the keeper, which completes calls whose time is up, since the worker may be stuck in
 * libnotify. All fields are guarded by `lock` unless a comment says otherwise. No lock is held while the host is
 * called.
 */
#ifndef BELFRY_LIBNOTIFY_INSTANCE_H
#define BELFRY_LIBNOTIFY_INSTANCE_H

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "belfry_plugin.h"
#include "calls.h"

/* Copies what the sender filled in of a struct, and zeros the rest: see the header, section 6. */
#define LN_READ(target, source)                                                                            \
    do {                                                                                                   \
        memset(&(target), 0, sizeof(target));                                                              \
        memcpy(&(target), (source), MIN((size_t)(source)->struct_size, sizeof(target)));                   \
    } while (0)

struct belfry_plugin_instance {
    /* Set by start, constant afterwards. */
    belfry_host host;
    char *app_name, *desktop_entry;
    uint32_t call_timeout_ms, stop_timeout_ms;
    GMainContext *context; /* the worker's; other threads only wake it up */
    pthread_t worker, keeper;

    pthread_mutex_t lock;
    /* CLOCK_MONOTONIC; a call came or ended, a callback returned, the worker ended, stop began */
    pthread_cond_t changed;
    unsigned references;    /* the host's and the worker's */

    bool is_stopping; /* no new calls */
    bool worker_has_ended;
    bool is_silent;           /* no further callback */
    unsigned callbacks_inside; /* of the host, running now */

    GQueue open_calls;            /* of ln_call *: unanswered ones, in the order of their deadlines */
    GQueue jobs;                  /* of ln_call *: what the worker has yet to take, and then owns */
    belfry_status waiting_status; /* what a call is completed with when its time is up now, */
    char *waiting_message;        /* and why */
};

#endif
