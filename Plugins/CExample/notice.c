#define _DEFAULT_SOURCE
#include "notice.h"

#include <stdbool.h>
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

void json_lines_notice_lose(json_lines_notice *notice, belfry_loss_kind kind, const char *detail) {
    if (notice->loss_count == JSON_LINES_LOSS_LIMIT) return; /* each kind is recorded once; fewer exist here */
    notice->losses[notice->loss_count++] =
        (belfry_loss){.struct_size = sizeof(belfry_loss), .kind = kind, .detail = json_lines_borrow(detail)};
}

/* Writes `,"name":"text"`, or nothing if the text is empty. The host has cleaned it and cut it to the limits. */
static void write_field(FILE *line, const char *name, belfry_string value) {
    if (value.length == 0) return;
    fprintf(line, ",\"%s\":", name);
    json_lines_write_string(line, value);
}

static const char *level_name(belfry_level level) {
    switch (level) {
    case BELFRY_LEVEL_PASSIVE: return "passive";
    case BELFRY_LEVEL_TIME_SENSITIVE: return "timeSensitive";
    case BELFRY_LEVEL_CRITICAL: return "critical";
    default: return "active";
    }
}

/* At most one action, as the limit says. Everything but its title is lost. False if out of memory. */
static bool write_action(FILE *line, json_lines_notice *copy, const belfry_notice *notice) {
    if (notice->action_count == 0 || notice->actions == NULL || notice->actions[0] == NULL) return true;
    READ(belfry_action, action, notice->actions[0]);
    copy->action = json_lines_copy(action.identifier);
    fputs(",\"action\":{\"id\":", line);
    json_lines_write_string(line, action.identifier);
    fputs(",\"title\":", line);
    json_lines_write_string(line, action.title);
    putc('}', line);
    if (action.icon_name.length > 0)
        json_lines_notice_lose(copy, BELFRY_LOST_ACTION_ICON, "actions have no icons here");
    return copy->action != NULL;
}

static bool write_fields(FILE *line, json_lines_notice *copy, const belfry_notice *notice) {
    fputs("\"request\":", line);
    json_lines_write_string(line, notice->request_identifier);
    write_field(line, "app", notice->app_name);
    write_field(line, "title", notice->title);
    write_field(line, "subtitle", notice->subtitle);
    write_field(line, "body", notice->body);
    fprintf(line, ",\"level\":\"%s\"", level_name(notice->level));
    write_field(line, "icon", notice->icon);
    write_field(line, "image", notice->image_path);
    write_field(line, "category", notice->category);
    write_field(line, "thread", notice->thread_identifier);
    /* JSON has no NaN: a value that isn't between 0 and 1 isn't written. */
    if ((notice->flags & BELFRY_NOTICE_HAS_PROGRESS) && notice->progress >= 0 && notice->progress <= 1)
        fprintf(line, ",\"percent\":%d", (int)(notice->progress * 100 + 0.5));
    if (notice->flags & BELFRY_NOTICE_POSSIBLY_REPEATED) fputs(",\"repeated\":true", line);
    if (notice->image_pixels != NULL)
        json_lines_notice_lose(copy, BELFRY_LOST_IMAGE, "pixels aren't written; a path would be");
    if (notice->expire_after_ms > 0) json_lines_notice_lose(copy, BELFRY_LOST_EXPIRY, "a line stays");
    if (notice->hint_count > 0) json_lines_notice_lose(copy, BELFRY_LOST_HINT, "hints are for desktops");
    return write_action(line, copy, notice);
}

json_lines_notice *json_lines_notice_copy(const belfry_notice *given) {
    READ(belfry_notice, notice, given);
    json_lines_notice *copy = calloc(1, sizeof *copy);
    if (copy == NULL) return NULL;
    copy->request = json_lines_copy(notice.request_identifier);
    if (notice.replaces != NULL) {
        READ(belfry_receipt, old, notice.replaces);
        copy->replaces = old.server_id;
        copy->replaces_instance = json_lines_copy(old.server_instance);
    }
    size_t length;
    FILE *line = open_memstream(&copy->fields, &length);
    bool is_whole = line != NULL && write_fields(line, copy, &notice) && !ferror(line);
    if (line != NULL && fclose(line) != 0) is_whole = false;
    if (is_whole && copy->request != NULL && (notice.replaces == NULL || copy->replaces_instance != NULL)) return copy;
    json_lines_notice_free(copy);
    return NULL;
}

void json_lines_notice_free(json_lines_notice *notice) {
    if (notice == NULL) return;
    free(notice->fields);
    free(notice->request);
    free(notice->action);
    free(notice->replaces_instance);
    free(notice);
}
