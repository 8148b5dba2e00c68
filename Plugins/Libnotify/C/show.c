#include "show.h"

#include <libnotify/notify.h>
#include <string.h>

#include "bus.h"
#include "hints.h"
#include "losses.h"
#include "signals.h"
#include "wording.h"

static void fail(ln_worker *worker, ln_call *call, GError *error, const char *what) {
    belfry_status status = belfry_libnotify_bus_status_of(error);
    g_dbus_error_strip_remote_error(error);
    char *message =
        g_strdup_printf("%s: %s (%s, %s)", what, error->message, worker->server->name, worker->owner);
    belfry_libnotify_call_fail(worker->instance, call, status, message);
    g_free(message);
}

/* The number to send as `replaces_id`; 0 for a new notice. */
static int number_to_replace(ln_worker *worker, ln_notice *notice) {
    if (notice->replaces == 0) return 0;
    if (strcmp(notice->replaces_instance, worker->server->instance) == 0 && notice->replaces <= G_MAXINT32)
        return (int)notice->replaces;
    belfry_libnotify_losses_add(
        notice->losses, BELFRY_LOST_REPLACEMENT,
        "What was to be replaced went with the server that showed it; this is a new notice.");
    return 0;
}

static NotifyNotification *make_object(ln_worker *worker, ln_notice *notice, int replaces) {
    ln_wording wording = belfry_libnotify_wording(notice, worker->server, worker->instance->app_name);
    const char *icon = belfry_libnotify_usable_icon(notice);
    NotifyNotification *object = notify_notification_new(wording.summary, wording.body, icon);
    belfry_libnotify_wording_clear(&wording);
    /* A number of its own instead of the old object: libnotify tells of an object's closing once, and never again. */
    if (replaces != 0) g_object_set(object, "id", replaces, NULL);
    if (*notice->app_name != '\0') notify_notification_set_app_name(object, notice->app_name);
    notify_notification_set_timeout(object, notice->expire_after_ms);
    belfry_libnotify_hints_set(object, notice, worker->server, worker->instance->desktop_entry, replaces != 0);
    return object;
}

/* libnotify has to be given one. What is chosen is heard from the server: see signals.h. */
static void on_action(NotifyNotification *object, char *key, gpointer data) { (void)object, (void)key, (void)data; }

static void add_actions(NotifyNotification *object, ln_notice *notice, const ln_server *server, const char *app_name) {
    if (!belfry_libnotify_actions_prepare(notice, server, app_name)) return;
    for (guint i = 0; i < notice->actions->len; i++) {
        const ln_action *action = g_ptr_array_index(notice->actions, i);
        notify_notification_add_action(object, action->key, action->title, on_action, NULL, NULL);
    }
}

/* Whether the host took it for shown. */
static bool answer_shown(ln_worker *worker, ln_call *call, uint32_t server_id, uint32_t replaces) {
    ln_notice *notice = call->notice;
    bool did_replace = replaces != 0 && server_id == replaces;
    if (replaces != 0 && !did_replace)
        belfry_libnotify_losses_add(
            notice->losses, BELFRY_LOST_REPLACEMENT,
            "The server no longer had what was to be replaced; this is a new notice.");
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = server_id,
        .server_instance = belfry_libnotify_borrow(worker->server->instance)};
    belfry_result result = {
        .struct_size = sizeof result, .status = BELFRY_STATUS_OK, .receipt = &receipt,
        .flags = did_replace ? BELFRY_RESULT_REPLACED : 0,
        .lost = (const belfry_loss *const *)notice->losses->pdata, .lost_count = notice->losses->len};
    return belfry_libnotify_call_answer(worker->instance, call, &result);
}

static uint32_t number_of(NotifyNotification *object) {
    int number = 0;
    g_object_get(object, "id", &number, NULL);
    return (uint32_t)number;
}

void belfry_libnotify_show(ln_worker *worker, ln_call *call) {
    ln_notice *notice = call->notice;
    int replaces = number_to_replace(worker, notice);
    NotifyNotification *object = make_object(worker, notice, replaces);
    add_actions(object, notice, worker->server, worker->instance->app_name);
    GError *error = NULL;
    bool is_shown = notify_notification_show(object, &error);
    uint32_t server_id = number_of(object);
    g_object_unref(object);
    worker->answered_at = is_shown ? g_get_monotonic_time() : 0;
    if (!is_shown) {
        fail(worker, call, error, "The notification server didn't take the notice");
        g_error_free(error);
    } else if (server_id == 0) { /* notify-osd does so when it opens a dialog instead */
        belfry_libnotify_call_fail(
            worker->instance, call, BELFRY_STATUS_REJECTED,
            "The notification server gave the number 0, which means that it shows nothing under this number.");
    } else {
        /* What it said of the number before its reply was about the notice that had it. */
        if (server_id == (uint32_t)replaces) belfry_libnotify_signals_take(worker, true);
        if (answer_shown(worker, call, server_id, (uint32_t)replaces)) {
            belfry_libnotify_shown_add(&worker->shown, server_id, notice);
        } else { /* The host was told that it failed, and tries again: what came through all the same must not stay. */
            belfry_libnotify_bus_take_back(worker, server_id);
        }
    }
}

/* For what is on the screen already; NULL for a number that libnotify has no room for. */
static NotifyNotification *object_of(uint64_t server_id) {
    if (server_id == 0 || server_id > G_MAXINT32) return NULL;
    NotifyNotification *object = notify_notification_new("closed", NULL, NULL);
    g_object_set(object, "id", (int)server_id, NULL);
    return object;
}

void belfry_libnotify_withdraw(ln_worker *worker, ln_call *call) {
    NotifyNotification *object = object_of(call->server_id);
    GError *error = NULL;
    if (object == NULL || notify_notification_close(object, &error)) {
        belfry_result result = {.struct_size = sizeof result, .status = BELFRY_STATUS_OK};
        if (object != NULL) worker->answered_at = g_get_monotonic_time();
        belfry_libnotify_call_answer(worker->instance, call, &result);
    } else if (belfry_libnotify_bus_status_of(error) == BELFRY_STATUS_REJECTED) {
        /* The specification: an error when the notice doesn't exist any more. So it isn't there: done. */
        belfry_result result = {.struct_size = sizeof result, .status = BELFRY_STATUS_OK};
        belfry_libnotify_call_answer(worker->instance, call, &result);
    } else {
        worker->answered_at = 0;
        fail(worker, call, error, "The notification server didn't take the notice off the screen");
    }
    g_clear_error(&error);
    g_clear_object(&object);
}
