/* Text that grows, and JSON in it. */
#ifndef JSON_LINES_TEXT_H
#define JSON_LINES_TEXT_H

#include <stdbool.h>

#include "belfry_plugin.h"

typedef struct json_lines_text {
    char *bytes; /* owned; ends with a NUL; NULL while empty */
    size_t length, capacity;
    bool failed; /* there was no memory: what is there is not to be used */
} json_lines_text;

void json_lines_text_add(json_lines_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds `string` as a JSON string. The host passes valid UTF-8, which JSON takes as it is. */
void json_lines_text_add_string(json_lines_text *text, belfry_string string);

void json_lines_text_free(json_lines_text *text);

/* A copy that ends with a NUL, for the receiver to free; NULL without memory. Bytes after a NUL inside are left out. */
char *json_lines_copy(belfry_string string);

/* A NUL-terminated text as the plug-in interface has it: borrowed. */
belfry_string json_lines_borrow(const char *text);

#endif
