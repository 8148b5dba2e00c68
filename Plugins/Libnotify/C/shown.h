/* The notices on the screen that this instance has put there, by the server's number. The worker's alone. */
#ifndef BELFRY_LIBNOTIFY_SHOWN_H
#define BELFRY_LIBNOTIFY_SHOWN_H

#include <gio/gio.h>

#include "instance.h"
#include "notice.h"

typedef struct ln_shown {
    uint32_t server_id;
    char *request_identifier;
    char *activation_token; /* of the action that is to follow, or NULL */
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

/* Empties it; nothing is closed on the screen. */
void belfry_libnotify_shown_clear(ln_shown_table *table);

void belfry_libnotify_shown_free(ln_shown_table *table);

/* The notice is on the screen under this number now, in the place of whatever had it. */
void belfry_libnotify_shown_add(ln_shown_table *table, uint32_t server_id, const ln_notice *notice);

/* Reports to the host what a signal of the server's says, where it is about one of these. */
void belfry_libnotify_shown_take(ln_shown_table *table, GDBusMessage *signal);

#endif
