#include "hints.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "losses.h"

/* Larger pictures cost every server a quarter of a second and are scaled down by it anyway. */
#define PICTURE_SIDE 256

/* Why the file can't be read, or NULL. Borrowed. */
static const char *problem_with_file(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return g_strerror(errno);
    if (!S_ISREG(status.st_mode)) return "Not a regular file";
    if (status.st_size == 0) return "The file is empty";
    return access(path, R_OK) == 0 ? NULL : g_strerror(errno);
}

/* Whether a name of the theme, or a path or file: address that can be read. Else a loss. */
static bool is_usable(ln_notice *notice, const char *value, bool may_be_name, belfry_loss_kind kind) {
    if (may_be_name && strchr(value, '/') == NULL) return true;
    char *path = g_str_has_prefix(value, "file:") ? g_filename_from_uri(value, NULL, NULL) : g_strdup(value);
    const char *problem = path == NULL || *path != '/' ? "Neither an absolute path nor a file: address"
                                                       : problem_with_file(path);
    g_free(path);
    if (problem != NULL) belfry_libnotify_losses_add(notice->losses, kind, "%s: %s", value, problem);
    return problem == NULL;
}

const char *belfry_libnotify_usable_icon(ln_notice *notice) {
    if (*notice->icon == '\0') return NULL;
    return is_usable(notice, notice->icon, true, BELFRY_LOST_ICON) ? notice->icon : NULL;
}

static GVariant *pixels_variant(GdkPixbuf *picture) {
    gsize length = gdk_pixbuf_get_byte_length(picture);
    GVariant *bytes = g_variant_new_from_data(
        G_VARIANT_TYPE("ay"), gdk_pixbuf_read_pixels(picture), length, TRUE, g_object_unref, g_object_ref(picture));
    return g_variant_new(
        "(iiibii@ay)", gdk_pixbuf_get_width(picture), gdk_pixbuf_get_height(picture),
        gdk_pixbuf_get_rowstride(picture), gdk_pixbuf_get_has_alpha(picture),
        gdk_pixbuf_get_bits_per_sample(picture), gdk_pixbuf_get_n_channels(picture), bytes);
}

/* Not through libnotify's own function: it goes by the version of the first server that it ever met. */
static void set_pixels(NotifyNotification *object, ln_notice *notice, const ln_server *server) {
    const ln_pixels *from = notice->pixels;
    GdkPixbuf *picture = gdk_pixbuf_new_from_data(
        from->bytes, GDK_COLORSPACE_RGB, from->has_alpha, 8, from->width, from->height, from->row_stride, NULL, NULL);
    int longer = MAX(from->width, from->height);
    GdkPixbuf *sent =
        longer <= PICTURE_SIDE
            ? gdk_pixbuf_copy(picture)
            : gdk_pixbuf_scale_simple(
                  picture, MAX(1, from->width * PICTURE_SIDE / longer), MAX(1, from->height * PICTURE_SIDE / longer),
                  GDK_INTERP_BILINEAR);
    g_object_unref(picture);
    if (sent == NULL) {
        belfry_libnotify_losses_add(notice->losses, BELFRY_LOST_IMAGE, "There is no memory for the image.");
        return;
    }
    notify_notification_set_hint(object, belfry_libnotify_server_pixels_hint(server), pixels_variant(sent));
    g_object_unref(sent);
}

static void set_string(NotifyNotification *object, GHashTable *set, const char *key, const char *value) {
    g_hash_table_add(set, g_strdup(key));
    if (*value != '\0') notify_notification_set_hint(object, key, g_variant_new_string(value));
}

static void set_true(NotifyNotification *object, GHashTable *set, const char *key, bool value) {
    if (!value) return;
    g_hash_table_add(set, g_strdup(key));
    notify_notification_set_hint(object, key, g_variant_new_boolean(TRUE));
}

static void set_sound(NotifyNotification *object, GHashTable *set, ln_notice *notice, const ln_server *server) {
    set_true(object, set, "suppress-sound", notice->sound_kind == BELFRY_SOUND_SUPPRESSED);
    bool is_name = notice->sound_kind == BELFRY_SOUND_NAME, is_file = notice->sound_kind == BELFRY_SOUND_FILE;
    if ((!is_name && !is_file) || *notice->sound == '\0') return;
    if (is_file && !is_usable(notice, notice->sound, false, BELFRY_LOST_SOUND)) return;
    set_string(object, set, is_name ? "sound-name" : "sound-file", notice->sound);
    if (!belfry_libnotify_server_can(server, "sound"))
        belfry_libnotify_losses_add(notice->losses, BELFRY_LOST_SOUND, "The server doesn't play sounds.");
}

