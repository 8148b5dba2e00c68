#define _GNU_SOURCE
#include "stub.h"

#include <pthread.h>
#include <string.h>

#include "host.h"

static const char interface_xml[] =
    "<node><interface name='org.freedesktop.Notifications'>"
    "<method name='Notify'><arg direction='in' type='s'/><arg direction='in' type='u'/><arg direction='in' type='s'/>"
    "<arg direction='in' type='s'/><arg direction='in' type='s'/><arg direction='in' type='as'/>"
    "<arg direction='in' type='a{sv}'/><arg direction='in' type='i'/><arg direction='out' type='u'/></method>"
    "<method name='CloseNotification'><arg direction='in' type='u'/></method>"
    "<method name='GetCapabilities'><arg direction='out' type='as'/></method>"
    "<method name='GetServerInformation'><arg direction='out' type='s'/><arg direction='out' type='s'/>"
    "<arg direction='out' type='s'/><arg direction='out' type='s'/></method>"
    "</interface></node>";

struct stub {
    char *name;
    char **capabilities;
    GMainContext *context;
    GMainLoop *loop;
    GThread *thread;
    GDBusConnection *connection;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    bool owns_name, silent_to_all, silent_to_notify;
    unsigned answers_until_closing; /* of Notify; 0: it closes nothing */
    char *refusal;
    unsigned notify_count, close_count;
    uint32_t last_id, last_closed;
    GVariant *last_notify;
    GQueue kept_back; /* of GDBusMethodInvocation * */
};

static void answer(stub *server, GDBusMethodInvocation *invocation) {
    const char *method = g_dbus_method_invocation_get_method_name(invocation);
    GVariant *arguments = g_dbus_method_invocation_get_parameters(invocation);
    if (strcmp(method, "GetServerInformation") == 0) {
        g_dbus_method_invocation_return_value(
            invocation, g_variant_new("(ssss)", server->name, "Belfry", "1", "1.2"));
    } else if (strcmp(method, "GetCapabilities") == 0) {
        g_dbus_method_invocation_return_value(invocation, g_variant_new("(^as)", server->capabilities));
    } else if (strcmp(method, "CloseNotification") == 0) {
        pthread_mutex_lock(&server->lock);
        g_variant_get(arguments, "(u)", &server->last_closed);
        uint32_t closed = server->last_closed;
        server->close_count++;
        pthread_cond_broadcast(&server->changed);
        pthread_mutex_unlock(&server->lock);
        g_dbus_method_invocation_return_value(invocation, NULL);
        stub_emit(server, "NotificationClosed", g_variant_new("(uu)", closed, 3));
    } else {
        uint32_t replaces = 0;
        g_variant_get_child(arguments, 1, "u", &replaces);
        pthread_mutex_lock(&server->lock);
        char *refusal = server->refusal;
        server->refusal = NULL;
        uint32_t id = replaces != 0 ? replaces : ++server->last_id;
        bool closes_first = server->answers_until_closing == 1;
        if (server->answers_until_closing > 0) server->answers_until_closing--;
        pthread_mutex_unlock(&server->lock);
        if (closes_first) stub_emit(server, "NotificationClosed", g_variant_new("(uu)", id, 2));
        if (refusal != NULL) {
            g_dbus_method_invocation_return_dbus_error(invocation, refusal, "The stub refuses.");
        } else {
            g_dbus_method_invocation_return_value(invocation, g_variant_new("(u)", id));
        }
        g_free(refusal);
    }
}

static void on_call(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
    GVariant *arguments, GDBusMethodInvocation *invocation, gpointer data) {
    (void)connection, (void)sender, (void)path, (void)interface;
    stub *server = data;
    bool is_notify = strcmp(method, "Notify") == 0;
    pthread_mutex_lock(&server->lock);
    if (is_notify) {
        if (server->last_notify != NULL) g_variant_unref(server->last_notify);
        server->last_notify = g_variant_ref(arguments);
        server->notify_count++;
        pthread_cond_broadcast(&server->changed);
    }
    bool keeps_back = server->silent_to_all || (is_notify && server->silent_to_notify);
    if (keeps_back) g_queue_push_tail(&server->kept_back, invocation);
    pthread_mutex_unlock(&server->lock);
    if (!keeps_back) answer(server, invocation);
}

static const GDBusInterfaceVTable vtable = {.method_call = on_call};

