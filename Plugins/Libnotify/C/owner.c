#include "owner.h"

#include "bus.h"

#define BUS_NAME "org.freedesktop.DBus"
#define BUS_PATH "/org/freedesktop/DBus"

/* ---- Questions ------------------------------------------------------------------------------------------------- */

static void call(
    ln_worker *worker, const char *name, const char *member, GVariant *arguments, GAsyncReadyCallback done) {
    bool is_bus = g_strcmp0(name, BUS_NAME) == 0;
    worker->pending++;
    g_dbus_connection_call(
        worker->connection, name, is_bus ? BUS_PATH : LN_PATH, is_bus ? BUS_NAME : LN_INTERFACE, member, arguments, NULL,
        G_DBUS_CALL_FLAGS_NO_AUTO_START, (gint)worker->instance->call_timeout_ms, worker->questions, done, worker);
}

/* The reply, or NULL and *error. False where nobody wants it any more: both are NULL then. */
static bool finish(ln_worker *worker, GObject *source, GAsyncResult *result, GVariant **reply, GError **error) {
    worker->pending--;
    *error = NULL;
    *reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, error);
    bool is_wanted = !g_error_matches(*error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    if (!is_wanted) g_clear_error(error);
    return is_wanted;
}

/* What was asked of another owner, or on another connection, is nobody's answer. */
static void drop_questions(ln_worker *worker) {
    g_cancellable_cancel(worker->questions);
    g_object_unref(worker->questions);
    worker->questions = g_cancellable_new();
    worker->is_finding_owner = worker->is_activating = worker->is_asking = false;
}

/* ---- Coming and going ------------------------------------------------------------------------------------------ */

static void report_gone(ln_worker *worker, belfry_status status) {
    const char *name = worker->server == NULL ? "" : worker->server->information[0];
    char *text = status == BELFRY_STATUS_NO_BUS ? g_strdup("The session bus went away.")
                                                : g_strdup_printf("The notification server %s went away.", name);
    belfry_event event = {
        .struct_size = sizeof event, .kind = BELFRY_EVENT_SERVER_GONE, .status = status,
        .text = belfry_libnotify_borrow(text)};
    belfry_libnotify_emit(worker->instance, &event);
    g_free(text);
}

void belfry_libnotify_owner_set(ln_worker *worker, const char *owner, belfry_status status) {
    bool was_known = worker->owner_is_known, is_bus_gone = status == BELFRY_STATUS_NO_BUS;
    worker->owner_is_known = !is_bus_gone;
    if (was_known && !is_bus_gone && g_strcmp0(owner, worker->owner) == 0) return;
    belfry_libnotify_shown_clear(&worker->shown);
    if (worker->owner != NULL || (was_known && is_bus_gone)) report_gone(worker, status);
    drop_questions(worker);
    g_clear_pointer(&worker->server, belfry_libnotify_server_free);
    g_free(worker->owner);
    worker->owner = g_strdup(owner);
    worker->answered_at = 0;
    if (owner != NULL) belfry_libnotify_owner_ask(worker);
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
    GVariant *reply;
    GError *error;
    if (!finish(worker, source, result, &reply, &error)) return;
    worker->is_finding_owner = false;
    if (reply != NULL && g_variant_is_of_type(reply, G_VARIANT_TYPE("(s)"))) {
        const char *owner;
        g_variant_get(reply, "(&s)", &owner);
        belfry_libnotify_owner_set(worker, owner, BELFRY_STATUS_NO_SERVER);
    } else if (g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER)) {
        belfry_libnotify_owner_set(worker, NULL, BELFRY_STATUS_NO_SERVER);
    }
    g_clear_error(&error);
    g_clear_pointer(&reply, g_variant_unref);
}

void belfry_libnotify_owner_find(ln_worker *worker) {
    if (worker->is_finding_owner) return;
    worker->is_finding_owner = true;
    call(worker, BUS_NAME, "GetNameOwner", g_variant_new("(s)", LN_NAME), on_owner);
}

void belfry_libnotify_owner_watch(ln_worker *worker) {
    worker->owner_subscription = g_dbus_connection_signal_subscribe(
        worker->connection, BUS_NAME, BUS_NAME, "NameOwnerChanged", BUS_PATH, LN_NAME, G_DBUS_SIGNAL_FLAGS_NONE,
        on_owner_changed, worker, NULL);
    belfry_libnotify_owner_find(worker);
}

void belfry_libnotify_owner_unwatch(ln_worker *worker) {
    g_dbus_connection_signal_unsubscribe(worker->connection, worker->owner_subscription);
    drop_questions(worker);
    worker->owner_is_known = false;
}

/* ---- Starting one ---------------------------------------------------------------------------------------------- */

static void on_activated(GObject *source, GAsyncResult *result, gpointer data) {
    ln_worker *worker = data;
    GVariant *reply;
    GError *error;
    if (!finish(worker, source, result, &reply, &error)) return;
    worker->is_activating = false;
    if (reply != NULL) {
        belfry_libnotify_owner_find(worker);
    } else if (worker->owner == NULL) {
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
    if (worker->is_activating || worker->is_finding_owner) return;
    worker->is_activating = true;
    call(worker, BUS_NAME, "StartServiceByName", g_variant_new("(su)", LN_NAME, 0u), on_activated);
}

/* ---- Asking it ------------------------------------------------------------------------------------------------- */

/* A server without such a method has answered too. None at all: it is gone or stuck. */
static bool has_answered(const GError *error) {
    return error == NULL || belfry_libnotify_bus_status_of(error) == BELFRY_STATUS_REJECTED;
}

static void on_capabilities(GObject *source, GAsyncResult *result, gpointer data) {
    ln_worker *worker = data;
    GVariant *reply;
    GError *error;
    if (!finish(worker, source, result, &reply, &error)) return;
    worker->is_asking = false;
    if (has_answered(error)) {
        const char *bus = g_dbus_connection_get_guid(worker->connection);
        worker->server = belfry_libnotify_server_new(bus, worker->owner, worker->information, reply);
        worker->shown.server_instance = worker->server->instance;
        worker->answered_at = g_get_monotonic_time();
        belfry_event event = {
            .struct_size = sizeof event, .kind = BELFRY_EVENT_SERVER_CHANGED, .server = &worker->server->description};
        belfry_libnotify_emit(worker->instance, &event);
    }
    g_clear_error(&error);
    g_clear_pointer(&reply, g_variant_unref);
}

static void on_information(GObject *source, GAsyncResult *result, gpointer data) {
    ln_worker *worker = data;
    GVariant *reply;
    GError *error;
    if (!finish(worker, source, result, &reply, &error)) return;
    worker->is_asking = false;
    if (has_answered(error) && worker->server == NULL) {
        g_clear_pointer(&worker->information, g_variant_unref);
        worker->information = g_steal_pointer(&reply);
        worker->is_asking = true;
        call(worker, worker->owner, "GetCapabilities", NULL, on_capabilities);
    } else if (has_answered(error)) {
        worker->answered_at = g_get_monotonic_time();
    }
    g_clear_error(&error);
    g_clear_pointer(&reply, g_variant_unref);
}

/* Of a server that is known it is only of interest whether it answers. */
void belfry_libnotify_owner_ask(ln_worker *worker) {
    if (worker->is_asking) return;
    worker->is_asking = true;
    call(worker, worker->owner, "GetServerInformation", NULL, on_information);
}
