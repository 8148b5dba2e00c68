#include "object.h"

#include <string.h>

/* Larger pictures cost every server a quarter of a second and are scaled down by it anyway. */
#define PICTURE_SIDE 256

/* Plain text as the server reads it, to be freed with g_free. */
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
 * The subtitle, which the specification doesn't know, is the body's first line. Without a title it is the title, else the
 * app's name: libnotify refuses an empty one.
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

/* A name of the theme, or the address of a file: servers differ in whether they take a path. */
static void set_icon(NotifyNotification *object, const char *icon) {
    char *address = *icon == '/' ? g_filename_to_uri(icon, NULL, NULL) : NULL;
    if (*icon != '\0') g_object_set(object, "icon-name", address == NULL ? icon : address, NULL);
    g_free(address);
}

static GVariant *pixels_variant(GdkPixbuf *picture) {
    GBytes *bytes = gdk_pixbuf_read_pixel_bytes(picture);
    GVariant *variant = g_variant_new(
        "(iiibii@ay)", gdk_pixbuf_get_width(picture), gdk_pixbuf_get_height(picture),
        gdk_pixbuf_get_rowstride(picture), gdk_pixbuf_get_has_alpha(picture),
        gdk_pixbuf_get_bits_per_sample(picture), gdk_pixbuf_get_n_channels(picture),
        g_variant_new_from_bytes(G_VARIANT_TYPE("ay"), bytes, TRUE));
    g_bytes_unref(bytes);
    return variant;
}

/* Not through libnotify's own function: it goes by the version of the first server that it ever met. */
static void set_pixels(NotifyNotification *object, ln_notice *notice, const ln_server *server) {
    int width = gdk_pixbuf_get_width(notice->pixels), height = gdk_pixbuf_get_height(notice->pixels);
    int longer = MAX(width, height);
    GdkPixbuf *sent = longer <= PICTURE_SIDE
                        ? g_object_ref(notice->pixels)
                        : gdk_pixbuf_scale_simple(
                              notice->pixels, MAX(1, width * PICTURE_SIDE / longer),
                              MAX(1, height * PICTURE_SIDE / longer), GDK_INTERP_BILINEAR);
    if (sent == NULL) {
        belfry_libnotify_notice_lose(notice, BELFRY_LOST_IMAGE, "There is no memory for the image.");
        return;
    }
    notify_notification_set_hint(object, belfry_libnotify_server_pixels_hint(server), pixels_variant(sent));
    g_object_unref(sent);
}

static void set_hints(NotifyNotification *object, const ln_notice *notice) {
    GVariantIter each;
    const char *key;
    GVariant *value;
    g_variant_iter_init(&each, notice->hints);
    while (g_variant_iter_loop(&each, "{&sv}", &key, &value)) notify_notification_set_hint(object, key, value);
}

/* libnotify has to be given one. What is chosen is heard from the server: see signals.h. */
static void on_action(NotifyNotification *object, char *key, gpointer data) { (void)object, (void)key, (void)data; }

NotifyNotification *belfry_libnotify_object_new(ln_notice *notice, const ln_server *server) {
    NotifyNotification *object = with_texts(notice, server);
    set_icon(object, notice->icon);
    notify_notification_set_app_name(object, notice->app_name);
    notify_notification_set_timeout(object, notice->expire_after_ms);
    set_hints(object, notice);
    if (notice->pixels != NULL) set_pixels(object, notice, server);
    for (guint i = 0; i < notice->actions->len; i++) {
        const ln_action *action = g_ptr_array_index(notice->actions, i);
        notify_notification_add_action(object, action->key, action->title, on_action, NULL, NULL);
    }
    return object;
}
