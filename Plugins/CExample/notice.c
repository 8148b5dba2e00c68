#include "notice.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/*
 * Reads a struct of the host up to the size that both sides know. An older host's is shorter, a newer one's longer, and
 * missing fields are zero. Lists are arrays of pointers for this reason.
 */
#define READ(type, name, pointer) \
    type name; \
    memset(&name, 0, sizeof name); \
    memcpy(&name, (pointer), (pointer)->struct_size < sizeof name ? (pointer)->struct_size : sizeof name)

bool json_lines_notice_lose(json_lines_notice *notice, belfry_loss_kind kind, const char *detail) {
    if (notice->loss_count == JSON_LINES_LOSS_LIMIT) return true; /* each kind is recorded once; fewer exist here */
    char *copy = json_lines_copy(json_lines_borrow(detail));
    if (copy == NULL) return false;
    notice->losses[notice->loss_count++] = (json_lines_loss){kind, copy};
    return true;
}

/* Adds `,"name":"text"`, or nothing if the text is empty. The host has cleaned it and cut it to the limits. */
static void add_field(json_lines_text *line, const char *name, belfry_string value) {
    if (value.length == 0) return;
    json_lines_text_add(line, ",\"%s\":", name);
    json_lines_text_add_string(line, value);
}

static const char *level_name(belfry_level level) {
    switch (level) {
    case BELFRY_LEVEL_PASSIVE: return "passive";
    case BELFRY_LEVEL_TIME_SENSITIVE: return "timeSensitive";
    case BELFRY_LEVEL_CRITICAL: return "critical";
    default: return "active";
    }
}

/* At most one action, as the limit says. Everything but its title is lost. */
static bool add_action(json_lines_text *line, json_lines_notice *copy, const belfry_notice *notice) {
    if (notice->action_count == 0 || notice->actions == NULL || notice->actions[0] == NULL) return true;
    READ(belfry_action, action, notice->actions[0]);
    copy->action = json_lines_copy(action.identifier);
    if (copy->action == NULL) return false;
    json_lines_text_add(line, ",\"action\":{\"id\":");
    json_lines_text_add_string(line, action.identifier);
    json_lines_text_add(line, ",\"title\":");
    json_lines_text_add_string(line, action.title);
    json_lines_text_add(line, "}");
    return action.icon_name.length == 0
        || json_lines_notice_lose(copy, BELFRY_LOST_ACTION_ICON, "actions have no icons here");
}

static bool lose_what_no_line_can_say(json_lines_notice *copy, const belfry_notice *notice) {
    return (notice->image_pixels == NULL ||
            json_lines_notice_lose(copy, BELFRY_LOST_IMAGE, "pixels aren't written; a path would be")) &&
           (notice->expire_after_ms <= 0 || json_lines_notice_lose(copy, BELFRY_LOST_EXPIRY, "a line stays")) &&
           (notice->hint_count == 0 || json_lines_notice_lose(copy, BELFRY_LOST_HINT, "hints are for desktops"));
}

static bool fill(json_lines_notice *copy, json_lines_text *line, const belfry_notice *notice) {
    json_lines_text_add(line, "\"request\":");
    json_lines_text_add_string(line, notice->request_identifier);
    add_field(line, "app", notice->app_name);
    add_field(line, "title", notice->title);
    add_field(line, "subtitle", notice->subtitle);
    add_field(line, "body", notice->body);
    json_lines_text_add(line, ",\"level\":\"%s\"", level_name(notice->level));
    add_field(line, "icon", notice->icon);
    add_field(line, "image", notice->image_path);
    add_field(line, "category", notice->category);
    add_field(line, "thread", notice->thread_identifier);
    /* JSON has no NaN: a value that isn't between 0 and 1 isn't written. */
    if ((notice->flags & BELFRY_NOTICE_HAS_PROGRESS) && notice->progress >= 0 && notice->progress <= 1)
        json_lines_text_add(line, ",\"percent\":%d", (int)(notice->progress * 100 + 0.5));
    if (notice->flags & BELFRY_NOTICE_POSSIBLY_REPEATED) json_lines_text_add(line, ",\"repeated\":true");
    return add_action(line, copy, notice) && lose_what_no_line_can_say(copy, notice);
}

json_lines_notice *json_lines_notice_copy(const belfry_notice *given) {
    READ(belfry_notice, notice, given);
    json_lines_notice *copy = calloc(1, sizeof *copy);
    if (copy == NULL) return NULL;
    json_lines_text line = {.bytes = NULL};
    bool ok = (copy->request = json_lines_copy(notice.request_identifier)) != NULL;
    if (ok && notice.replaces != NULL) {
        READ(belfry_receipt, old, notice.replaces);
        copy->replaces = old.server_id;
        ok = (copy->replaces_instance = json_lines_copy(old.server_instance)) != NULL;
    }
    ok = ok && fill(copy, &line, &notice) && !line.failed;
    copy->fields = line.bytes;
    if (ok) return copy;
    json_lines_notice_free(copy);
    return NULL;
}

void json_lines_notice_free(json_lines_notice *notice) {
    if (notice == NULL) return;
    for (size_t i = 0; i < notice->loss_count; i++) free(notice->losses[i].detail);
    free(notice->fields);
    free(notice->request);
    free(notice->action);
    free(notice->replaces_instance);
    free(notice);
}
