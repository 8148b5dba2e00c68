#include "shown.h"

#include <string.h>

/*
 * Each object costs libnotify a look at every signal, and some servers never say that a notice has gone. Beyond this
 * many the oldest is let go: it stays on the screen, and its answer isn't heard.
 */
#define SHOWN_LIMIT 2048u

void belfry_libnotify_shown_init(ln_shown_table *table) {
    table->by_id = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_queue_init(&table->order);
    table->closed = g_ptr_array_new();
}

static belfry_receipt receipt_of(const ln_shown *shown) {
    return (belfry_receipt){
        .struct_size = sizeof(belfry_receipt), .server_id = shown->server_id,
        .server_instance = belfry_libnotify_borrow(shown->server_instance)};
}

static void report(const ln_shown *shown, belfry_event event) {
    belfry_receipt receipt = receipt_of(shown);
    event.struct_size = sizeof event;
    event.receipt = &receipt;
    event.request_identifier = belfry_libnotify_borrow(shown->request_identifier);
    belfry_libnotify_emit(shown->instance, &event);
}

/* Out of the table; still to be freed. */
static void remove_shown(ln_shown *shown) {
    ln_shown_table *table = shown->table;
    if (table == NULL) return;
    shown->table = NULL;
    g_hash_table_remove(table->by_id, GUINT_TO_POINTER(shown->server_id));
    g_queue_unlink(&table->order, &shown->link);
}

void belfry_libnotify_shown_free(ln_shown *shown) {
    remove_shown(shown);
    g_signal_handlers_disconnect_by_data(shown->object, shown);
    g_object_unref(shown->object);
    g_free(shown->server_instance);
    g_free(shown->request_identifier);
    g_ptr_array_unref(shown->actions);
    g_free(shown);
}

void belfry_libnotify_shown_sweep(ln_shown_table *table) {
    for (guint i = 0; i < table->closed->len; i++) belfry_libnotify_shown_free(g_ptr_array_index(table->closed, i));
    g_ptr_array_set_size(table->closed, 0);
}

void belfry_libnotify_shown_clear(ln_shown_table *table) {
    belfry_libnotify_shown_sweep(table);
    while (!g_queue_is_empty(&table->order)) belfry_libnotify_shown_free(g_queue_peek_head(&table->order));
}

static void on_closed(NotifyNotification *object, gpointer data) {
    ln_shown *shown = data;
    if (shown->table == NULL) return;
    gint raw = notify_notification_get_closed_reason(object);
    belfry_event event = {.kind = BELFRY_EVENT_CLOSED, .raw_close_reason = (uint32_t)raw};
    event.close_reason = raw >= 1 && raw <= 3 ? (belfry_close_reason)raw : BELFRY_CLOSED_UNDEFINED;
    /* Not freed here: libnotify 0.8.1 goes on to use the object after this signal (its issue 34). */
    g_ptr_array_add(shown->table->closed, shown);
    remove_shown(shown);
    report(shown, event);
}

ln_shown *belfry_libnotify_shown_new(
    belfry_plugin_instance *instance, NotifyNotification *object, ln_notice *notice, const char *server_instance) {
    ln_shown *shown = g_new0(ln_shown, 1);
    shown->instance = instance;
    shown->object = object;
    shown->server_instance = g_strdup(server_instance);
    shown->request_identifier = g_strdup(notice->request_identifier);
    shown->actions = g_ptr_array_ref(notice->actions);
    shown->link.data = shown;
    g_signal_connect(object, "closed", G_CALLBACK(on_closed), shown);
    return shown;
}

void belfry_libnotify_shown_add(ln_shown_table *table, ln_shown *shown) {
    int number = 0;
    g_object_get(shown->object, "id", &number, NULL);
    shown->server_id = (uint32_t)number;
    ln_shown *before = belfry_libnotify_shown_find(table, shown->server_id);
    if (before != NULL) belfry_libnotify_shown_free(before);
    shown->table = table;
    g_hash_table_insert(table->by_id, GUINT_TO_POINTER(shown->server_id), shown);
    g_queue_push_tail_link(&table->order, &shown->link);
    if (table->order.length <= SHOWN_LIMIT) return;
    ln_shown *oldest = g_queue_peek_head(&table->order);
    belfry_libnotify_log(
        shown->instance, BELFRY_LOG_WARNING,
        "More than %u notices are open; answers to the oldest, `%s`, are no longer heard.", SHOWN_LIMIT,
        oldest->request_identifier);
    belfry_libnotify_shown_free(oldest);
}

ln_shown *belfry_libnotify_shown_find(ln_shown_table *table, uint64_t server_id) {
    if (server_id == 0 || server_id > UINT32_MAX) return NULL;
    return g_hash_table_lookup(table->by_id, GUINT_TO_POINTER((guint)server_id));
}

void belfry_libnotify_shown_on_action(NotifyNotification *object, char *key, gpointer data) {
    ln_shown *shown = data;
    if (shown->table == NULL) return;
    for (guint i = 0; i < shown->actions->len; i++) {
        const ln_action *action = g_ptr_array_index(shown->actions, i);
        if (g_strcmp0(action->key, key) != 0) continue;
        belfry_event event = {.kind = BELFRY_EVENT_ACTION};
        event.action_identifier = belfry_libnotify_borrow(action->identifier);
        event.activation_token = belfry_libnotify_borrow(notify_notification_get_activation_token(object));
        report(shown, event);
        return;
    }
}

void belfry_libnotify_shown_reply(ln_shown_table *table, uint32_t server_id, const char *text) {
    ln_shown *shown = belfry_libnotify_shown_find(table, server_id);
    if (shown == NULL) return;
    for (guint i = 0; i < shown->actions->len; i++) {
        const ln_action *action = g_ptr_array_index(shown->actions, i);
        if (g_strcmp0(action->key, "inline-reply") != 0) continue;
        belfry_event event = {.kind = BELFRY_EVENT_REPLY};
        event.action_identifier = belfry_libnotify_borrow(action->identifier);
        event.text = belfry_libnotify_borrow(text);
        report(shown, event);
        return;
    }
}
