/* The worker: the one thread that runs the main context and calls libnotify. */
#ifndef BELFRY_LIBNOTIFY_WORKER_H
#define BELFRY_LIBNOTIFY_WORKER_H

#include <gio/gio.h>
#include <stdbool.h>

#include "instance.h"
#include "server.h"
#include "shown.h"

/* State that only the worker uses. */
typedef struct ln_worker {
    belfry_plugin_instance *instance;
    GCancellable *questions;   /* of every asynchronous call; canceled when the replies are no longer wanted */
    unsigned pending;          /* asynchronous calls whose callback has not run yet */
    GQueue calls;              /* of ln_call *, fetched from the instance; each holds a reference */

    GDBusConnection *connection; /* or NULL; the process's shared one, which libnotify uses too */
    guint owner_watch, signal_subscription, filter;
    GSource *hang_up;   /* or NULL: wakes the worker when the connection has broken */
    bool is_connecting, is_asking;

    bool owner_is_known;
    char *owner;           /* unique name of the server, or NULL */
    GVariant *information; /* its reply to GetServerInformation while its capabilities are queried, or NULL */
    ln_server *server;     /* the owner's description of itself, or NULL until it has replied */
    gint64 replied_at;    /* monotonic µs of its last reply; 0: none yet */

    GAsyncQueue *messages; /* of GDBusMessage *: see signals.c */
    ln_shown_table shown;
} ln_worker;

/* Runs until stop has begun, then cleans up. */
void belfry_libnotify_worker_run(belfry_plugin_instance *instance);

/* Shows the call's notice and completes the call. Requires a known, running server. May block for 25 seconds. */
void belfry_libnotify_show(ln_worker *worker, ln_call *call);

/* Closes the call's notice and completes the call. Requires a running server and a receipt of it. May block as well. */
void belfry_libnotify_withdraw(ln_worker *worker, ln_call *call);

/* Fails every waiting call. */
void belfry_libnotify_worker_fail_all(ln_worker *worker, belfry_status status, const char *message);

#endif
