#include "bus.h"

#include <libnotify/notify.h>
#include <string.h>
#include <sys/stat.h>

/* How long a reply proves that the server is alive. Short: it only saves queries within a burst. */
#define FRESH_US (100 * 1000)

/* The time between two attempts to replace a broken connection. */
#define RECONNECT_US (20 * 1000)

/* The time between two checks of a connection whose other end has hung up. */
#define CLOSING_US 1000u

/*
 * Why there is no bus to connect to, to be freed with g_free, or NULL. GDBus would launch a bus that is never stopped.
 */
static char *missing_address(void) {
    const char *address = g_getenv("DBUS_SESSION_BUS_ADDRESS");
    if (address != NULL && g_str_has_prefix(address, "autolaunch:"))
        return g_strdup("DBUS_SESSION_BUS_ADDRESS asks to launch a bus of its own, which nothing shows notices on.");
    if (address != NULL) return NULL;
    char *path = g_build_filename(g_get_user_runtime_dir(), "bus", NULL);
    struct stat status;
    bool is_there = stat(path, &status) == 0 && S_ISSOCK(status.st_mode);
    char *message =
        is_there ? NULL
                 : g_strdup_printf(
                       "DBUS_SESSION_BUS_ADDRESS is not set and %s is no socket. Run in a desktop session, or "
                       "under dbus-run-session.",
                       path);
    g_free(path);
    return message;
}

static void fail_no_bus(ln_worker *worker, const char *reason) {
    char *message = g_strdup_printf("There is no session bus: %s", reason);
    belfry_libnotify_worker_fail_all(worker, BELFRY_STATUS_NO_BUS, message);
    g_free(message);
}

/*
 * Returns so that the worker checks the connection. The source fires again until GDBus has noticed too, and is released
 * with the connection.
 */
static gboolean on_hang_up(GSocket *socket, GIOCondition condition, gpointer data) {
    (void)socket, (void)condition, (void)data;
    g_usleep(CLOSING_US);
    return G_SOURCE_CONTINUE;
}

/* The signal `closed` doesn't help: it comes on the thread that made the shared connection, if that runs a context. */
static void watch_for_hang_up(ln_worker *worker) {
    GIOStream *stream = g_dbus_connection_get_stream(worker->connection);
    if (!G_IS_SOCKET_CONNECTION(stream)) return;
    GSocket *socket = g_socket_connection_get_socket(G_SOCKET_CONNECTION(stream));
    worker->hang_up = g_socket_create_source(socket, G_IO_HUP | G_IO_ERR, NULL);
    g_source_set_callback(worker->hang_up, G_SOURCE_FUNC(on_hang_up), NULL, NULL);
    g_source_attach(worker->hang_up, worker->instance->context);
}

static void on_connected(GObject *source, GAsyncResult *result, gpointer data) {
    (void)source;
    ln_worker *worker = data;
    worker->pending--;
    worker->is_connecting = false;
    GError *error = NULL;
    GDBusConnection *connection = g_bus_get_finish(result, &error);
    if (connection == NULL) {
        if (!g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) fail_no_bus(worker, error->message);
        g_clear_error(&error);
    } else if (g_dbus_connection_is_closed(connection)) {
        /* GDBus returns it until its last user, perhaps GDBus itself, has released it. The worker retries. */
        g_object_unref(connection);
        g_usleep(RECONNECT_US);
    } else {
        g_dbus_connection_set_exit_on_close(connection, FALSE);
        worker->connection = connection;
        watch_for_hang_up(worker);
        belfry_libnotify_signals_watch(worker);
        belfry_libnotify_owner_watch(worker);
    }
}

void belfry_libnotify_bus_connect(ln_worker *worker) {
    if (worker->connection != NULL || worker->is_connecting) return;
    char *reason = missing_address();
    if (reason != NULL) {
        fail_no_bus(worker, reason);
        g_free(reason);
        return;
    }
    worker->is_connecting = true;
    worker->pending++;
    g_bus_get(G_BUS_TYPE_SESSION, worker->questions, on_connected, worker);
}

static void release_connection(ln_worker *worker) {
    if (worker->connection == NULL) return;
    belfry_libnotify_owner_unwatch(worker);
    belfry_libnotify_signals_unwatch(worker);
    if (worker->hang_up != NULL) g_source_destroy(worker->hang_up);
    g_clear_pointer(&worker->hang_up, g_source_unref);
    g_clear_object(&worker->connection);
}

void belfry_libnotify_bus_check(ln_worker *worker) {
    if (worker->connection == NULL || !g_dbus_connection_is_closed(worker->connection)) return;
    belfry_libnotify_owner_set(worker, NULL, BELFRY_STATUS_NO_BUS);
    release_connection(worker);
    /* libnotify's proxy holds the broken connection: without this, the process could get no other. */
    notify_uninit();
    notify_init(worker->instance->app_name);
}

