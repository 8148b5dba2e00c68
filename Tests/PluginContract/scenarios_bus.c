/* Scenarios about who is there: no server, no bus, a bus that dies, two at once; and with a real server. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract.h"
#include "stub.h"

void scenario_contract(void) {
    const belfry_plugin_descriptor *it = plugin();
    CHECK(it->struct_size == sizeof *it && it->abi_major == BELFRY_PLUGIN_ABI_MAJOR);
    CHECK(it->name.length == strlen("libnotify") && memcmp(it->name.bytes, "libnotify", it->name.length) == 0);
    belfry_start_options options = {.struct_size = sizeof options, .app_name = text("")};
    belfry_plugin_instance *instance = (void *)it;
    CHECK(it->start(&recording_host, &options, &instance) == BELFRY_STATUS_INVALID && instance == NULL);
    CHECK_IN(wait_for_event(BELFRY_EVENT_LOG, 0).text, "app_name");
    CHECK(it->start(NULL, &options, &instance) == BELFRY_STATUS_INVALID);
    CHECK(it->start(&recording_host, NULL, &instance) == BELFRY_STATUS_INVALID);
    belfry_host silent = recording_host;
    silent.struct_size = 8;
    options.app_name = text("Contract");
    CHECK(it->start(&silent, &options, &instance) == BELFRY_STATUS_INVALID);

    instance = start(0, 0);
    belfry_plugin_instance *second = NULL;
    CHECK(it->start(&recording_host, &options, &second) == BELFRY_STATUS_BUSY && second == NULL);
    uint64_t token = new_token();
    it->deliver(instance, token, NULL);
    CHECK(wait_for_outcome(token, LIMIT, NULL).status == BELFRY_STATUS_INVALID);
    token = new_token();
    it->withdraw(instance, token, NULL);
    CHECK(wait_for_outcome(token, LIMIT, NULL).status == BELFRY_STATUS_INVALID);
    /* A notice from a host of long ago, which had nothing but a title. */
    struct {
        uint32_t struct_size, flags;
        belfry_string request_identifier, app_name, desktop_entry, title;
    } old = {.struct_size = sizeof old, .title = text("Old")};
    stub *server = stub_start("stub", "body");
    deliver_ok(instance, (const belfry_notice *)(const void *)&old);
    stop_and_destroy(instance);
    /* Many lives, with calls under way at each end; every token is completed, once, and nothing comes after stop. */
    for (int life = 0; life < 30; life++) {
        instance = start(0, 0);
        uint64_t tokens[5];
        belfry_notice notice = simple_notice("t", "b");
        for (int i = 0; i < 5; i++) it->deliver(instance, tokens[i] = new_token(), &notice);
        it->stop(instance);
        unsigned callbacks = callback_count();
        for (int i = 0; i < 5; i++) {
            outcome result = wait_for_outcome(tokens[i], 0, NULL);
            CHECK(result.completions == 1);
            CHECK(result.status == BELFRY_STATUS_OK || result.status == BELFRY_STATUS_STOPPED);
        }
        it->destroy(instance);
        CHECK(callback_count() == callbacks);
    }
    stub_stop(server);
}

void scenario_no_server(void) {
    belfry_plugin_instance *instance = start(20000, 0);
    belfry_notice notice = simple_notice("t", "b");
    uint64_t token = new_token();
    int took = 0;
    plugin()->deliver(instance, token, &notice);
    outcome failed = wait_for_outcome(token, LIMIT, &took);
    CHECK(failed.status == BELFRY_STATUS_NO_SERVER && took < 15000);
    CHECK_IN(failed.message, "no notification server");
    token = new_token();
    plugin()->capabilities(instance, token);
    CHECK(wait_for_outcome(token, LIMIT, NULL).status == BELFRY_STATUS_NO_SERVER);
    CHECK(withdraw(instance, 3, "somewhere:1.3").status == BELFRY_STATUS_OK);
    CHECK(!has_event(BELFRY_EVENT_SERVER_GONE));
    stub *server = stub_start("late", "body");
    CHECK_TEXT(wait_for_event(BELFRY_EVENT_SERVER_CHANGED, LIMIT).server_name, "late");
    deliver_ok(instance, &notice);
    stop_and_destroy(instance);
    stub_stop(server);
}

