/* Strings, and their JSON encoding. Texts grow in a stream of open_memstream(3). */
#ifndef JSON_LINES_TEXT_H
#define JSON_LINES_TEXT_H

#include <stdio.h>

#include "belfry_plugin.h"

/* Writes `string` as a JSON string. The host passes valid UTF-8, which JSON accepts unchanged. */
void json_lines_write_string(FILE *stream, belfry_string string);

/* A NUL-terminated copy, for the caller to free; NULL if out of memory. A NUL inside ends the copy. */
char *json_lines_copy(belfry_string string);

/* A NUL-terminated text as a belfry_string that borrows it. */
belfry_string json_lines_borrow(const char *text);

#endif