void belfry_libnotify_bus_release(ln_worker *worker) {
    release_connection(worker);
    g_clear_pointer(&worker->owner, g_free);
    g_clear_pointer(&worker->server, belfry_libnotify_server_free);
    g_clear_pointer(&worker->information, g_variant_unref);
}

bool belfry_libnotify_bus_is_ready(ln_worker *worker) {
    belfry_plugin_instance *instance = worker->instance;
    if (worker->connection == NULL) {
        belfry_libnotify_calls_wait_for(instance, BELFRY_STATUS_NO_BUS, "the session bus takes no connection.");
        belfry_libnotify_bus_connect(worker);
        return false;
    }
    if (!worker->owner_is_known) {
        belfry_libnotify_calls_wait_for(instance, BELFRY_STATUS_NO_BUS, "the session bus doesn't reply.");
        return false;
    }
    if (worker->owner == NULL) {
        belfry_libnotify_calls_wait_for(
            instance, BELFRY_STATUS_NO_SERVER,
            "no notification server runs, and the one that the bus was asked to start hasn't come up.");
        belfry_libnotify_owner_ask(worker);
        return false;
    }
    bool is_fresh = worker->replied_at != 0 && g_get_monotonic_time() - worker->replied_at < FRESH_US;
    const char *name = worker->server == NULL ? "" : worker->server->information[0];
    char *message = g_strdup_printf(
        "the notification server %s%s%s doesn't reply.", name, *name == '\0' ? "" : " at ", worker->owner);
    belfry_libnotify_calls_wait_for(instance, BELFRY_STATUS_TIMED_OUT, message);
    g_free(message);
    if (!is_fresh) belfry_libnotify_owner_ask(worker);
    return is_fresh;
}

bool belfry_libnotify_bus_is_void(const ln_worker *worker, const char *server_instance) {
    if (worker->connection == NULL || !worker->owner_is_known) return false;
    if (worker->owner == NULL) return true;
    const char *bus = g_dbus_connection_get_guid(worker->connection);
    size_t length = strlen(bus);
    return strncmp(server_instance, bus, length) != 0 || strcmp(server_instance + length, worker->owner) != 0;
}

/*
 * Servers have their own errors for being full: GNOME's notification-daemon after 21 bubbles, under a name that GDBus
 * made up; Plasma for the same text twice within a second.
 */
static bool says_full(const char *name) {
    return strstr(name, "MaxNotificationsExceeded") != NULL || strstr(name, "ExcessNotificationGeneration") != NULL
        || (strstr(name, "Unmapped") != NULL && g_str_has_suffix(name, "Code1"));
}

belfry_status belfry_libnotify_bus_status_of(const GError *error) {
    static const struct {
        int code;
        belfry_status status;
    } table[] = {
        {G_DBUS_ERROR_SERVICE_UNKNOWN, BELFRY_STATUS_NO_SERVER},
        {G_DBUS_ERROR_NAME_HAS_NO_OWNER, BELFRY_STATUS_NO_SERVER},
        {G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND, BELFRY_STATUS_NO_SERVER},
        {G_DBUS_ERROR_SPAWN_CHILD_EXITED, BELFRY_STATUS_NO_SERVER},
        {G_DBUS_ERROR_SPAWN_EXEC_FAILED, BELFRY_STATUS_NO_SERVER},
        {G_DBUS_ERROR_NO_REPLY, BELFRY_STATUS_TIMED_OUT},
        {G_DBUS_ERROR_TIMEOUT, BELFRY_STATUS_TIMED_OUT},
        {G_DBUS_ERROR_TIMED_OUT, BELFRY_STATUS_TIMED_OUT},
        {G_DBUS_ERROR_LIMITS_EXCEEDED, BELFRY_STATUS_BUSY},
        {G_DBUS_ERROR_NO_MEMORY, BELFRY_STATUS_BUSY},
        {G_DBUS_ERROR_DISCONNECTED, BELFRY_STATUS_NO_BUS},
    };
    char *remote = g_dbus_error_get_remote_error(error);
    bool is_full = remote != NULL && says_full(remote);
    bool is_remote = remote != NULL;
    g_free(remote);
    if (is_full) return BELFRY_STATUS_BUSY;
    if (error->domain == G_DBUS_ERROR) {
        for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
            if (error->code == table[i].code) return table[i].status;
    }
    if (is_remote) return BELFRY_STATUS_REJECTED;
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CLOSED)) return BELFRY_STATUS_NO_BUS;
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)) return BELFRY_STATUS_TIMED_OUT;
    return BELFRY_STATUS_FAILED_FOR_NOW;
}
