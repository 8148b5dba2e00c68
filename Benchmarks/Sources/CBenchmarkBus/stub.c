#include "benchmark_bus.h"

#include <dbus/dbus.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERVICE "org.freedesktop.Notifications"
#define REPORTING "org.belfry.Benchmark"

struct counter {
    uint32_t count;
    uint32_t last_id;
    long last_number;
    bool in_order;
};

/* The number at the end of a title; -1 where there is none. */
static long number_of(const char *title) {
    const char *space = strrchr(title, ' ');
    return space ? strtol(space + 1, NULL, 10) : -1;
}

/* The reply is the caller's. */
static DBusMessage *notify(struct counter *counter, DBusMessage *call) {
    const char *app, *icon, *title;
    uint32_t replaces;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &app, DBUS_TYPE_UINT32, &replaces, DBUS_TYPE_STRING, &icon,
            DBUS_TYPE_STRING, &title, DBUS_TYPE_INVALID))
        return dbus_message_new_error(call, DBUS_ERROR_INVALID_ARGS, "not the arguments of Notify");
    long number = number_of(title);
    if (counter->count && number <= counter->last_number) counter->in_order = false;
    counter->last_number = number;
    counter->count++;
    uint32_t id = replaces ? replaces : ++counter->last_id;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(reply, DBUS_TYPE_UINT32, &id, DBUS_TYPE_INVALID);
    return reply;
}

static DBusMessage *report(struct counter *counter, DBusMessage *call) {
    dbus_bool_t in_order = counter->in_order;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(
        reply, DBUS_TYPE_UINT32, &counter->count, DBUS_TYPE_BOOLEAN, &in_order, DBUS_TYPE_INVALID);
    counter->count = 0;
    counter->in_order = true;
    return reply;
}

static DBusMessage *information(DBusMessage *call) {
    const char *name = "stub", *vendor = "Belfry", *version = "1.0", *specification = "1.2";
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(reply, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &vendor, DBUS_TYPE_STRING, &version,
        DBUS_TYPE_STRING, &specification, DBUS_TYPE_INVALID);
    return reply;
}

static DBusMessage *capabilities(DBusMessage *call) {
    const char *names[] = {"body", "actions"};
    const char **list = names;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(reply, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &list, 2, DBUS_TYPE_INVALID);
    return reply;
}

static DBusHandlerResult handle(DBusConnection *bus, DBusMessage *call, void *context) {
    struct counter *counter = context;
    DBusMessage *reply;
    if (dbus_message_is_method_call(call, SERVICE, "Notify")) reply = notify(counter, call);
    else if (dbus_message_is_method_call(call, SERVICE, "GetServerInformation")) reply = information(call);
    else if (dbus_message_is_method_call(call, SERVICE, "GetCapabilities")) reply = capabilities(call);
    else if (dbus_message_is_method_call(call, SERVICE, "CloseNotification")) reply = dbus_message_new_method_return(call);
    else if (dbus_message_is_method_call(call, REPORTING, "Report")) reply = report(counter, call);
    else return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    dbus_connection_send(bus, reply, NULL);
    dbus_message_unref(reply);
    return DBUS_HANDLER_RESULT_HANDLED;
}

int benchmark_stub_serve(const char *address) {
    static const DBusObjectPathVTable table = {.message_function = handle};
    struct counter counter = {.in_order = true};
    DBusConnection *bus = dbus_connection_open_private(address, NULL);
    if (!bus) return -ECONNREFUSED;
    dbus_connection_set_exit_on_disconnect(bus, FALSE);
    int status = -ECONNREFUSED;
    if (dbus_bus_register(bus, NULL)
        && dbus_bus_request_name(bus, SERVICE, DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
        && dbus_connection_register_object_path(bus, "/org/freedesktop/Notifications", &table, &counter)) {
        puts("ready");
        fflush(stdout);
        while (dbus_connection_read_write_dispatch(bus, -1)) {}
        status = 0;
    }
    dbus_connection_close(bus);
    dbus_connection_unref(bus);
    return status;
}

int benchmark_stub_report(const char *address, uint32_t *count, bool *in_order) {
    DBusConnection *bus = dbus_connection_open_private(address, NULL);
    if (!bus) return -ECONNREFUSED;
    dbus_connection_set_exit_on_disconnect(bus, FALSE);
    int status = -EPROTO;
    dbus_bool_t rising = FALSE;
    DBusMessage *call = dbus_message_new_method_call(SERVICE, "/org/freedesktop/Notifications", REPORTING, "Report");
    DBusMessage *reply =
        dbus_bus_register(bus, NULL) ? dbus_connection_send_with_reply_and_block(bus, call, 10000, NULL) : NULL;
    if (reply
        && dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT32, count, DBUS_TYPE_BOOLEAN, &rising, DBUS_TYPE_INVALID))
        status = 0;
    *in_order = rising;
    if (reply) dbus_message_unref(reply);
    dbus_message_unref(call);
    dbus_connection_close(bus);
    dbus_connection_unref(bus);
    return status;
}
