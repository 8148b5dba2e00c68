#include "shown.h"

#include <string.h>

/* Some servers never report a closing. Beyond this number the oldest notice is dropped, and its responses are lost. */
#define SHOWN_LIMIT 2048u

static void free_shown(gpointer data) {
    ln_shown *shown = data;
    g_free(shown->request_identifier);
    g_free(shown->activation_token);
    g_ptr_array_unref(shown->actions);
    g_free(shown);
}

void belfry_libnotify_shown_init(ln_shown_table *table, belfry_plugin_instance *instance) {
    table->instance = instance;
    table->by_id = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_shown);
    g_queue_init(&table->order);
}

void belfry_libnotify_shown_free(ln_shown_table *table) { g_hash_table_unref(table->by_id); }

void belfry_libnotify_shown_clear(ln_shown_table *table) {
    g_hash_table_remove_all(table->by_id);
    g_queue_init(&table->order);
}

static void remove_shown(ln_shown_table *table, ln_shown *shown) {
    g_queue_unlink(&table->order, &shown->link);
    g_hash_table_remove(table->by_id, GUINT_TO_POINTER(shown->server_id));
}

void belfry_libnotify_shown_add(ln_shown_table *table, uint32_t server_id, const ln_notice *notice) {
    ln_shown *before = g_hash_table_lookup(table->by_id, GUINT_TO_POINTER(server_id));
    if (before != NULL) remove_shown(table, before);
    ln_shown *shown = g_new0(ln_shown, 1);
    shown->server_id = server_id;
    shown->request_identifier = g_strdup(notice->request_identifier);
    shown->actions = g_ptr_array_ref(notice->actions);
    shown->link.data = shown;
    g_hash_table_insert(table->by_id, GUINT_TO_POINTER(server_id), shown);
    g_queue_push_tail_link(&table->order, &shown->link);
    if (table->order.length <= SHOWN_LIMIT) return;
    ln_shown *oldest = g_queue_peek_head(&table->order);
    belfry_libnotify_log(
        table->instance, BELFRY_LOG_WARNING,
        "More than %u notices are open; responses to the oldest, `%s`, are no longer received.", SHOWN_LIMIT,
        oldest->request_identifier);
    remove_shown(table, oldest);
}

static void report(const ln_shown_table *table, const ln_shown *shown, belfry_event event) {
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = shown->server_id,
        .server_instance = belfry_libnotify_borrow(table->server_instance)};
    event.struct_size = sizeof event;
    event.receipt = &receipt;
    event.request_identifier = belfry_libnotify_borrow(shown->request_identifier);
    belfry_libnotify_emit(table->instance, &event);
}

/* ---- The server's signals -------------------------------------------------------------------------------------- */

static void closed(ln_shown_table *table, ln_shown *shown, uint32_t reason) {
    belfry_event event = {.kind = BELFRY_EVENT_CLOSED, .raw_close_reason = reason};
    event.close_reason = reason >= 1 && reason <= 3 ? reason : BELFRY_CLOSED_UNDEFINED;
    report(table, shown, event);
    remove_shown(table, shown);
}

/* Reports that the action with this key was chosen, if there is one. */
static void chosen(ln_shown_table *table, ln_shown *shown, const char *key, belfry_event event) {
    for (guint i = 0; i < shown->actions->len; i++) {
        const ln_action *action = g_ptr_array_index(shown->actions, i);
        if (strcmp(action->key, key) != 0) continue;
        event.action_identifier = belfry_libnotify_borrow(action->identifier);
        event.activation_token = belfry_libnotify_borrow(shown->activation_token);
        report(table, shown, event);
        g_clear_pointer(&shown->activation_token, g_free);
        return;
    }
}

static void said(ln_shown_table *table, ln_shown *shown, const char *member, const char *text) {
    if (strcmp(member, "ActivationToken") == 0) {
        g_free(shown->activation_token);
        shown->activation_token = g_strdup(text);
    } else if (strcmp(member, "ActionInvoked") == 0) {
        chosen(table, shown, text, (belfry_event){.kind = BELFRY_EVENT_ACTION});
    } else if (strcmp(member, "NotificationReplied") == 0) {
        belfry_event event = {.kind = BELFRY_EVENT_REPLY, .text = belfry_libnotify_borrow(text)};
        chosen(table, shown, LN_REPLY_KEY, event);
    }
}

void belfry_libnotify_shown_take(ln_shown_table *table, GDBusMessage *signal) {
    const char *member = g_dbus_message_get_member(signal);
    GVariant *arguments = g_dbus_message_get_body(signal);
    if (arguments == NULL || !g_variant_is_of_type(arguments, G_VARIANT_TYPE("(u?)"))) return;
    guint32 server_id, reason;
    const char *text;
    g_variant_get_child(arguments, 0, "u", &server_id);
    ln_shown *shown = g_hash_table_lookup(table->by_id, GUINT_TO_POINTER(server_id));
    if (shown == NULL) return;
    if (g_variant_is_of_type(arguments, G_VARIANT_TYPE("(us)"))) {
        g_variant_get_child(arguments, 1, "&s", &text);
        said(table, shown, member, text);
    } else if (g_variant_is_of_type(arguments, G_VARIANT_TYPE("(uu)")) && strcmp(member, "NotificationClosed") == 0) {
        g_variant_get_child(arguments, 1, "u", &reason);
        closed(table, shown, reason);
    }
}
