#include "show.h"

#include <libnotify/notify.h>
#include <string.h>

#include "bus.h"
#include "object.h"
#include "signals.h"

static void fail(ln_worker *worker, ln_call *call, GError *error, const char *what) {
    belfry_status status = belfry_libnotify_bus_status_of(error);
    g_dbus_error_strip_remote_error(error);
    char *message = g_strdup_printf(
        "%s: %s (%s, %s)", what, error->message, worker->server->information[0], worker->owner);
    belfry_libnotify_call_fail(worker->instance, call, status, message);
    g_free(message);
}

/* The number to send as `replaces_id`; 0 for a new notice. libnotify keeps numbers as int. */
static uint32_t number_to_replace(const ln_worker *worker, const ln_notice *notice) {
    bool is_current = strcmp(notice->replaces_instance, worker->server->instance) == 0;
    return is_current && notice->replaces <= G_MAXINT32 ? (uint32_t)notice->replaces : 0;
}

/* Whether the host took it for shown. */
static bool answer_shown(ln_worker *worker, ln_call *call, uint32_t server_id, bool did_replace) {
    ln_notice *notice = call->notice;
    if (notice->replaces != 0 && !did_replace)
        belfry_libnotify_notice_lose(
            notice, BELFRY_LOST_REPLACEMENT,
            "The server doesn't have what was to be replaced any more; this is a new notice.");
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = server_id,
        .server_instance = belfry_libnotify_borrow(worker->server->instance)};
    belfry_result result = {
        .struct_size = sizeof result, .status = BELFRY_STATUS_OK, .receipt = &receipt,
        .flags = did_replace ? BELFRY_RESULT_REPLACED : 0,
        .lost = (const belfry_loss *const *)notice->losses->pdata, .lost_count = notice->losses->len};
    return belfry_libnotify_call_answer(worker->instance, call, &result);
}

/* Takes the number off the screen. True also where it isn't there any more. */
static bool close_number(ln_worker *worker, uint64_t server_id, GError **error) {
    if (server_id == 0 || server_id > G_MAXINT32) return true;
    NotifyNotification *object = notify_notification_new("closed", NULL, NULL);
    g_object_set(object, "id", (int)server_id, NULL);
    bool is_done = notify_notification_close(object, error);
    g_object_unref(object);
    /* The specification: an error when the notice doesn't exist any more. */
    if (!is_done && belfry_libnotify_bus_status_of(*error) == BELFRY_STATUS_REJECTED) {
        g_clear_error(error);
        is_done = true;
    }
    worker->answered_at = is_done ? g_get_monotonic_time() : 0;
    return is_done;
}

void belfry_libnotify_show(ln_worker *worker, ln_call *call) {
    ln_notice *notice = call->notice;
    NotifyNotification *object = belfry_libnotify_object_new(notice, worker->server);
    uint32_t replaces = number_to_replace(worker, notice);
    int number = (int)replaces;
    g_object_set(object, "id", number, NULL);
    GError *error = NULL;
    bool is_shown = notify_notification_show(object, &error);
    g_object_get(object, "id", &number, NULL);
    g_object_unref(object);
    worker->answered_at = is_shown ? g_get_monotonic_time() : 0;
    uint32_t server_id = (uint32_t)number;
    bool did_replace = replaces != 0 && server_id == replaces;
    if (!is_shown) {
        fail(worker, call, error, "The notification server didn't take the notice");
    } else if (server_id == 0) { /* notify-osd does so when it opens a dialog instead */
        belfry_libnotify_call_fail(
            worker->instance, call, BELFRY_STATUS_REJECTED,
            "The notification server gave the number 0, which means that it shows nothing under this number.");
    } else {
        /* What it said of the number before its reply was about the notice that had it. */
        if (did_replace) belfry_libnotify_signals_take(worker, true);
        if (answer_shown(worker, call, server_id, did_replace)) {
            belfry_libnotify_shown_add(&worker->shown, server_id, notice);
        } else { /* The host was told that it failed, and tries again: what came through all the same must not stay. */
            close_number(worker, server_id, &error);
        }
    }
    g_clear_error(&error);
}

void belfry_libnotify_withdraw(ln_worker *worker, ln_call *call) {
    GError *error = NULL;
    belfry_result done = {.struct_size = sizeof done, .status = BELFRY_STATUS_OK};
    if (close_number(worker, call->server_id, &error)) {
        belfry_libnotify_call_answer(worker->instance, call, &done);
    } else {
        fail(worker, call, error, "The notification server didn't take the notice off the screen");
    }
    g_clear_error(&error);
}
