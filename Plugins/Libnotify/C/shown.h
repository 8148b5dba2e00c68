/* The notices that this instance has on the screen, by the server's number. Used by the worker only. */
#ifndef BELFRY_LIBNOTIFY_SHOWN_H
#define BELFRY_LIBNOTIFY_SHOWN_H

#include <gio/gio.h>

#include "instance.h"
#include "notice.h"

typedef struct ln_shown {
    uint32_t server_id;
    char *request_identifier;
    char *activation_token; /* of the action that follows, or NULL */
    GPtrArray *actions;     /* of ln_action * */
    GList link;             /* in the table's order */
} ln_shown;

typedef struct ln_shown_table {
    belfry_plugin_instance *instance;
    const char *server_instance; /* of the server that shows them all; borrowed */
    GHashTable *by_id;           /* server_id → ln_shown *, which it owns */
    GQueue order;                /* oldest first, of ln_shown * */
} ln_shown_table;

void belfry_libnotify_shown_init(ln_shown_table *table, belfry_plugin_instance *instance);

/* Empties the table; closes nothing on the screen. */
void belfry_libnotify_shown_clear(ln_shown_table *table);

void belfry_libnotify_shown_free(ln_shown_table *table);

/* Records that the notice is on the screen under this number, replacing any previous one. */
void belfry_libnotify_shown_add(ln_shown_table *table, uint32_t server_id, const ln_notice *notice);

/* Reports a server's signal to the host if it is about one of these notices. */
void belfry_libnotify_shown_take(ln_shown_table *table, GDBusMessage *signal);

#endif