void scenario_no_bus(void) {
    /* With a display, where GDBus would launch a bus that outlives everybody. */
    unsetenv("DBUS_SESSION_BUS_ADDRESS");
    setenv("DISPLAY", ":61", 1);
    setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
    char directory[] = "/tmp/belfry-contract-XXXXXX", path[4096], launcher[256], marker[256];
    CHECK(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s:%s", directory, getenv("PATH"));
    setenv("PATH", path, 1);
    snprintf(launcher, sizeof launcher, "%s/dbus-launch", directory);
    snprintf(marker, sizeof marker, "%s/launched", directory);
    FILE *script = fopen(launcher, "w");
    CHECK(script != NULL && fprintf(script, "#!/bin/sh\n: >%s\nexit 1\n", marker) > 0 && fclose(script) == 0);
    CHECK(chmod(launcher, 0700) == 0);
    belfry_plugin_instance *instance = start(20000, 0);
    belfry_notice notice = simple_notice("t", "b");
    int64_t begin = now_ms();
    outcome failed = deliver(instance, &notice);
    CHECK(failed.status == BELFRY_STATUS_NO_BUS && now_ms() - begin < 15000);
    CHECK_IN(failed.message, "DBUS_SESSION_BUS_ADDRESS is not set");
    CHECK(withdraw(instance, 3, "somewhere:1.3").status == BELFRY_STATUS_NO_BUS);
    stop_and_destroy(instance);
    setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);
    instance = start(0, 0);
    failed = deliver(instance, &notice);
    CHECK(failed.status == BELFRY_STATUS_NO_BUS);
    CHECK_IN(failed.message, "no session bus");
    stop_and_destroy(instance);
    setenv("DBUS_SESSION_BUS_ADDRESS", "autolaunch:", 1);
    instance = start(0, 0);
    CHECK(deliver(instance, &notice).status == BELFRY_STATUS_NO_BUS);
    stop_and_destroy(instance);
    CHECK(access(marker, F_OK) != 0);
    unlink(launcher);
    rmdir(directory);
}

