/* Who owns org.freedesktop.Notifications: watched, started where nobody does, asked what it can and whether it lives. */
#ifndef BELFRY_LIBNOTIFY_OWNER_H
#define BELFRY_LIBNOTIFY_OWNER_H

#include "worker.h"

#define LN_NAME "org.freedesktop.Notifications"
#define LN_PATH "/org/freedesktop/Notifications"
#define LN_INTERFACE "org.freedesktop.Notifications"

/* Subscribes to changes of owner, and asks who the owner is. For a new connection. */
void belfry_libnotify_owner_watch(ln_worker *worker);

/* For a connection that is let go, or gone: what was asked on it is nobody's answer any more. */
void belfry_libnotify_owner_unwatch(ln_worker *worker);

/*
 * Takes note of the owner (NULL: nobody). Another one than before makes every receipt void, and `status` says why it
 * went: the server or the whole bus.
 */
void belfry_libnotify_owner_set(ln_worker *worker, const char *owner, belfry_status status);

/* Each begins what its name says, and does nothing while it is under way. */
void belfry_libnotify_owner_find(ln_worker *worker);
void belfry_libnotify_owner_activate(ln_worker *worker);
void belfry_libnotify_owner_ask(ln_worker *worker);

#endif
