#include "owner.h"

#include <string.h>

#include "bus.h"

#define BUS_NAME "org.freedesktop.DBus"
#define BUS_PATH "/org/freedesktop/DBus"

static void call(
    ln_worker *worker, const char *name, const char *path, const char *member, GVariant *arguments,
    GAsyncReadyCallback done, gpointer data) {
    worker->pending++;
    g_dbus_connection_call(
        worker->connection, name, path, name[0] == ':' ? LN_INTERFACE : BUS_NAME, member, arguments, NULL,
        G_DBUS_CALL_FLAGS_NO_AUTO_START, (gint)worker->instance->call_timeout_ms, worker->cancellable, done, data);
}

/* The reply, or NULL and *error. */
static GVariant *finish(ln_worker *worker, GObject *source, GAsyncResult *result, GError **error) {
    worker->pending--;
    return g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, error);
}

/* ---- Coming and going ------------------------------------------------------------------------------------------ */

void belfry_libnotify_owner_set(ln_worker *worker, const char *owner, belfry_status status) {
    bool was_known = worker->owner_is_known;
    worker->owner_is_known = status != BELFRY_STATUS_NO_BUS;
    if (was_known && g_strcmp0(owner, worker->owner) == 0 && status != BELFRY_STATUS_NO_BUS) return;
    belfry_libnotify_shown_clear(&worker->shown);
    if (worker->owner != NULL || (was_known && status == BELFRY_STATUS_NO_BUS)) {
        const char *name = worker->server == NULL ? "" : worker->server->name;
        char *text = status == BELFRY_STATUS_NO_BUS
                       ? g_strdup("The session bus went away.")
                       : g_strdup_printf("The notification server %s went away.", name);
        belfry_event event = {
            .struct_size = sizeof event, .kind = BELFRY_EVENT_SERVER_GONE, .status = status,
            .text = belfry_libnotify_borrow(text)};
        belfry_libnotify_emit(worker->instance, &event);
        g_free(text);
    }
    g_clear_pointer(&worker->server, belfry_libnotify_server_free);
    g_free(worker->owner);
    worker->owner = g_strdup(owner);
    worker->answered_at = 0;
    worker->is_loading = worker->is_pinging = false; /* those questions went to another */
    if (owner != NULL) belfry_libnotify_owner_load(worker);
}

static void on_owner_changed(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *signal,
    GVariant *arguments, gpointer data) {
    (void)connection, (void)sender, (void)path, (void)interface, (void)signal;
    if (!g_variant_is_of_type(arguments, G_VARIANT_TYPE("(sss)"))) return;
    const char *owner;
    g_variant_get(arguments, "(&s&s&s)", NULL, NULL, &owner);
    belfry_libnotify_owner_set(data, *owner == '\0' ? NULL : owner, BELFRY_STATUS_NO_SERVER);
}

static void on_owner(GObject *source, GAsyncResult *result, gpointer data) {
    ln_worker *worker = data;
    GError *error = NULL;
    GVariant *reply = finish(worker, source, result, &error);
    worker->is_asking_for_owner = false;
    bool is_current = (GDBusConnection *)source == worker->connection;
    if (is_current && reply != NULL && g_variant_is_of_type(reply, G_VARIANT_TYPE("(s)"))) {
        const char *owner;
        g_variant_get(reply, "(&s)", &owner);
        belfry_libnotify_owner_set(worker, owner, BELFRY_STATUS_NO_SERVER);
    } else if (is_current && g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER)) {
        belfry_libnotify_owner_set(worker, NULL, BELFRY_STATUS_NO_SERVER);
    }
    g_clear_error(&error);
    g_clear_pointer(&reply, g_variant_unref);
}

void belfry_libnotify_owner_ask(ln_worker *worker) {
    if (worker->is_asking_for_owner) return;
    worker->is_asking_for_owner = true;
    call(worker, BUS_NAME, BUS_PATH, "GetNameOwner", g_variant_new("(s)", LN_NAME), on_owner, worker);
}

void belfry_libnotify_owner_watch(ln_worker *worker) {
    worker->owner_subscription = g_dbus_connection_signal_subscribe(
        worker->connection, BUS_NAME, BUS_NAME, "NameOwnerChanged", BUS_PATH, LN_NAME, G_DBUS_SIGNAL_FLAGS_NONE,
        on_owner_changed, worker, NULL);
    worker->is_asking_for_owner = false; /* what an older connection was asked is nobody's answer */
    belfry_libnotify_owner_ask(worker);
}

void belfry_libnotify_owner_unwatch(ln_worker *worker) {
    g_dbus_connection_signal_unsubscribe(worker->connection, worker->owner_subscription);
    worker->owner_is_known = false;
}

/* ---- Starting one ---------------------------------------------------------------------------------------------- */

