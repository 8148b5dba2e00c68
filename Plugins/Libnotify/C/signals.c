/*
 * What the server says of its notices, in the order in which it says it.
 *
 * libnotify's own signals can't be used. They come apart from the replies to its calls: a closing that the server sent
 * before it showed another notice under the same number would be taken for the new notice's, and libnotify would hear
 * nothing more of that one.
 */
#include "bus.h"

/*
 * GDBus calls this on a thread of its own for each message, in the order of the wire, also while the worker waits for
 * a reply. So the reply to Notify divides what was said of a number before from what was said after.
 */
static GDBusMessage *on_message(
    GDBusConnection *connection, GDBusMessage *message, gboolean is_incoming, gpointer messages) {
    (void)connection;
    GDBusMessageType type = g_dbus_message_get_message_type(message);
    bool is_interface = g_strcmp0(g_dbus_message_get_interface(message), LN_INTERFACE) == 0;
    bool is_notify = !is_incoming && is_interface && g_strcmp0(g_dbus_message_get_member(message), "Notify") == 0;
    bool is_signal = is_incoming && is_interface && type == G_DBUS_MESSAGE_TYPE_SIGNAL;
    bool is_number = is_incoming && type == G_DBUS_MESSAGE_TYPE_METHOD_RETURN
                  && g_strcmp0(g_dbus_message_get_signature(message), "u") == 0;
    if (is_notify || is_signal || is_number) g_async_queue_push(messages, g_object_ref(message));
    return message;
}

/* That it is called on the worker's context is enough: after it the worker takes what has come. */
static void on_signal(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *signal,
    GVariant *arguments, gpointer data) {
    (void)connection, (void)sender, (void)path, (void)interface, (void)signal, (void)arguments, (void)data;
}

static void release_messages(gpointer messages) { g_async_queue_unref(messages); }

void belfry_libnotify_signals_watch(ln_worker *worker) {
    worker->filter = g_dbus_connection_add_filter(
        worker->connection, on_message, g_async_queue_ref(worker->messages), release_messages);
    worker->signal_subscription = g_dbus_connection_signal_subscribe(
        worker->connection, LN_NAME, LN_INTERFACE, NULL, LN_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE, on_signal, NULL,
        NULL);
}

void belfry_libnotify_signals_unwatch(ln_worker *worker) {
    g_dbus_connection_signal_unsubscribe(worker->connection, worker->signal_subscription);
    g_dbus_connection_remove_filter(worker->connection, worker->filter);
}

void belfry_libnotify_signals_take(ln_worker *worker, bool until_reply) {
    GDBusMessage *message;
    bool is_done = false;
    while (!is_done && (message = g_async_queue_try_pop(worker->messages)) != NULL) {
        switch (g_dbus_message_get_message_type(message)) {
        case G_DBUS_MESSAGE_TYPE_SIGNAL:
            /* GNOME sends each twice, once from another name. */
            if (g_strcmp0(g_dbus_message_get_sender(message), worker->owner) == 0)
                belfry_libnotify_shown_take(&worker->shown, message);
            break;
        case G_DBUS_MESSAGE_TYPE_METHOD_CALL: worker->notify_serial = g_dbus_message_get_serial(message); break;
        default: is_done = until_reply && g_dbus_message_get_reply_serial(message) == worker->notify_serial;
        }
        g_object_unref(message);
    }
}
