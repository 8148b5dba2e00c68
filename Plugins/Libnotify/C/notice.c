#include "notice.h"

#include <string.h>

#include "losses.h"
#include "text.h"

/* Copies what the sender filled in of a struct, and zeros the rest: see the header, section 6. */
#define READ(target, source)                                                                               \
    do {                                                                                                   \
        memset(&(target), 0, sizeof(target));                                                              \
        memcpy(&(target), (source), MIN((size_t)(source)->struct_size, sizeof(target)));                   \
    } while (0)

static char *clean_name(belfry_string input, bool *repaired) {
    return belfry_libnotify_text_clean(input, LN_NAME_LIMIT, repaired);
}

static char *clean_label(belfry_string input, bool *repaired) {
    bool cut = false; /* a label this long was lost on any button: no receipt needs to say so */
    return belfry_libnotify_text_cut(
        belfry_libnotify_text_clean(input, LN_LABEL_LIMIT + 1, repaired), LN_LABEL_LIMIT, &cut);
}

static void copy_texts(ln_notice *copy, const belfry_notice *from) {
    bool repaired = false, cut = false;
    copy->title = belfry_libnotify_text_cut(
        belfry_libnotify_text_clean(from->title, LN_TITLE_LIMIT + 1, &repaired), LN_TITLE_LIMIT, &cut);
    if (cut)
        belfry_libnotify_losses_add(
            copy->losses, BELFRY_LOST_TITLE_CUT, "The title is longer than %u characters and was cut.", LN_TITLE_LIMIT);
    cut = false;
    copy->subtitle = belfry_libnotify_text_cut(
        belfry_libnotify_text_clean(from->subtitle, LN_TITLE_LIMIT + 1, &repaired), LN_TITLE_LIMIT, &cut);
    if (cut)
        belfry_libnotify_losses_add(
            copy->losses, BELFRY_LOST_BODY_CUT, "The subtitle is longer than %u characters and was cut.",
            LN_TITLE_LIMIT);
    copy->body_is_markup = (from->flags & BELFRY_NOTICE_BODY_IS_MARKUP) != 0;
    /* Markup is cut where it is rendered, by what a reader sees; plain text that is too long shows it by one more. */
    size_t ceiling = copy->body_is_markup ? 32 * LN_BODY_LIMIT : LN_BODY_LIMIT + 1;
    copy->body = belfry_libnotify_text_clean(from->body, ceiling, &repaired);
    if (repaired)
        belfry_libnotify_losses_add(
            copy->losses, BELFRY_LOST_TEXT_REPAIRED,
            "The text has control characters, NUL or bytes that are not UTF-8; they were taken out or replaced.");
}

static void free_action(gpointer data) {
    ln_action *action = data;
    g_free(action->identifier);
    g_free(action->key);
    g_free(action->title);
    g_free(action->placeholder);
    g_free(action);
}

static bool has_action(const GPtrArray *actions, const char *identifier) {
    for (guint i = 0; i < actions->len; i++)
        if (strcmp(((ln_action *)g_ptr_array_index(actions, i))->identifier, identifier) == 0) return true;
    return false;
}

static void copy_action(ln_notice *copy, const belfry_action *source) {
    belfry_action from;
    READ(from, source);
    bool repaired = false;
    char *identifier = belfry_libnotify_text_clean(from.identifier, LN_PATH_LIMIT, &repaired);
    if (*identifier == '\0' || has_action(copy->actions, identifier)) {
        belfry_libnotify_losses_add(
            copy->losses, BELFRY_LOST_ACTION,
            *identifier == '\0' ? "An action without an identifier%s was left out."
                                : "The action `%s` stands there twice; the second was left out.",
            identifier);
        g_free(identifier);
        return;
    }
    ln_action *action = g_new0(ln_action, 1);
    action->kind = from.kind;
    action->identifier = identifier;
    action->title = clean_label(from.title, &repaired);
    if (*action->title == '\0') { /* libnotify refuses an empty one */
        g_free(action->title);
        action->title = g_strdup(identifier);
    }
    action->placeholder = clean_label(from.placeholder, &repaired);
    if (from.icon_name.length > 0)
        belfry_libnotify_losses_add(
            copy->losses, BELFRY_LOST_ACTION_ICON, "The action `%s` is shown without its icon.", identifier);
    g_ptr_array_add(copy->actions, action);
}

static void copy_actions(ln_notice *copy, const belfry_notice *from) {
    size_t count = from->actions == NULL ? 0 : from->action_count;
    for (size_t i = 0; i < MIN(count, LN_ACTION_LIMIT); i++)
        if (from->actions[i] != NULL) copy_action(copy, from->actions[i]);
    if (count > LN_ACTION_LIMIT)
        belfry_libnotify_losses_add(
            copy->losses, BELFRY_LOST_ACTIONS_CUT, "Of %zu actions the first %u are shown.", count, LN_ACTION_LIMIT);
}

static void free_hint(gpointer data) {
    ln_hint *hint = data;
    g_free(hint->key);
    g_free(hint->string);
    g_free(hint);
}

static void copy_hints(ln_notice *copy, const belfry_notice *notice) {
    size_t count = notice->hints == NULL ? 0 : notice->hint_count;
    for (size_t i = 0; i < MIN(count, LN_HINT_LIMIT); i++) {
        if (notice->hints[i] == NULL) continue;
        belfry_hint from;
        READ(from, notice->hints[i]);
        bool repaired = false;
        ln_hint *hint = g_new0(ln_hint, 1);
        hint->key = clean_name(from.key, &repaired);
        hint->type = from.type;
        hint->string = belfry_libnotify_text_clean(from.string, LN_PATH_LIMIT, &repaired);
        hint->integer = from.integer;
        hint->real = from.real;
        g_ptr_array_add(copy->hints, hint);
    }
    if (count > LN_HINT_LIMIT)
        belfry_libnotify_losses_add(
            copy->losses, BELFRY_LOST_HINT, "Of %zu extra hints the first %u are sent.", count, LN_HINT_LIMIT);
}