static void set_image(NotifyNotification *object, GHashTable *set, ln_notice *notice, const ln_server *server) {
    if (notice->pixels != NULL) {
        g_hash_table_add(set, g_strdup(belfry_libnotify_server_pixels_hint(server)));
        set_pixels(object, notice, server);
    } else if (*notice->image_path != '\0' && is_usable(notice, notice->image_path, true, BELFRY_LOST_IMAGE)) {
        set_string(object, set, "image-path", notice->image_path);
    }
}

/* KDE's extension, which others have taken over: what the empty field and its button say. */
static void set_reply(NotifyNotification *object, GHashTable *set, ln_notice *notice, const ln_server *server) {
    if (!belfry_libnotify_server_can(server, "inline-reply")) return;
    for (guint i = 0; i < notice->actions->len; i++) {
        const ln_action *action = g_ptr_array_index(notice->actions, i);
        if (action->kind != BELFRY_ACTION_REPLY) continue;
        set_string(object, set, "x-kde-reply-placeholder-text", action->placeholder);
        set_string(object, set, "x-kde-reply-submit-button-text", action->title);
        return;
    }
}

/* NULL where the number doesn't fit the type, or the type is unknown. */
static GVariant *extra_variant(const ln_hint *hint) {
    int64_t number = hint->integer;
    switch (hint->type) {
    case BELFRY_HINT_STRING: return g_variant_new_string(hint->string);
    case BELFRY_HINT_BOOLEAN: return g_variant_new_boolean(number != 0);
    case BELFRY_HINT_BYTE: return number < 0 || number > UINT8_MAX ? NULL : g_variant_new_byte((guint8)number);
    case BELFRY_HINT_INT32:
        return number < INT32_MIN || number > INT32_MAX ? NULL : g_variant_new_int32((gint32)number);
    case BELFRY_HINT_UINT32: return number < 0 || number > UINT32_MAX ? NULL : g_variant_new_uint32((guint32)number);
    case BELFRY_HINT_INT64: return g_variant_new_int64(number);
    case BELFRY_HINT_DOUBLE: return g_variant_new_double(hint->real);
    default: return NULL;
    }
}

/* The hints by which servers recognize what a notice takes the place of. */
static bool is_tag(const char *key) {
    static const char *const tags[] = {
        "x-dunst-stack-tag", "x-canonical-private-synchronous", "private-synchronous", "synchronous", NULL};
    return g_strv_contains(tags, key);
}

/* Why a tag must not be sent, or NULL. Beside a number to replace it crashes mako 1.7.1 and 1.10.0. */
static const char *problem_with_tag(bool replaces, const ln_server *server) {
    if (replaces) return "the notice takes the place of the former one by its number";
    return belfry_libnotify_server_mistakes_tags(server) ? "the server gives no number to what has it" : NULL;
}

static void set_extra(
    NotifyNotification *object, GHashTable *set, ln_notice *notice, const ln_server *server, bool replaces) {
    for (guint i = 0; i < notice->hints->len; i++) {
        const ln_hint *hint = g_ptr_array_index(notice->hints, i);
        const char *problem = is_tag(hint->key) ? problem_with_tag(replaces, server) : NULL;
        bool is_taken = *hint->key == '\0' || g_hash_table_contains(set, hint->key);
        GVariant *value = is_taken || problem != NULL ? NULL : extra_variant(hint);
        if (value != NULL) {
            notify_notification_set_hint(object, hint->key, value);
        } else {
            belfry_libnotify_losses_add(
                notice->losses, BELFRY_LOST_HINT, "The extra hint `%s` isn't sent: %s.", hint->key,
                problem != NULL ? problem
                : is_taken ? "a field of the notice says it already, or its key is empty"
                         : "its type is unknown or its number doesn't fit the type");
        }
    }
}

void belfry_libnotify_hints_set(
    NotifyNotification *object, ln_notice *notice, const ln_server *server, const char *desktop_entry, bool replaces) {
    GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    NotifyUrgency urgency = notice->level == BELFRY_LEVEL_PASSIVE    ? NOTIFY_URGENCY_LOW
                          : notice->level == BELFRY_LEVEL_CRITICAL ? NOTIFY_URGENCY_CRITICAL
                                                                   : NOTIFY_URGENCY_NORMAL;
    g_hash_table_add(set, g_strdup("urgency"));
    notify_notification_set_urgency(object, urgency);
    if (*notice->category != '\0') set_string(object, set, "category", notice->category);
    const char *entry = *notice->desktop_entry != '\0' ? notice->desktop_entry : desktop_entry;
    if (*entry != '\0') set_string(object, set, "desktop-entry", entry);
    set_true(object, set, "transient", notice->is_transient);
    set_true(object, set, "resident", notice->is_resident);
    if (notice->progress >= 0) {
        g_hash_table_add(set, g_strdup("value"));
        notify_notification_set_hint(object, "value", g_variant_new_int32(notice->progress));
    }
    set_image(object, set, notice, server);
    set_sound(object, set, notice, server);
    set_reply(object, set, notice, server);
    set_extra(object, set, notice, server, replaces);
    g_hash_table_unref(set);
}
