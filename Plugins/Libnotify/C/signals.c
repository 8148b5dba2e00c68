/*
 * The server's signals about its notices, in the order in which it sends them.
 *
 * libnotify's own signals can't be used, since they are not ordered with the replies to its calls. If the server closes
 * a notice and then shows another under the same number, the closing would be assigned to the new one. libnotify would
 * then ignore all later signals for it.
 */
#include "bus.h"

/*
 * GDBus calls this on its own thread for each message, in the order of arrival, even while the worker waits for a
 * reply. So the reply to Notify separates earlier from later signals about a number. The replies to other calls, also to
 * the app's own, are not kept: nothing would wake the worker for them.
 */
static GDBusMessage *on_message(
    GDBusConnection *connection, GDBusMessage *message, gboolean is_incoming, gpointer messages) {
    static guint32 notify_serial; /* of the last Notify; used only on this thread */
    (void)connection;
    GDBusMessageType type = g_dbus_message_get_message_type(message);
    bool is_interface = g_strcmp0(g_dbus_message_get_interface(message), LN_INTERFACE) == 0;
    bool is_notify = !is_incoming && is_interface && g_strcmp0(g_dbus_message_get_member(message), "Notify") == 0;
    bool is_signal = is_incoming && is_interface && type == G_DBUS_MESSAGE_TYPE_SIGNAL;
    bool is_reply = is_incoming && type == G_DBUS_MESSAGE_TYPE_METHOD_RETURN
                 && g_dbus_message_get_reply_serial(message) == notify_serial;
    if (is_notify) notify_serial = g_dbus_message_get_serial(message);
    if (is_signal || is_reply) g_async_queue_push(messages, g_object_ref(message));
    return message;
}

/* Only wakes the worker's context: afterwards the worker processes the messages. */
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
        bool is_signal = g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_SIGNAL;
        /* GNOME sends each signal twice, once from another name. */
        if (is_signal && g_strcmp0(g_dbus_message_get_sender(message), worker->owner) == 0)
            belfry_libnotify_shown_take(&worker->shown, message);
        is_done = until_reply && !is_signal;
        g_object_unref(message);
    }
}
