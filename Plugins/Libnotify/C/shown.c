#include "shown.h"

/* Some servers never say that a notice has gone. Beyond this many the oldest is let go: its answer isn't heard. */
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

static ln_shown *find(const ln_shown_table *table, uint32_t server_id) {
    return g_hash_table_lookup(table->by_id, GUINT_TO_POINTER(server_id));
}

static void remove_shown(ln_shown_table *table, ln_shown *shown) {
    g_queue_unlink(&table->order, &shown->link);
    g_hash_table_remove(table->by_id, GUINT_TO_POINTER(shown->server_id));
}

void belfry_libnotify_shown_add(ln_shown_table *table, uint32_t server_id, const ln_notice *notice) {
    ln_shown *before = find(table, server_id);
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
        "More than %u notices are open; answers to the oldest, `%s`, are no longer heard.", SHOWN_LIMIT,
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

void belfry_libnotify_shown_closed(ln_shown_table *table, uint32_t server_id, uint32_t reason) {
    ln_shown *shown = find(table, server_id);
    if (shown == NULL) return;
    belfry_event event = {.kind = BELFRY_EVENT_CLOSED, .raw_close_reason = reason};
    event.close_reason = reason >= 1 && reason <= 3 ? reason : BELFRY_CLOSED_UNDEFINED;
    report(table, shown, event);
    remove_shown(table, shown);
}

void belfry_libnotify_shown_activation(ln_shown_table *table, uint32_t server_id, const char *token) {
    ln_shown *shown = find(table, server_id);
    if (shown == NULL) return;
    g_free(shown->activation_token);
    shown->activation_token = g_strdup(token);
}

/* Reports that the action with this key was chosen, if there is one. */
static void report_action(ln_shown_table *table, uint32_t server_id, const char *key, belfry_event event) {
    ln_shown *shown = find(table, server_id);
    for (guint i = 0; shown != NULL && i < shown->actions->len; i++) {
        const ln_action *action = g_ptr_array_index(shown->actions, i);
        if (g_strcmp0(action->key, key) != 0) continue;
        event.action_identifier = belfry_libnotify_borrow(action->identifier);
        event.activation_token = belfry_libnotify_borrow(shown->activation_token);
        report(table, shown, event);
        g_clear_pointer(&shown->activation_token, g_free);
        return;
    }
}

void belfry_libnotify_shown_invoked(ln_shown_table *table, uint32_t server_id, const char *key) {
    report_action(table, server_id, key, (belfry_event){.kind = BELFRY_EVENT_ACTION});
}

void belfry_libnotify_shown_replied(ln_shown_table *table, uint32_t server_id, const char *text) {
    belfry_event event = {.kind = BELFRY_EVENT_REPLY, .text = belfry_libnotify_borrow(text)};
    report_action(table, server_id, LN_REPLY_KEY, event);
}
