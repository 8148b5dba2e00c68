/*
 * The session bus, the owner of org.freedesktop.Notifications on it, and the owner's signals. All are watched and
 * queried asynchronously on the worker's context. libnotify's own queries block for up to 25 seconds, so it is called
 * only when the server has just replied.
 */
#ifndef BELFRY_LIBNOTIFY_BUS_H
#define BELFRY_LIBNOTIFY_BUS_H

#include "worker.h"

#define LN_NAME "org.freedesktop.Notifications"
#define LN_PATH "/org/freedesktop/Notifications"
#define LN_INTERFACE "org.freedesktop.Notifications"

/* ---- The bus (bus.c) ------------------------------------------------------------------------------------------- */

/* Begins to connect, if there is a bus; never autolaunches one. */
void belfry_libnotify_bus_connect(ln_worker *worker);

/*
 * Whether a server is running, known, and has just replied. If not, begins the missing step (a connection, the server's
 * activation, a query), records it for calls that time out, and returns false. The worker tries again after the next
 * event. If the step is impossible, all waiting calls fail.
 */
bool belfry_libnotify_bus_is_ready(ln_worker *worker);

/* Whether the receipt's server is certainly gone. False as long as the current server is unknown. */
bool belfry_libnotify_bus_is_void(const ln_worker *worker, const char *server_instance);

/* Checks whether the connection broke. If so, everything that depended on it is void. */
void belfry_libnotify_bus_check(ln_worker *worker);

/* Releases everything. After it only the callbacks of calls that are still pending run. */
void belfry_libnotify_bus_release(ln_worker *worker);

/* The status that an error of GDBus or of the server has for the host. */
belfry_status belfry_libnotify_bus_status_of(const GError *error);

/* ---- The owner of the name (owner.c) --------------------------------------------------------------------------- */

/* Starts watching the owner on a new connection. */
void belfry_libnotify_owner_watch(ln_worker *worker);

/* Stops watching, for a connection that is closed or released. Replies that are still pending on it are ignored. */
void belfry_libnotify_owner_unwatch(ln_worker *worker);

/*
 * Records the owner (NULL: none). A different owner makes every receipt void. `status` reports what went away: the
 * server or the whole bus.
 */
void belfry_libnotify_owner_set(ln_worker *worker, const char *owner, belfry_status status);

/*
 * Queries the server's identity and capabilities, or only whether it replies. Activates a server if none runs.
 * Does nothing while a query is pending.
 */
void belfry_libnotify_owner_ask(ln_worker *worker);

/* ---- The server's signals (signals.c) -------------------------------------------------------------------------- */

/* Starts watching on a new connection, and stops for one that is released. */
void belfry_libnotify_signals_watch(ln_worker *worker);
void belfry_libnotify_signals_unwatch(ln_worker *worker);

/* Reports received signals: all, or only those before the reply to the last Notify, which the caller has. */
void belfry_libnotify_signals_take(ln_worker *worker, bool until_reply);

#endif
