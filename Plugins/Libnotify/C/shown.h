/* The notices on the screen that this instance has put there, by the server's number. The worker's alone. */
#ifndef BELFRY_LIBNOTIFY_SHOWN_H
#define BELFRY_LIBNOTIFY_SHOWN_H

#include <glib.h>
#include <libnotify/notify.h>
#include <stdbool.h>

#include "instance.h"
#include "notice.h"

typedef struct ln_shown {
    belfry_plugin_instance *instance;
    NotifyNotification *object; /* the one reference; given back when the notice is closed, replaced or void */
    uint32_t server_id;
    char *server_instance;
    char *request_identifier;
    GPtrArray *actions; /* of ln_action * */
    struct ln_shown_table *table;
    GList link; /* in table->order */
} ln_shown;

typedef struct ln_shown_table {
    GHashTable *by_id; /* server_id → ln_shown * */
    GQueue order;      /* oldest first, of ln_shown * */
    GPtrArray *closed; /* ln_shown * that are to be freed outside of libnotify's signal handlers */
} ln_shown_table;

void belfry_libnotify_shown_init(ln_shown_table *table);

/* Empties it and frees what it holds; nothing is closed on the screen. */
void belfry_libnotify_shown_clear(ln_shown_table *table);

/*
 * A notice that is about to be shown: takes `object`, and the actions out of `notice`. Not yet in the table. Its
 * callbacks report to the host.
 */
ln_shown *belfry_libnotify_shown_new(
    belfry_plugin_instance *instance, NotifyNotification *object, ln_notice *notice, const char *server_instance);

/* For one that couldn't be shown. */
void belfry_libnotify_shown_free(ln_shown *shown);

/* It is on the screen under its object's number now, in the place of whatever had that number. */
void belfry_libnotify_shown_add(ln_shown_table *table, ln_shown *shown);

/* NULL when there is none. */
ln_shown *belfry_libnotify_shown_find(ln_shown_table *table, uint64_t server_id);

/* Frees what was closed meanwhile. Not to be called from a libnotify callback. */
void belfry_libnotify_shown_sweep(ln_shown_table *table);

/* The server's NotificationReplied, which libnotify doesn't know. */
void belfry_libnotify_shown_reply(ln_shown_table *table, uint32_t server_id, const char *text);

/* For notify_notification_add_action. */
void belfry_libnotify_shown_on_action(NotifyNotification *object, char *key, gpointer shown);

#endif
