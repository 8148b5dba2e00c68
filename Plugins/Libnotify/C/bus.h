/*
 * The session bus, who owns org.freedesktop.Notifications on it, and what the owner says: watched and asked
 * asynchronously on the worker's context. libnotify itself asks nothing without blocking for up to 25 seconds, so it is
 * called only when the server has just answered a question.
 */
#ifndef BELFRY_LIBNOTIFY_BUS_H
#define BELFRY_LIBNOTIFY_BUS_H

#include "worker.h"

#define LN_NAME "org.freedesktop.Notifications"
#define LN_PATH "/org/freedesktop/Notifications"
#define LN_INTERFACE "org.freedesktop.Notifications"

/* ---- The bus (bus.c) ------------------------------------------------------------------------------------------- */

/* Begins to connect, if there is a bus at all; never autolaunches one. */
void belfry_libnotify_bus_connect(ln_worker *worker);

/*
 * Whether a server is there, known, and answered a moment ago. Where not, begins what is missing (a connection, the
 * server's activation, a question), says so for calls that run out of time, and answers false; the worker asks again
 * after the next event. What can't be had fails all waiting calls.
 */
bool belfry_libnotify_bus_is_ready(ln_worker *worker);

/* Whether the receipt's server is certainly gone. False as long as nobody knows. */
bool belfry_libnotify_bus_is_void(const ln_worker *worker, const char *server_instance);

/* Looks whether the connection broke; then everything that depended on it is void. */
void belfry_libnotify_bus_check(ln_worker *worker);

/* Gives everything back. No callback comes after it but those of calls that are still pending. */
void belfry_libnotify_bus_release(ln_worker *worker);

/* What an error of GDBus or of the server means to the host. */
belfry_status belfry_libnotify_bus_status_of(const GError *error);

/* ---- The owner of the name (owner.c) --------------------------------------------------------------------------- */

/* For a new connection. */
void belfry_libnotify_owner_watch(ln_worker *worker);

/* For a connection that is let go, or gone: what was asked on it is nobody's answer any more. */
void belfry_libnotify_owner_unwatch(ln_worker *worker);

/*
 * Takes note of the owner (NULL: nobody). Another one than before makes every receipt void, and `status` says why it
 * went: the server or the whole bus.
 */
void belfry_libnotify_owner_set(ln_worker *worker, const char *owner, belfry_status status);

/*
 * Asks who it is and what it can, or only whether it lives; starts one where there is none. Nothing while it is asked.
 */
void belfry_libnotify_owner_ask(ln_worker *worker);

/* ---- What it says (signals.c) ---------------------------------------------------------------------------------- */

/* For a new connection, and one that is let go. */
void belfry_libnotify_signals_watch(ln_worker *worker);
void belfry_libnotify_signals_unwatch(ln_worker *worker);

/* Reports what has come: all of it, or what came before the reply to the last Notify, which the caller has. */
void belfry_libnotify_signals_take(ln_worker *worker, bool until_reply);

#endif
