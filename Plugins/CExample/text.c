#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(json_lines_text *text, size_t more) {
    if (text->failed) return false;
    if (text->capacity - text->length > more) return true; /* one byte is for the NUL */
    size_t capacity = text->capacity < 256 ? 256 : text->capacity;
    while (capacity - text->length <= more) capacity *= 2;
    char *bytes = realloc(text->bytes, capacity);
    if (bytes == NULL) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

static void add_bytes(json_lines_text *text, const char *bytes, size_t length) {
    if (!make_room(text, length)) return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void json_lines_text_add(json_lines_text *text, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text->failed = true;
    } else if ((size_t)length < sizeof line) {
        add_bytes(text, line, (size_t)length);
    } else if (make_room(text, (size_t)length)) {
        va_start(arguments, format);
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
        va_end(arguments);
        text->length += (size_t)length;
    }
}

void json_lines_text_add_string(json_lines_text *text, belfry_string string) {
    add_bytes(text, "\"", 1);
    for (size_t at = 0; at < string.length; at++) {
        char byte = string.bytes[at];
        if (byte == '"' || byte == '\\') {
            json_lines_text_add(text, "\\%c", byte);
        } else if (byte == '\n') {
            json_lines_text_add(text, "\\n");
        } else if ((unsigned char)byte < 0x20) {
            json_lines_text_add(text, "\\u%04x", byte);
        } else {
            add_bytes(text, &byte, 1);
        }
    }
    add_bytes(text, "\"", 1);
}

void json_lines_text_free(json_lines_text *text) {
    free(text->bytes);
    *text = (json_lines_text){.bytes = NULL};
}

char *json_lines_copy(belfry_string string) {
    size_t length = string.bytes == NULL ? 0 : string.length;
    char *copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    if (length > 0) memcpy(copy, string.bytes, length);
    copy[length] = '\0';
    return copy;
}

belfry_string json_lines_borrow(const char *text) { return (belfry_string){text, strlen(text)}; }
