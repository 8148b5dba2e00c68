/*
 * One running plug-in, as all its threads see it.
 *
 * Three kinds of threads use it: the host's threads, which call in; the worker, the only thread that uses GLib's main
 * context and libnotify; the keeper, which completes calls that time out, since the worker may be blocked in libnotify.
 * All fields are guarded by `lock` unless a comment states otherwise. No lock is held while the host is called.
 */
#ifndef BELFRY_LIBNOTIFY_INSTANCE_H
#define BELFRY_LIBNOTIFY_INSTANCE_H

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "belfry_plugin.h"
#include "calls.h"

/* Copies the fields that the sender filled in of a struct, and zeros the rest: see the header, section 6. */
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
    GMainContext *context; /* the worker's; other threads only wake it */
    pthread_t worker, keeper;

    pthread_mutex_t lock;
    /* CLOCK_MONOTONIC; a call came or ended, a callback returned, the worker ended, stop began */
    pthread_cond_t changed;
    unsigned references;    /* the host's and the worker's */

    bool is_stopping; /* no new calls */
    bool worker_has_ended;
    bool is_silent;           /* no further callback */
    unsigned callbacks_inside; /* callbacks of the host that are running now */

    GQueue open_calls;            /* of ln_call *: the ones not completed, in the order of their deadlines */
    GQueue jobs;                  /* of ln_call *: not yet fetched by the worker, which then owns them */
    belfry_status waiting_status; /* the status of a call that times out now, */
    char *waiting_message;        /* and its message */
};

#endif
