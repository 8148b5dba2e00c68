#include "bus.h"

/* ---- Queries --------------------------------------------------------------------------------------------------- */

/* Receives the reply, or NULL and the error; both are borrowed. */
typedef void (*ln_reply_handler)(ln_worker *worker, GVariant *reply, GError *error);

typedef struct question {
    ln_worker *worker;
    ln_reply_handler handle;
} question;

static void on_reply(GObject *source, GAsyncResult *result, gpointer data) {
    question asked = *(question *)data;
    g_free(data);
    asked.worker->pending--;
    GError *error = NULL;
    GVariant *reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, &error);
    if (!g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) asked.handle(asked.worker, reply, error);
    g_clear_error(&error);
    g_clear_pointer(&reply, g_variant_unref);
}

/* Queries the owner; if there is none the bus starts one, or reports why not. */
static void ask(ln_worker *worker, const char *member, ln_reply_handler handle) {
    question *asked = g_new(question, 1);
    *asked = (question){worker, handle};
    worker->pending++;
    worker->is_asking = true;
    g_dbus_connection_call(
        worker->connection, worker->owner == NULL ? LN_NAME : worker->owner, LN_PATH, LN_INTERFACE, member, NULL, NULL,
        worker->owner == NULL ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START,
        (gint)worker->instance->call_timeout_ms, worker->questions, on_reply, asked);
}

/* Ignores the replies to queries to another owner, or on another connection. */
static void drop_questions(ln_worker *worker) {
    g_cancellable_cancel(worker->questions);
    g_object_unref(worker->questions);
    worker->questions = g_cancellable_new();
    worker->is_asking = false;
}

/* ---- Owner changes --------------------------------------------------------------------------------------------- */

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
    worker->replied_at = 0;
    if (owner != NULL) belfry_libnotify_owner_ask(worker);
}

static void on_appeared(GDBusConnection *connection, const char *name, const char *owner, gpointer worker) {
    (void)connection, (void)name;
    belfry_libnotify_owner_set(worker, owner, BELFRY_STATUS_NO_SERVER);
}

static void on_vanished(GDBusConnection *connection, const char *name, gpointer worker) {
    (void)name;
    if (connection != NULL) belfry_libnotify_owner_set(worker, NULL, BELFRY_STATUS_NO_SERVER);
}

void belfry_libnotify_owner_watch(ln_worker *worker) {
    worker->owner_watch = g_bus_watch_name_on_connection(
        worker->connection, LN_NAME, G_BUS_NAME_WATCHER_FLAGS_NONE, on_appeared, on_vanished, worker, NULL);
}

void belfry_libnotify_owner_unwatch(ln_worker *worker) {
    g_bus_unwatch_name(worker->owner_watch);
    drop_questions(worker);
    worker->owner_is_known = false;
}

/* ---- Capabilities and liveness --------------------------------------------------------------------------------- */

static void fail_to_start(ln_worker *worker, GError *error) {
    g_dbus_error_strip_remote_error(error);
    char *message = g_strdup_printf(
        "There is no notification server on the session bus, and none could be started: %s. Start one (dunst, for "
        "instance), or log in to a desktop.",
        error->message);
    belfry_libnotify_worker_fail_all(worker, BELFRY_STATUS_NO_SERVER, message);
    g_free(message);
}

/* Whether the server replied; an error for an unknown method counts. Without any reply it is gone or stuck. */
static bool has_replied(const GError *error) {
    return error == NULL || belfry_libnotify_bus_status_of(error) == BELFRY_STATUS_REJECTED;
}

static void on_capabilities(ln_worker *worker, GVariant *reply, GError *error) {
    worker->is_asking = false;
    if (has_replied(error)) {
        const char *bus = g_dbus_connection_get_guid(worker->connection);
        worker->server = belfry_libnotify_server_new(bus, worker->owner, worker->information, reply);
        worker->shown.server_instance = worker->server->instance;
        worker->replied_at = g_get_monotonic_time();
        belfry_event event = {
            .struct_size = sizeof event, .kind = BELFRY_EVENT_SERVER_CHANGED, .server = &worker->server->description};
        belfry_libnotify_emit(worker->instance, &event);
    }
}

static void on_information(ln_worker *worker, GVariant *reply, GError *error) {
    worker->is_asking = false;
    if (worker->owner == NULL) {
        if (!has_replied(error)) fail_to_start(worker, error);
    } else if (has_replied(error) && worker->server == NULL) {
        g_clear_pointer(&worker->information, g_variant_unref);
        worker->information = reply == NULL ? NULL : g_variant_ref(reply);
        ask(worker, "GetCapabilities", on_capabilities);
    } else if (has_replied(error)) {
        worker->replied_at = g_get_monotonic_time();
    }
}

void belfry_libnotify_owner_ask(ln_worker *worker) {
    if (!worker->is_asking) ask(worker, "GetServerInformation", on_information);
}
