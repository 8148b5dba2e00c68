#include "notice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/*
 * A struct of the host, as far as both sides know it: an older host's is shorter, a newer one's longer, and what is missing is
 * zero. Lists are arrays of pointers for this reason.
 */
#define READ(type, name, pointer) \
    type name; \
    memset(&name, 0, sizeof name); \
    memcpy(&name, (pointer), (pointer)->struct_size < sizeof name ? (pointer)->struct_size : sizeof name)

bool json_lines_notice_lose(json_lines_notice *notice, belfry_loss_kind kind, const char *detail) {
    if (notice->loss_count == JSON_LINES_LOSS_LIMIT) return true; /* each kind is named once; there are fewer kinds here */
    char *copy = json_lines_copy(json_lines_borrow(detail));
    if (copy == NULL) return false;
    notice->losses[notice->loss_count++] = (json_lines_loss){kind, copy};
    return true;
}

/* `,"name":"text"`, cut at `limit` characters (0: whole); nothing where the text is empty. */
static bool add_field(json_lines_text *line, const char *name, belfry_string value, size_t limit, bool *repaired) {
    bool cut = false;
    if (value.length == 0) return false;
    json_lines_text_add(line, ",\"%s\":", name);
    json_lines_text_add_string(line, value, limit, &cut, repaired);
    return cut;
}

static const char *level_name(belfry_level level) {
    switch (level) {
    case BELFRY_LEVEL_PASSIVE: return "passive";
    case BELFRY_LEVEL_TIME_SENSITIVE: return "timeSensitive";
    case BELFRY_LEVEL_CRITICAL: return "critical";
    default: return "active";
    }
}

/* The first action is the one that can be chosen; the others, and what it has beside its title, are lost. */
static bool add_action(json_lines_text *line, json_lines_notice *copy, const belfry_notice *notice, bool *repaired) {
    if (notice->action_count == 0 || notice->actions == NULL || notice->actions[0] == NULL) return true;
    READ(belfry_action, action, notice->actions[0]);
    if (action.identifier.length == 0) return json_lines_notice_lose(copy, BELFRY_LOST_ACTION, "the action has no identifier");
    copy->action = json_lines_copy(action.identifier);
    if (copy->action == NULL) return false;
    json_lines_text_add(line, ",\"action\":{\"id\":");
    json_lines_text_add_string(line, action.identifier, 0, NULL, repaired);
    json_lines_text_add(line, ",\"title\":");
    json_lines_text_add_string(line, action.title, JSON_LINES_TITLE_LIMIT, NULL, repaired);
    json_lines_text_add(line, "}");
    char detail[64];
    snprintf(detail, sizeof detail, "cut to 1 of %zu actions", notice->action_count);
    return (notice->action_count == 1 || json_lines_notice_lose(copy, BELFRY_LOST_ACTIONS_CUT, detail)) &&
           (action.kind != BELFRY_ACTION_REPLY ||
            json_lines_notice_lose(copy, BELFRY_LOST_REPLY, "there is no field to type into: the action is a button")) &&
           (action.icon_name.length == 0 || json_lines_notice_lose(copy, BELFRY_LOST_ACTION_ICON, "actions have no icons here"));
}

static bool lose_what_no_line_can_say(json_lines_notice *copy, const belfry_notice *notice) {
    bool sounds = notice->sound_kind == BELFRY_SOUND_NAME || notice->sound_kind == BELFRY_SOUND_FILE;
    return (notice->image_pixels == NULL ||
            json_lines_notice_lose(copy, BELFRY_LOST_IMAGE, "pixels aren't written; a path would be")) &&
           (!sounds || json_lines_notice_lose(copy, BELFRY_LOST_SOUND, "a file makes no sound")) &&
           (notice->expire_after_ms <= 0 || json_lines_notice_lose(copy, BELFRY_LOST_EXPIRY, "a line stays")) &&
           (notice->hint_count == 0 || json_lines_notice_lose(copy, BELFRY_LOST_HINT, "hints are for desktops"));
}

static bool fill(json_lines_notice *copy, json_lines_text *line, const belfry_notice *notice) {
    bool repaired = false;
    json_lines_text_add(line, "\"request\":");
    json_lines_text_add_string(line, notice->request_identifier, 0, NULL, &repaired);
    add_field(line, "app", notice->app_name, 0, &repaired);
    bool title = add_field(line, "title", notice->title, JSON_LINES_TITLE_LIMIT, &repaired);
    bool subtitle = add_field(line, "subtitle", notice->subtitle, JSON_LINES_TITLE_LIMIT, &repaired);
    bool body = add_field(line, "body", notice->body, JSON_LINES_BODY_LIMIT, &repaired);
    if (notice->flags & BELFRY_NOTICE_BODY_IS_MARKUP) json_lines_text_add(line, ",\"markup\":true");
    json_lines_text_add(line, ",\"level\":\"%s\"", level_name(notice->level));
    add_field(line, "icon", notice->icon, 0, &repaired);
    add_field(line, "image", notice->image_path, 0, &repaired);
    add_field(line, "category", notice->category, 0, &repaired);
    add_field(line, "thread", notice->thread_identifier, 0, &repaired);
    /* JSON has no NaN: what isn't between 0 and 1 isn't written. */
    if ((notice->flags & BELFRY_NOTICE_HAS_PROGRESS) && notice->progress >= 0 && notice->progress <= 1)
        json_lines_text_add(line, ",\"percent\":%d", (int)(notice->progress * 100 + 0.5));
    if (notice->flags & BELFRY_NOTICE_POSSIBLY_REPEATED) json_lines_text_add(line, ",\"repeated\":true");
    return add_action(line, copy, notice, &repaired) &&
           (!title || json_lines_notice_lose(copy, BELFRY_LOST_TITLE_CUT, "the title is cut to 200 characters")) &&
           (!body || json_lines_notice_lose(copy, BELFRY_LOST_BODY_CUT, "the body is cut to 4000 characters")) &&
           (!subtitle || json_lines_notice_lose(copy, BELFRY_LOST_BODY_CUT, "the subtitle is cut to 200 characters")) &&
           (!repaired || json_lines_notice_lose(copy, BELFRY_LOST_TEXT_REPAIRED, "what wasn't UTF-8 is replaced")) &&
           lose_what_no_line_can_say(copy, notice);
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
