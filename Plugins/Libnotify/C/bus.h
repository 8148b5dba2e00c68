/*
 * The session bus and the owner of org.freedesktop.Notifications on it, watched and asked asynchronously on the worker's
 * context: libnotify itself asks nothing without blocking for up to 25 seconds, so it is called only when the server has just
 * answered a question.
 */
#ifndef BELFRY_LIBNOTIFY_BUS_H
#define BELFRY_LIBNOTIFY_BUS_H

#include "worker.h"

/* Begins to connect, if there is a bus at all; never autolaunches one. */
void belfry_libnotify_bus_connect(ln_worker *worker);

/*
 * Whether a server is there, known, and answered a moment ago. Where not, begins what is missing (a connection, the
 * server's activation, a question), says so for calls that run out of time, and answers false; the worker asks again after the
 * next event. What can't be had fails all waiting calls.
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

#endif