static void copy_pixels(ln_notice *copy, const belfry_pixels *source) {
    if (source == NULL) return;
    belfry_pixels from;
    READ(from, source);
    bool has_alpha = (from.flags & BELFRY_PIXELS_HAVE_ALPHA) != 0;
    size_t row = (size_t)from.width * (has_alpha ? 4 : 3);
    bool fits = from.width > 0 && from.height > 0 && from.width <= LN_PIXELS_LIMIT && from.height <= LN_PIXELS_LIMIT;
    size_t needed = fits ? (size_t)from.row_stride * (from.height - 1) + row : 0;
    if (!fits || from.bytes == NULL || from.row_stride < row || from.row_stride > 8 * LN_PIXELS_LIMIT
        || from.length < needed) {
        belfry_libnotify_losses_add(
            copy->losses, BELFRY_LOST_IMAGE,
            "The image of %u × %u pixels, %u bytes a row and %zu bytes in all is left out: it has to be 1 to %u pixels wide "
            "and high and to have all its bytes.",
            from.width, from.height, from.row_stride, from.length, LN_PIXELS_LIMIT);
        return;
    }
    ln_pixels *pixels = g_new0(ln_pixels, 1);
    pixels->width = (int)from.width;
    pixels->height = (int)from.height;
    pixels->row_stride = (int)from.row_stride;
    pixels->has_alpha = has_alpha;
    pixels->bytes = g_malloc0((size_t)from.row_stride * from.height);
    memcpy(pixels->bytes, from.bytes, needed);
    copy->pixels = pixels;
}

static bool copy_progress(ln_notice *copy, const belfry_notice *from, char **problem) {
    copy->progress = -1;
    if ((from->flags & BELFRY_NOTICE_HAS_PROGRESS) == 0) return true;
    if (!(from->progress >= 0 && from->progress <= 1)) { /* false for NaN too */
        *problem = g_strdup_printf("The progress %g is not between 0 and 1.", from->progress);
        return false;
    }
    copy->progress = (int)(from->progress * 100 + 0.5);
    return true;
}

static void copy_receipt(ln_notice *copy, const belfry_receipt *source) {
    belfry_receipt from;
    memset(&from, 0, sizeof from);
    if (source != NULL) READ(from, source);
    bool repaired = false;
    copy->replaces = from.server_id;
    copy->replaces_instance = clean_name(from.server_instance, &repaired);
}

ln_notice *belfry_libnotify_notice_copy(const belfry_notice *notice, char **problem) {
    belfry_notice from;
    if (notice == NULL) {
        *problem = g_strdup("There is no notice: the pointer is NULL.");
        return NULL;
    }
    READ(from, notice);
    bool repaired = false;
    ln_notice *copy = g_new0(ln_notice, 1);
    copy->losses = belfry_libnotify_losses_new();
    copy->actions = g_ptr_array_new_with_free_func(free_action);
    copy->hints = g_ptr_array_new_with_free_func(free_hint);
    copy_texts(copy, &from);
    copy->request_identifier = belfry_libnotify_text_clean(from.request_identifier, LN_PATH_LIMIT, &repaired);
    copy->app_name = clean_name(from.app_name, &repaired);
    copy->desktop_entry = clean_name(from.desktop_entry, &repaired);
    copy->icon = belfry_libnotify_text_clean(from.icon, LN_PATH_LIMIT, &repaired);
    copy->image_path = belfry_libnotify_text_clean(from.image_path, LN_PATH_LIMIT, &repaired);
    copy->sound = belfry_libnotify_text_clean(from.sound, LN_PATH_LIMIT, &repaired);
    copy->category = clean_name(from.category, &repaired);
    copy->is_transient = (from.flags & BELFRY_NOTICE_TRANSIENT) != 0;
    copy->is_resident = (from.flags & BELFRY_NOTICE_RESIDENT) != 0;
    copy->level = from.level;
    copy->sound_kind = from.sound_kind;
    copy->expire_after_ms = MAX(from.expire_after_ms, BELFRY_EXPIRE_DEFAULT);
    copy_actions(copy, &from);
    copy_hints(copy, &from);
    copy_pixels(copy, from.image_pixels);
    copy_receipt(copy, from.replaces);
    bool has_text = *copy->title != '\0' || *copy->subtitle != '\0' || *copy->body != '\0';
    if (!has_text)
        *problem = g_strdup("The notice has no text: give it a title, a subtitle or a body of at least one character "
                            "that can be shown.");
    if (has_text && copy_progress(copy, &from, problem)) return copy;
    belfry_libnotify_notice_free(copy);
    return NULL;
}

void belfry_libnotify_notice_free(ln_notice *notice) {
    char **texts[] = {&notice->request_identifier, &notice->app_name, &notice->desktop_entry, &notice->title,
                      &notice->subtitle, &notice->body, &notice->icon, &notice->image_path, &notice->sound,
                      &notice->category, &notice->replaces_instance};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) g_free(*texts[i]);
    if (notice->pixels != NULL) g_free(notice->pixels->bytes);
    g_free(notice->pixels);
    g_ptr_array_unref(notice->actions);
    g_ptr_array_unref(notice->hints);
    g_ptr_array_unref(notice->losses);
    g_free(notice);
}
