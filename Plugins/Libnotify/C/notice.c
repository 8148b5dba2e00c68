#include "notice.h"

#include <stdarg.h>
#include <string.h>

#include "instance.h"

#define MOST_ACTIONS 64u

char *belfry_libnotify_copy_text(belfry_string text) {
    return text.length == 0 ? g_strdup("") : g_utf8_make_valid(text.bytes, (gssize)text.length);
}

/* ---- Losses ---------------------------------------------------------------------------------------------------- */

static void free_loss(gpointer data) {
    belfry_loss *loss = data;
    g_free((char *)loss->detail.bytes);
    g_free(loss);
}

void belfry_libnotify_notice_lose(ln_notice *notice, belfry_loss_kind kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *detail = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    belfry_loss *loss = g_new0(belfry_loss, 1);
    loss->struct_size = sizeof *loss;
    loss->kind = kind;
    loss->detail = belfry_libnotify_borrow(detail);
    g_ptr_array_add(notice->losses, loss);
}

/* ---- Actions --------------------------------------------------------------------------------------------------- */

static void free_action(gpointer data) {
    ln_action *action = data;
    g_free(action->identifier);
    g_free(action->key);
    g_free(action->title);
    g_free(action);
}

/* Whether an identifier can be its own key: short, and not one that servers treat specially. */
static bool can_be_key(const char *identifier) {
    static const char *const special[] = {"default", "settings", LN_REPLY_KEY};
    for (size_t i = 0; i < G_N_ELEMENTS(special); i++)
        if (g_ascii_strcasecmp(identifier, special[i]) == 0) return false;
    return strlen(identifier) <= 64 && strpbrk(identifier, "\n\t") == NULL
        && !g_str_has_prefix(identifier, "belfry-action-");
}

static char *key_of(belfry_action_kind kind, const char *identifier, size_t index) {
    if (kind == BELFRY_ACTION_DEFAULT) return g_strdup("default");
    if (kind == BELFRY_ACTION_REPLY) return g_strdup(LN_REPLY_KEY);
    return can_be_key(identifier) ? g_strdup(identifier) : g_strdup_printf("belfry-action-%zu", index);
}

static void insert_text(GVariantDict *hints, const char *key, belfry_string text) {
    if (text.length == 0) return;
    char *copy = belfry_libnotify_copy_text(text);
    g_variant_dict_insert(hints, key, "s", copy);
    g_free(copy);
}

static void copy_action(ln_notice *copy, GVariantDict *hints, const belfry_action *source, size_t index) {
    belfry_action from;
    LN_READ(from, source);
    ln_action *action = g_new0(ln_action, 1);
    action->identifier = belfry_libnotify_copy_text(from.identifier);
    action->key = key_of(from.kind, action->identifier, index);
    action->title = belfry_libnotify_copy_text(from.title.length > 0 ? from.title : from.identifier);
    g_ptr_array_add(copy->actions, action);
    if (from.icon_name.length > 0)
        belfry_libnotify_notice_lose(
            copy, BELFRY_LOST_ACTION_ICON, "The action `%s` is shown without its icon.", action->identifier);
    if (from.kind != BELFRY_ACTION_REPLY) return;
    /* KDE's extension, which other servers have adopted: the texts of the empty field and its button. */
    insert_text(hints, "x-kde-reply-placeholder-text", from.placeholder);
    insert_text(hints, "x-kde-reply-submit-button-text", from.title);
}

/* ---- Hints ----------------------------------------------------------------------------------------------------- */

