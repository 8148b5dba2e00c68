/* The copy of a notice: its JSON text, and what the user will not get. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "json_lines.h"

LOSS(action_icon, BELFRY_LOST_ACTION_ICON, "actions have no icons here");
LOSS(pixels, BELFRY_LOST_IMAGE, "pixels aren't written; a path would be");
LOSS(expiry, BELFRY_LOST_EXPIRY, "a line stays");
LOSS(hints, BELFRY_LOST_HINT, "hints are for desktops");

void json_lines_lose(json_lines_call *call, const belfry_loss *loss) {
    if (call->lost_count < JSON_LINES_LOSS_LIMIT) call->lost[call->lost_count++] = loss;
}

/* A NUL-terminated copy; NULL if out of memory. A NUL inside ends the copy. */
static char *copy(belfry_string string) {
    return strndup(string.bytes == NULL ? "" : string.bytes, string.length);
}

/* Writes a JSON string. The host passes valid UTF-8, which JSON accepts unchanged. */
static void write_string(FILE *line, belfry_string string) {
    putc('"', line);
    for (size_t i = 0; i < string.length; i++) {
        unsigned char byte = (unsigned char)string.bytes[i];
        if (byte == '\n') fputs("\\n", line);
        else if (byte < 0x20) fprintf(line, "\\u%04x", byte);
        else if (byte == '"' || byte == '\\') fprintf(line, "\\%c", byte);
        else putc(byte, line);
    }
    putc('"', line);
}

/* Writes `,"name":"text"`, or nothing if the text is empty. The host has cleaned it and cut it to the limits. */
static void write_field(FILE *line, const char *name, belfry_string value) {
    if (value.length == 0) return;
    fprintf(line, ",\"%s\":", name);
    write_string(line, value);
}

static const char *level_name(belfry_level level) {
    switch (level) {
    case BELFRY_LEVEL_PASSIVE: return "passive";
    case BELFRY_LEVEL_TIME_SENSITIVE: return "timeSensitive";
    case BELFRY_LEVEL_CRITICAL: return "critical";
    default: return "active";
    }
}

/* There is at most one action, by the limit in the capabilities. Everything but its title is lost. */
static void write_action(FILE *line, json_lines_call *call, const belfry_action *given) {
    READ(belfry_action, action, given);
    call->action = copy(action.identifier);
    fputs(",\"action\":{\"id\":", line);
    write_string(line, action.identifier);
    fputs(",\"title\":", line);
    write_string(line, action.title);
    putc('}', line);
    if (action.icon_name.length > 0) json_lines_lose(call, &action_icon);
}

static void write_fields(FILE *line, json_lines_call *call, const belfry_notice *notice) {
    fputs("\"request\":", line);
    write_string(line, notice->request_identifier);
    call->request_length = (int)ftell(line);
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
    if (notice->image_pixels != NULL) json_lines_lose(call, &pixels);
    if (notice->expire_after_ms > 0) json_lines_lose(call, &expiry);
    if (notice->hint_count > 0) json_lines_lose(call, &hints);
}

uint64_t json_lines_number(const belfry_plugin_instance *self, const belfry_receipt *given) {
    READ(belfry_receipt, receipt, given);
    belfry_string run = receipt.server_instance;
    bool is_ours = run.length == strlen(self->run) && memcmp(run.bytes, self->run, run.length) == 0;
    return is_ours ? receipt.server_id : 0;
}

bool json_lines_copy_notice(const belfry_plugin_instance *self, json_lines_call *call, const belfry_notice *given) {
    READ(belfry_notice, notice, given);
    call->replaces = notice.replaces != NULL;
    if (call->replaces) call->number = json_lines_number(self, notice.replaces);
    bool has_action = notice.action_count > 0 && notice.actions != NULL && notice.actions[0] != NULL;
    size_t length;
    FILE *line = open_memstream(&call->fields, &length);
    if (line == NULL) return false;
    call->request = copy(notice.request_identifier);
    write_fields(line, call, &notice);
    if (has_action) write_action(line, call, notice.actions[0]);
    bool is_whole = !ferror(line);
    return fclose(line) == 0 && is_whole && call->request != NULL && (!has_action || call->action != NULL);
}

void json_lines_free_call(json_lines_call *call) {
    if (call == NULL) return;
    free(call->request);
    free(call->action);
    free(call->fields);
    free(call);
}