static void *run(void *data) {
    stub *server = data;
    g_main_context_push_thread_default(server->context);
    GError *error = NULL;
    char *address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, NULL, &error);
    if (address != NULL)
        server->connection = g_dbus_connection_new_for_address_sync(
            address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
            NULL, NULL, &error);
    if (server->connection == NULL) fail_test(__FILE__, __LINE__, "the stub has no bus", error->message);
    GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(interface_xml, NULL);
    g_dbus_connection_register_object(
        server->connection, "/org/freedesktop/Notifications", node->interfaces[0], &vtable, server, NULL, &error);
    GVariant *reply = g_dbus_connection_call_sync(
        server->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
        g_variant_new("(su)", "org.freedesktop.Notifications", 4u), G_VARIANT_TYPE("(u)"), G_DBUS_CALL_FLAGS_NONE, -1,
        NULL, &error);
    guint32 code = 0;
    if (reply != NULL) g_variant_get(reply, "(u)", &code);
    if (code != 1) fail_test(__FILE__, __LINE__, "the stub doesn't own the name", error == NULL ? "" : error->message);
    g_variant_unref(reply);
    g_dbus_node_info_unref(node);
    g_free(address);
    pthread_mutex_lock(&server->lock);
    server->owns_name = true;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
    g_main_loop_run(server->loop);
    GDBusMethodInvocation *invocation;
    while ((invocation = g_queue_pop_head(&server->kept_back)) != NULL) g_object_unref(invocation);
    g_dbus_connection_close_sync(server->connection, NULL, NULL);
    g_object_unref(server->connection);
    while (g_main_context_iteration(server->context, FALSE)) {
    }
    g_main_context_pop_thread_default(server->context);
    return NULL;
}

stub *stub_start(const char *name, const char *capabilities) {
    stub *server = g_new0(stub, 1);
    server->name = g_strdup(name);
    server->capabilities = g_strsplit(capabilities, " ", -1);
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->changed, NULL);
    g_queue_init(&server->kept_back);
    server->context = g_main_context_new();
    server->loop = g_main_loop_new(server->context, FALSE);
    server->thread = g_thread_new("stub", run, server);
    pthread_mutex_lock(&server->lock);
    while (!server->owns_name) pthread_cond_wait(&server->changed, &server->lock);
    pthread_mutex_unlock(&server->lock);
    return server;
}

static gboolean quit(gpointer data) {
    g_main_loop_quit(((stub *)data)->loop);
    return G_SOURCE_REMOVE;
}

void stub_stop(stub *server) {
    g_main_context_invoke(server->context, quit, server);
    g_thread_join(server->thread);
    g_main_loop_unref(server->loop);
    g_main_context_unref(server->context);
    if (server->last_notify != NULL) g_variant_unref(server->last_notify);
    g_strfreev(server->capabilities);
    g_free(server->name);
    g_free(server->refusal);
    g_free(server);
}

static gboolean go_on(gpointer data) {
    stub *server = data;
    for (;;) {
        pthread_mutex_lock(&server->lock);
        GDBusMethodInvocation *invocation = g_queue_pop_head(&server->kept_back);
        pthread_mutex_unlock(&server->lock);
        if (invocation == NULL) return G_SOURCE_REMOVE;
        answer(server, invocation);
    }
}

void stub_be_silent(stub *server, bool to_everything, bool to_notify) {
    pthread_mutex_lock(&server->lock);
    server->silent_to_all = to_everything;
    server->silent_to_notify = to_notify;
    pthread_mutex_unlock(&server->lock);
    if (!to_everything && !to_notify) g_main_context_invoke(server->context, go_on, server);
}

void stub_close_before_answer(stub *server, unsigned skipped) {
    pthread_mutex_lock(&server->lock);
    server->answers_until_closing = skipped + 1;
    pthread_mutex_unlock(&server->lock);
}

void stub_refuse_next(stub *server, const char *error_name) {
    pthread_mutex_lock(&server->lock);
    g_free(server->refusal);
    server->refusal = g_strdup(error_name);
    pthread_mutex_unlock(&server->lock);
}

unsigned stub_notify_count(stub *server) {
    pthread_mutex_lock(&server->lock);
    unsigned count = server->notify_count;
    pthread_mutex_unlock(&server->lock);
    return count;
}

static void wait_for(stub *server, const unsigned *counter, unsigned count) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LIMIT / 1000;
    while (*counter < count)
        if (pthread_cond_timedwait(&server->changed, &server->lock, &until) != 0)
            fail_test(__FILE__, __LINE__, "the stub wasn't called", "");
}

uint32_t stub_wait_for_close(stub *server, unsigned count) {
    pthread_mutex_lock(&server->lock);
    wait_for(server, &server->close_count, count);
    uint32_t closed = server->last_closed;
    pthread_mutex_unlock(&server->lock);
    return closed;
}

void stub_wait_for_notify(stub *server, unsigned count) {
    pthread_mutex_lock(&server->lock);
    wait_for(server, &server->notify_count, count);
    pthread_mutex_unlock(&server->lock);
}

GVariant *stub_last_notify(stub *server) {
    pthread_mutex_lock(&server->lock);
    GVariant *last = g_variant_ref(server->last_notify);
    pthread_mutex_unlock(&server->lock);
    return last;
}

void stub_emit(stub *server, const char *signal, GVariant *arguments) {
    g_dbus_connection_emit_signal(
        server->connection, NULL, "/org/freedesktop/Notifications", "org.freedesktop.Notifications", signal, arguments,
        NULL);
}