/* Returns NULL if the number doesn't fit the type, or the type is unknown. */
static GVariant *extra_variant(const belfry_hint *hint) {
    int64_t number = hint->integer;
    switch (hint->type) {
    case BELFRY_HINT_STRING: return g_variant_new_take_string(belfry_libnotify_copy_text(hint->string));
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

/* Inserted after the fields, which take precedence. */
static void insert_extra(ln_notice *copy, GVariantDict *hints, const belfry_hint *source) {
    belfry_hint from;
    LN_READ(from, source);
    char *key = belfry_libnotify_copy_text(from.key);
    bool is_taken = *key == '\0' || g_variant_dict_contains(hints, key);
    GVariant *value = is_taken ? NULL : extra_variant(&from);
    if (value != NULL) {
        g_variant_dict_insert_value(hints, key, value);
    } else {
        belfry_libnotify_notice_lose(
            copy, BELFRY_LOST_HINT, "The extra hint `%s` isn't sent: %s.", key,
            is_taken ? "a field of the notice says it already, or its key is empty"
                     : "its type is unknown or its number doesn't fit the type");
    }
    g_free(key);
}

static void insert_fields(GVariantDict *hints, const belfry_notice *from, const char *desktop_entry) {
    guint8 urgency = from->level == BELFRY_LEVEL_PASSIVE ? 0 : from->level == BELFRY_LEVEL_CRITICAL ? 2 : 1;
    g_variant_dict_insert(hints, "urgency", "y", urgency);
    insert_text(hints, "category", from->category);
    bool has_entry = from->desktop_entry.length > 0;
    insert_text(hints, "desktop-entry", has_entry ? from->desktop_entry : belfry_libnotify_borrow(desktop_entry));
    if ((from->flags & BELFRY_NOTICE_TRANSIENT) != 0) g_variant_dict_insert(hints, "transient", "b", TRUE);
    if ((from->flags & BELFRY_NOTICE_RESIDENT) != 0) g_variant_dict_insert(hints, "resident", "b", TRUE);
    if ((from->flags & BELFRY_NOTICE_HAS_PROGRESS) != 0)
        g_variant_dict_insert(hints, "value", "i", (gint32)(from->progress * 100 + 0.5));
    if (from->image_pixels == NULL) insert_text(hints, "image-path", from->image_path);
    switch (from->sound_kind) {
    case BELFRY_SOUND_NAME: insert_text(hints, "sound-name", from->sound); break;
    case BELFRY_SOUND_FILE: insert_text(hints, "sound-file", from->sound); break;
    case BELFRY_SOUND_SUPPRESSED: g_variant_dict_insert(hints, "suppress-sound", "b", TRUE); break;
    default: break;
    }
}

/* ---- The whole notice ------------------------------------------------------------------------------------------ */

/* The pixels as (iiibiiay), as in the specification; NULL if there are none. */
static GVariant *copy_pixels(const belfry_pixels *source) {
    if (source == NULL) return NULL;
    belfry_pixels from;
    LN_READ(from, source);
    gboolean has_alpha = (from.flags & BELFRY_PIXELS_HAVE_ALPHA) != 0;
    GVariant *bytes = g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, from.bytes, from.length, 1);
    return g_variant_ref_sink(g_variant_new(
        "(iiibii@ay)", (gint32)from.width, (gint32)from.height, (gint32)from.row_stride, has_alpha, 8,
        has_alpha ? 4 : 3, bytes));
}

static void copy_hints_and_actions(ln_notice *copy, const belfry_notice *from, const char *desktop_entry) {
    GVariantDict hints;
    g_variant_dict_init(&hints, NULL);
    insert_fields(&hints, from, desktop_entry);
    for (size_t i = 0; from->actions != NULL && i < from->action_count; i++)
        if (from->actions[i] != NULL) copy_action(copy, &hints, from->actions[i], i);
    for (size_t i = 0; from->hints != NULL && i < from->hint_count; i++)
        if (from->hints[i] != NULL) insert_extra(copy, &hints, from->hints[i]);
    copy->hints = g_variant_ref_sink(g_variant_dict_end(&hints));
}

/* Why the notice can't be shown, to be freed with g_free, or NULL. */
static char *reason_to_reject(const belfry_notice *notice) {
    if (notice->title.length == 0 && notice->subtitle.length == 0 && notice->body.length == 0)
        return g_strdup("The notice has no text: give it a title, a subtitle or a body.");
    /* The host sends fewer. Thousands keep libnotify 0.8.6 busy for seconds, like an unresponsive server. */
    if (notice->action_count > MOST_ACTIONS)
        return g_strdup_printf("The notice has %zu actions, more than %u.", notice->action_count, MOST_ACTIONS);
    bool has_progress = (notice->flags & BELFRY_NOTICE_HAS_PROGRESS) != 0;
    if (has_progress && !(notice->progress >= 0 && notice->progress <= 1)) /* for NaN too */
        return g_strdup_printf("The progress %g is not between 0 and 1.", notice->progress);
    return NULL;
}

ln_notice *belfry_libnotify_notice_copy(
    const belfry_notice *notice, const char *app_name, const char *desktop_entry, char **reason) {
    belfry_notice from;
    if (notice == NULL) {
        *reason = g_strdup("There is no notice: the pointer is NULL.");
        return NULL;
    }
    LN_READ(from, notice);
    if ((*reason = reason_to_reject(&from)) != NULL) return NULL;
    ln_notice *copy = g_new0(ln_notice, 1);
    copy->losses = g_ptr_array_new_with_free_func(free_loss);
    copy->actions = g_ptr_array_new_with_free_func(free_action);
    copy->request_identifier = belfry_libnotify_copy_text(from.request_identifier);
    copy->app_name = from.app_name.length > 0 ? belfry_libnotify_copy_text(from.app_name) : g_strdup(app_name);
    copy->title = belfry_libnotify_copy_text(from.title);
    copy->subtitle = belfry_libnotify_copy_text(from.subtitle);
    copy->body = belfry_libnotify_copy_text(from.body);
    copy->body_is_markup = (from.flags & BELFRY_NOTICE_BODY_IS_MARKUP) != 0;
    copy->icon = belfry_libnotify_copy_text(from.icon);
    copy->expire_after_ms = MAX(from.expire_after_ms, BELFRY_EXPIRE_DEFAULT);
    copy_hints_and_actions(copy, &from, desktop_entry);
    copy->pixels = copy_pixels(from.image_pixels);
    belfry_receipt receipt = {.struct_size = 0};
    if (from.replaces != NULL) LN_READ(receipt, from.replaces);
    copy->replaces = receipt.server_id;
    copy->replaces_instance = belfry_libnotify_copy_text(receipt.server_instance);
    return copy;
}

void belfry_libnotify_notice_free(ln_notice *notice) {
    char *texts[] = {notice->request_identifier, notice->app_name, notice->title, notice->subtitle,
                     notice->body, notice->icon, notice->replaces_instance};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) g_free(texts[i]);
    g_clear_pointer(&notice->pixels, g_variant_unref);
    g_variant_unref(notice->hints);
    g_ptr_array_unref(notice->actions);
    g_ptr_array_unref(notice->losses);
    g_free(notice);
}