/* A bus of this test's own at a fixed address; its process. */
static pid_t start_bus(const char *address) {
    int ready[2];
    CHECK(pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0) {
        char announce[32], listen[320];
        snprintf(announce, sizeof announce, "--print-address=%d", ready[1]);
        snprintf(listen, sizeof listen, "--address=%s", address);
        execlp("dbus-daemon", "dbus-daemon", "--nofork", "--nopidfile", getenv("BELFRY_CONTRACT_BUS"), listen,
               announce, (char *)NULL);
        _exit(127);
    }
    close(ready[1]);
    char byte;
    CHECK(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    return child;
}

void scenario_bus_dies(void) {
    char directory[] = "/tmp/belfry-contract-XXXXXX", address[300], path[256];
    CHECK(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/bus", directory);
    snprintf(address, sizeof address, "unix:path=%s", path);
    setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
    pid_t bus = start_bus(address);
    stub *server = stub_start("first", "body");
    belfry_plugin_instance *instance = start(10000, 0);
    belfry_notice notice = simple_notice("t", "b");
    outcome before = deliver_ok(instance, &notice);
    kill(bus, SIGKILL);
    waitpid(bus, NULL, 0);
    seen_event gone = wait_for_event(BELFRY_EVENT_SERVER_GONE, LIMIT);
    CHECK(gone.status == BELFRY_STATUS_NO_BUS);
    outcome failed = deliver(instance, &notice);
    CHECK(failed.status == BELFRY_STATUS_NO_BUS);
    stub_stop(server);
    unlink(path);
    /* Another bus at the same address: the next call finds it. */
    bus = start_bus(address);
    server = stub_start("second", "body");
    outcome after = deliver_ok(instance, &notice);
    CHECK(strcmp(before.server_instance, after.server_instance) != 0);
    CHECK_TEXT(wait_for_event(BELFRY_EVENT_SERVER_CHANGED, LIMIT).server_name, "second");
    /* The stub's numbers begin anew, and so may unique names; the old receipt is void all the same. */
    CHECK(before.server_id == after.server_id);
    CHECK(withdraw(instance, before.server_id, before.server_instance).status == BELFRY_STATUS_OK);
    stub_emit(server, "NotificationClosed", g_variant_new("(uu)", (guint32)after.server_id, 1));
    seen_event closed = wait_for_event(BELFRY_EVENT_CLOSED, LIMIT);
    CHECK(closed.reason == BELFRY_CLOSED_EXPIRED);
    CHECK_TEXT(closed.server_instance, after.server_instance);
    stop_and_destroy(instance);
    stub_stop(server);
    kill(bus, SIGTERM);
    waitpid(bus, NULL, 0);
    unlink(path);
    rmdir(directory);
}

/* The app made the process's shared connection first, in a context that it doesn't run. */
void scenario_shared_bus_dies(void) {
    char directory[] = "/tmp/belfry-contract-XXXXXX", address[300], path[256];
    CHECK(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/bus", directory);
    snprintf(address, sizeof address, "unix:path=%s", path);
    setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
    pid_t bus = start_bus(address);
    GDBusConnection *shared = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    CHECK(shared != NULL);
    stub *server = stub_start("stub", "body");
    belfry_plugin_instance *instance = start(10000, 0);
    belfry_notice notice = simple_notice("t", "b");
    deliver_ok(instance, &notice);
    kill(bus, SIGKILL);
    waitpid(bus, NULL, 0);
    CHECK(wait_for_event(BELFRY_EVENT_SERVER_GONE, LIMIT).status == BELFRY_STATUS_NO_BUS);
    CHECK(deliver(instance, &notice).status == BELFRY_STATUS_NO_BUS);
    stop_and_destroy(instance);
    stub_stop(server);
    g_object_unref(shared);
    while (g_main_context_iteration(NULL, FALSE)) {
    }
    unlink(path);
    rmdir(directory);
}

static void on_released(gpointer released, GObject *message) { g_async_queue_push(released, message); }

/* Watches a reply like the one to Notify. */
static GDBusMessage *on_message(
    GDBusConnection *connection, GDBusMessage *message, gboolean is_incoming, gpointer released) {
    (void)connection;
    if (is_incoming && g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_METHOD_RETURN
        && g_strcmp0(g_dbus_message_get_signature(message), "u") == 0)
        g_object_weak_ref(G_OBJECT(message), on_released, released);
    return message;
}

/* The app's own calls use the same connection: the plug-in keeps none of their replies. */
void scenario_other_calls(void) {
    GDBusConnection *shared = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    CHECK(shared != NULL);
    stub *server = stub_start("stub", "body");
    belfry_plugin_instance *instance = start(0, 0);
    belfry_notice notice = simple_notice("t", "b");
    deliver_ok(instance, &notice);
    GAsyncQueue *released = g_async_queue_new();
    guint filter = g_dbus_connection_add_filter(shared, on_message, released, NULL);
    GVariant *reply = g_dbus_connection_call_sync(
        shared, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
        g_variant_new("(s)", "org.freedesktop.DBus"), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
    CHECK(reply != NULL);
    g_variant_unref(reply);
    CHECK(g_async_queue_timeout_pop(released, LIMIT * 1000) != NULL);
    g_dbus_connection_remove_filter(shared, filter);
    g_async_queue_unref(released);
    stop_and_destroy(instance);
    stub_stop(server);
    g_object_unref(shared);
    while (g_main_context_iteration(NULL, FALSE)) {
    }
}

static pid_t start_dunst(void) {
    pid_t child = fork();
    if (child == 0) {
        execlp("dunst", "dunst", "-conf", getenv("BELFRY_CONTRACT_DUNST"), (char *)NULL);
        _exit(127);
    }
    return child;
}

void scenario_dunst(void) {
    belfry_plugin_instance *instance = start(30000, 0);
    pid_t dunst = start_dunst();
    CHECK_TEXT(wait_for_event(BELFRY_EVENT_SERVER_CHANGED, LIMIT).server_name, "dunst");
    belfry_action actions[] = {
        {.struct_size = sizeof *actions, .kind = BELFRY_ACTION_BUTTON, .identifier = text("one"), .title = text("One")},
        {.struct_size = sizeof *actions, .kind = BELFRY_ACTION_BUTTON, .identifier = text("two"), .title = text("Two")},
        {.struct_size = sizeof *actions, .kind = BELFRY_ACTION_DEFAULT, .identifier = text("open"), .title = text("Open")}};
    const belfry_action *list[] = {&actions[0], &actions[1], &actions[2]};
    belfry_notice notice = simple_notice("Real", "server");
    notice.request_identifier = text("on dunst");
    notice.actions = list;
    notice.action_count = 3;
    notice.level = BELFRY_LEVEL_CRITICAL; /* stays */
    outcome shown = deliver_ok(instance, &notice);
    if (shown.lost_mask != 0) fail_test(__FILE__, __LINE__, "something was lost on dunst", shown.lost_text);

    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = shown.server_id, .server_instance = text(shown.server_instance)};
    notice.title = text("Replaced");
    notice.replaces = &receipt;
    outcome replaced = deliver_ok(instance, &notice);
    CHECK(replaced.server_id == shown.server_id && (replaced.flags & BELFRY_RESULT_REPLACED) != 0);
    CHECK(run_command("dunstctl count displayed | grep -qx 1") == 0);

    /* The scripted menu picks the line with Two. */
    CHECK(run_command("dunstctl context") == 0);
    seen_event invoked = wait_for_event(BELFRY_EVENT_ACTION, LIMIT);
    CHECK(invoked.server_id == shown.server_id);
    CHECK_TEXT(invoked.action, "two");
    CHECK_TEXT(invoked.request, "on dunst");
    CHECK(run_command("dunstctl action 0") == 0);
    CHECK_TEXT(wait_for_event(BELFRY_EVENT_ACTION, LIMIT).action, "open");
    CHECK(run_command("dunstctl close") == 0);
    seen_event closed = wait_for_event(BELFRY_EVENT_CLOSED, LIMIT);
    CHECK(closed.server_id == shown.server_id && closed.reason == BELFRY_CLOSED_DISMISSED);

    notice.replaces = NULL;
    outcome second = deliver_ok(instance, &notice);
    CHECK(withdraw(instance, second.server_id, second.server_instance).status == BELFRY_STATUS_OK);
    closed = wait_for_event(BELFRY_EVENT_CLOSED, LIMIT);
    CHECK(closed.server_id == second.server_id && closed.reason == BELFRY_CLOSED_WITHDRAWN);

    outcome third = deliver_ok(instance, &notice);
    kill(dunst, SIGKILL);
    waitpid(dunst, NULL, 0);
    CHECK(wait_for_event(BELFRY_EVENT_SERVER_GONE, LIMIT).status == BELFRY_STATUS_NO_SERVER);
    CHECK(deliver(instance, &notice).status == BELFRY_STATUS_NO_SERVER);
    dunst = start_dunst();
    CHECK_TEXT(wait_for_event(BELFRY_EVENT_SERVER_CHANGED, LIMIT).server_name, "dunst");
    receipt = (belfry_receipt){
        .struct_size = sizeof receipt, .server_id = third.server_id, .server_instance = text(third.server_instance)};
    notice.replaces = &receipt;
    outcome anew = deliver_ok(instance, &notice);
    CHECK(anew.lost_mask == 1u << BELFRY_LOST_REPLACEMENT && (anew.flags & BELFRY_RESULT_REPLACED) == 0);
    stop_and_destroy(instance);
    /* What is on the screen stays there when the plug-in stops. */
    CHECK(run_command("dunstctl count displayed | grep -qx 1") == 0);
    kill(dunst, SIGTERM);
    waitpid(dunst, NULL, 0);
}
