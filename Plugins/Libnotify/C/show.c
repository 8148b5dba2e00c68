#include <libnotify/notify.h>
#include <string.h>

#include "bus.h"

/* ---- A notice as libnotify's object ----------------------------------------------------------------------------- */

/* Plain text in the form that the server expects, to be freed with g_free. */
static char *plain_for(const ln_server *server, const char *text) {
    GString *out = g_string_new(text);
    if (belfry_libnotify_server_can(server, "body-markup")) {
        g_string_replace(out, "&", "&amp;", 0);
        g_string_replace(out, "<", "&lt;", 0);
        g_string_replace(out, ">", "&gt;", 0);
    }
    return g_string_free(out, FALSE);
}

/*
 * Sets the texts. The subtitle, which the specification lacks, becomes the body's first line. Without a title it
 * becomes the title, else the app's name does: libnotify refuses an empty one.
 */
static NotifyNotification *with_texts(const ln_notice *notice, const ln_server *server) {
    bool has_title = *notice->title != '\0', has_subtitle = *notice->subtitle != '\0';
    const char *title = has_title ? notice->title : has_subtitle ? notice->subtitle : notice->app_name;
    char *first = plain_for(server, has_title ? notice->subtitle : "");
    char *rest = notice->body_is_markup ? g_strdup(notice->body) : plain_for(server, notice->body);
    char *body = g_strconcat(first, *first != '\0' && *rest != '\0' ? "\n" : "", rest, NULL);
    NotifyNotification *object = notify_notification_new(title, body, NULL);
    g_free(first);
    g_free(rest);
    g_free(body);
    return object;
}

/*
 * Sets a theme name, or a file's address, since not all servers take a path. Since 0.8.4 libnotify sends "icon-name" as
 * the hint "image-path", which the notice's image would replace; there the app's icon has its own property.
 */
static void set_icon(NotifyNotification *object, const char *icon) {
    char *address = *icon == '/' ? g_filename_to_uri(icon, NULL, NULL) : NULL;
    bool is_split = g_object_class_find_property(G_OBJECT_GET_CLASS(object), "app-icon") != NULL;
    if (*icon != '\0') g_object_set(object, is_split ? "app-icon" : "icon-name", address == NULL ? icon : address, NULL);
    g_free(address);
}

static void set_hints(NotifyNotification *object, const ln_notice *notice) {
    GVariantIter each;
    const char *key;
    GVariant *value;
    g_variant_iter_init(&each, notice->hints);
    while (g_variant_iter_loop(&each, "{&sv}", &key, &value)) notify_notification_set_hint(object, key, value);
}

/* libnotify requires a callback. The user's choice is read from the server's signals instead: see signals.c. */
static void on_action(NotifyNotification *object, char *key, gpointer data) { (void)object, (void)key, (void)data; }

static NotifyNotification *object_of(const ln_notice *notice, const ln_server *server) {
    NotifyNotification *object = with_texts(notice, server);
    set_icon(object, notice->icon);
    notify_notification_set_app_name(object, notice->app_name);
    notify_notification_set_timeout(object, notice->expire_after_ms);
    set_hints(object, notice);
    if (notice->pixels != NULL)
        notify_notification_set_hint(object, belfry_libnotify_server_pixels_hint(server), notice->pixels);
    for (guint i = 0; i < notice->actions->len; i++) {
        const ln_action *action = g_ptr_array_index(notice->actions, i);
        notify_notification_add_action(object, action->key, action->title, on_action, NULL, NULL);
    }
    return object;
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

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

/* Completes a delivery with success. False if it was completed before, for example after its timeout. */
static bool complete_shown(ln_worker *worker, ln_call *call, uint32_t server_id, bool did_replace) {
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
    return belfry_libnotify_call_complete(worker->instance, call, &result);
}

/* Closes a number on the screen. Also true if it is no longer there. */
static bool close_number(ln_worker *worker, uint64_t server_id, GError **error) {
    if (server_id == 0 || server_id > G_MAXINT32) return true;
    NotifyNotification *object = notify_notification_new("closed", NULL, NULL);
    g_object_set(object, "id", (int)server_id, NULL);
    bool is_done = notify_notification_close(object, error);
    g_object_unref(object);
    /* The specification requires an error if the notice no longer exists. */
    if (!is_done && belfry_libnotify_bus_status_of(*error) == BELFRY_STATUS_REJECTED) {
        g_clear_error(error);
        is_done = true;
    }
    worker->replied_at = is_done ? g_get_monotonic_time() : 0;
    return is_done;
}

void belfry_libnotify_show(ln_worker *worker, ln_call *call) {
    ln_notice *notice = call->notice;
    NotifyNotification *object = object_of(notice, worker->server);
    uint32_t replaces = number_to_replace(worker, notice);
    int number = (int)replaces;
    g_object_set(object, "id", number, NULL);
    GError *error = NULL;
    /* Afterwards the first reply among the messages is the one to this Notify. */
    if (replaces != 0) belfry_libnotify_signals_take(worker, false);
    bool is_shown = notify_notification_show(object, &error);
    g_object_get(object, "id", &number, NULL);
    g_object_unref(object);
    worker->replied_at = is_shown ? g_get_monotonic_time() : 0;
    uint32_t server_id = (uint32_t)number;
    bool did_replace = replaces != 0 && server_id == replaces;
    if (!is_shown) {
        fail(worker, call, error, "The notification server didn't take the notice");
    } else if (server_id == 0) { /* notify-osd returns it when it opens a dialog instead */
        belfry_libnotify_call_fail(
            worker->instance, call, BELFRY_STATUS_REJECTED,
            "The notification server gave the number 0, which means that it shows nothing under this number.");
    } else {
        /* Earlier signals about this number concern the notice that had it before. */
        if (did_replace) belfry_libnotify_signals_take(worker, true);
        if (complete_shown(worker, call, server_id, did_replace)) {
            belfry_libnotify_shown_add(&worker->shown, server_id, notice);
        } else { /* The host saw the call fail and tries again, so this notice must not stay. */
            close_number(worker, server_id, &error);
        }
    }
    g_clear_error(&error);
}

void belfry_libnotify_withdraw(ln_worker *worker, ln_call *call) {
    GError *error = NULL;
    belfry_result done = {.struct_size = sizeof done, .status = BELFRY_STATUS_OK};
    if (close_number(worker, call->server_id, &error)) {
        belfry_libnotify_call_complete(worker->instance, call, &done);
    } else {
        fail(worker, call, error, "The notification server didn't take the notice off the screen");
    }
    g_clear_error(&error);
}
