/* A growing text buffer, with JSON encoding. */
#ifndef JSON_LINES_TEXT_H
#define JSON_LINES_TEXT_H

#include <stdbool.h>

#include "belfry_plugin.h"

typedef struct json_lines_text {
    char *bytes; /* owned; ends with a NUL; NULL while empty */
    size_t length, capacity;
    bool failed; /* out of memory: the contents must not be used */
} json_lines_text;

void json_lines_text_add(json_lines_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds `string` as a JSON string. The host passes valid UTF-8, which JSON accepts unchanged. */
void json_lines_text_add_string(json_lines_text *text, belfry_string string);

void json_lines_text_free(json_lines_text *text);

/* A NUL-terminated copy, for the caller to free; NULL if out of memory. A NUL inside ends the copy. */
char *json_lines_copy(belfry_string string);

/* A NUL-terminated text as a belfry_string that borrows it. */
belfry_string json_lines_borrow(const char *text);

#endif
