#include "benchmark_bus.h"

#include <dbus/dbus.h>
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* One entry of the hints. */
static void append_hint(DBusMessageIter *hints, const char *key, const char *type, const void *value) {
    DBusMessageIter entry, variant;
    dbus_message_iter_open_container(hints, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, type, &variant);
    dbus_message_iter_append_basic(&variant, *type, value);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(hints, &entry);
}

/* What the D-Bus backend sends for the same content, argument for argument. The call is the caller's. */
static DBusMessage *message(size_t number) {
    char title_text[40], body_text[100];
    snprintf(title_text, sizeof title_text, "Reminder number %zu", number);
    snprintf(body_text, sizeof body_text, "What was to be done today, in a sentence or two: item %zu.", number);
    const char *app = "Benchmark", *icon = "", *title = title_text, *body = body_text, *key = "default";
    const char *desktop_entry = "org.example.Benchmark";
    uint32_t replaces = 0;
    unsigned char urgency = 1;
    int64_t sender = getpid();
    int32_t expiry = -1;
    DBusMessageIter arguments, actions, hints;
    DBusMessage *call = dbus_message_new_method_call("org.freedesktop.Notifications", "/org/freedesktop/Notifications",
        "org.freedesktop.Notifications", "Notify");
    dbus_message_iter_init_append(call, &arguments);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &app);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &replaces);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &icon);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &title);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &body);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "s", &actions);
    dbus_message_iter_append_basic(&actions, DBUS_TYPE_STRING, &key);
    dbus_message_iter_append_basic(&actions, DBUS_TYPE_STRING, &app);
    dbus_message_iter_close_container(&arguments, &actions);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &hints);
    append_hint(&hints, "urgency", "y", &urgency);
    append_hint(&hints, "desktop-entry", "s", &desktop_entry);
    append_hint(&hints, "sender-pid", "x", &sender);
    dbus_message_iter_close_container(&arguments, &hints);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_INT32, &expiry);
    return call;
}

struct progress {
    size_t open;
    size_t answered;
    bool failed;
};

static void take_answer(DBusPendingCall *pending, void *context) {
    struct progress *progress = context;
    DBusMessage *reply = dbus_pending_call_steal_reply(pending);
    uint32_t id = 0;
    if (!reply || !dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT32, &id, DBUS_TYPE_INVALID) || !id)
        progress->failed = true;
    if (reply) dbus_message_unref(reply);
    progress->open--;
    progress->answered++;
}

/* What is pending is freed by libdbus when it has been answered: the reference is given up here. */
static bool send_call(DBusConnection *bus, size_t number, struct progress *progress) {
    DBusPendingCall *pending = NULL;
    DBusMessage *call = message(number);
    bool sent = dbus_connection_send_with_reply(bus, call, &pending, 60000) && pending;
    dbus_message_unref(call);
    if (!sent) return false;
    progress->open++;
    dbus_pending_call_set_notify(pending, take_answer, progress, NULL);
    dbus_pending_call_unref(pending);
    return true;
}

int benchmark_notify_window(const char *address, size_t count, size_t window, double *elapsed) {
    DBusConnection *bus = dbus_connection_open_private(address, NULL);
    if (!bus) return -ECONNREFUSED;
    dbus_connection_set_exit_on_disconnect(bus, FALSE);
    struct progress progress = {0};
    bool works = dbus_bus_register(bus, NULL);
    double begun = seconds();
    for (size_t sent = 0; works && progress.answered < count;) {
        while (works && sent < count && progress.open < window) works = send_call(bus, sent++, &progress);
        works = works && dbus_connection_read_write_dispatch(bus, 60000) && !progress.failed;
    }
    *elapsed = seconds() - begun;
    dbus_connection_close(bus);
    dbus_connection_unref(bus);
    return works ? 0 : -EPROTO;
}