static void on_activated(GObject *source, GAsyncResult *result, gpointer data) {
    ln_worker *worker = data;
    GError *error = NULL;
    GVariant *reply = finish(worker, source, result, &error);
    worker->is_activating = false;
    bool is_current = (GDBusConnection *)source == worker->connection;
    if (is_current && reply != NULL) {
        belfry_libnotify_owner_ask(worker);
    } else if (is_current && worker->owner == NULL && !g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        g_dbus_error_strip_remote_error(error);
        char *message = g_strdup_printf(
            "There is no notification server on the session bus, and none could be started: %s. Start one (dunst, for "
            "instance), or log in to a desktop.",
            error->message);
        belfry_libnotify_worker_fail_all(worker, BELFRY_STATUS_NO_SERVER, message);
        g_free(message);
    }
    g_clear_error(&error);
    g_clear_pointer(&reply, g_variant_unref);
}

void belfry_libnotify_owner_activate(ln_worker *worker) {
    if (worker->is_activating || worker->is_asking_for_owner) return;
    worker->is_activating = true;
    call(worker, BUS_NAME, BUS_PATH, "StartServiceByName", g_variant_new("(su)", LN_NAME, 0u), on_activated, worker);
}

/* ---- Asking it ------------------------------------------------------------------------------------------------- */

/* What one owner is asked: a load asks two questions, a ping one. */
typedef struct inquiry {
    ln_worker *worker;
    char *owner;
    unsigned open; /* questions whose answer has yet to come, in whatever order */
    GVariant *information, *capabilities;
    bool is_hopeless; /* no answer at all to one of them: gone or stuck */
} inquiry;

static void emit_changed(const belfry_server *description, void *instance) {
    belfry_event event = {
        .struct_size = sizeof event, .kind = BELFRY_EVENT_SERVER_CHANGED, .server = description};
    belfry_libnotify_emit(instance, &event);
}

/* Takes the reply to one question; true with the last. A server without such a method has answered too. */
static bool take_reply(inquiry *asked, GObject *source, GAsyncResult *result, GVariant **reply) {
    GError *error = NULL;
    *reply = finish(asked->worker, source, result, &error);
    if (error != NULL && belfry_libnotify_bus_status_of(error) != BELFRY_STATUS_REJECTED) asked->is_hopeless = true;
    g_clear_error(&error);
    return --asked->open == 0;
}

/* Whether the answers are those of the server that owns the name now. */
static bool is_current(const inquiry *asked, GObject *source) {
    return (GDBusConnection *)source == asked->worker->connection
        && g_strcmp0(asked->owner, asked->worker->owner) == 0;
}

static void free_inquiry(inquiry *asked) {
    g_clear_pointer(&asked->information, g_variant_unref);
    g_clear_pointer(&asked->capabilities, g_variant_unref);
    g_free(asked->owner);
    g_free(asked);
}

static void end_load(inquiry *asked, GObject *source) {
    ln_worker *worker = asked->worker;
    if (is_current(asked, source)) {
        worker->is_loading = false;
        if (!asked->is_hopeless) {
            belfry_libnotify_server_free(worker->server);
            worker->server = belfry_libnotify_server_new(
                g_dbus_connection_get_guid(worker->connection), worker->owner, asked->information,
                asked->capabilities);
            worker->shown.server_instance = worker->server->instance;
            worker->answered_at = g_get_monotonic_time();
            belfry_libnotify_server_describe(worker->server, emit_changed, worker->instance);
        }
    }
    free_inquiry(asked);
}

static void on_information(GObject *source, GAsyncResult *result, gpointer data) {
    inquiry *asked = data;
    if (take_reply(asked, source, result, &asked->information)) end_load(asked, source);
}

static void on_capabilities(GObject *source, GAsyncResult *result, gpointer data) {
    inquiry *asked = data;
    if (take_reply(asked, source, result, &asked->capabilities)) end_load(asked, source);
}

static void on_pong(GObject *source, GAsyncResult *result, gpointer data) {
    inquiry *asked = data;
    take_reply(asked, source, result, &asked->information);
    if (is_current(asked, source)) {
        asked->worker->is_pinging = false;
        if (!asked->is_hopeless) asked->worker->answered_at = g_get_monotonic_time();
    }
    free_inquiry(asked);
}

static inquiry *new_inquiry(ln_worker *worker, unsigned questions) {
    inquiry *asked = g_new0(inquiry, 1);
    asked->worker = worker;
    asked->owner = g_strdup(worker->owner);
    asked->open = questions;
    return asked;
}

void belfry_libnotify_owner_load(ln_worker *worker) {
    if (worker->is_loading) return;
    worker->is_loading = true;
    inquiry *asked = new_inquiry(worker, 2);
    call(worker, worker->owner, LN_PATH, "GetServerInformation", NULL, on_information, asked);
    call(worker, worker->owner, LN_PATH, "GetCapabilities", NULL, on_capabilities, asked);
}

void belfry_libnotify_owner_ping(ln_worker *worker) {
    if (worker->is_pinging) return;
    worker->is_pinging = true;
    call(worker, worker->owner, LN_PATH, "GetServerInformation", NULL, on_pong, new_inquiry(worker, 1));
}
