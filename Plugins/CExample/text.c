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

/* How many bytes the character at `bytes` has, 1 to 4; 0 where no well-formed character begins (RFC 3629, section 4). */
static size_t character_length(const unsigned char *bytes, size_t left) {
    unsigned char first = bytes[0];
    if (first < 0x80) return 1;
    size_t length = first >= 0xC2 && first <= 0xDF ? 2 : first >= 0xE0 && first <= 0xEF ? 3 : first >= 0xF0 && first <= 0xF4 ? 4 : 0;
    if (length == 0 || length > left) return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80) return 0;
    if (first == 0xE0 && bytes[1] < 0xA0) return 0; /* longer than needed */
    if (first == 0xED && bytes[1] > 0x9F) return 0; /* a surrogate */
    if (first == 0xF0 && bytes[1] < 0x90) return 0;
    if (first == 0xF4 && bytes[1] > 0x8F) return 0; /* past U+10FFFF */
    return length;
}

void json_lines_text_add_string(
    json_lines_text *text, belfry_string string, size_t limit, bool *cut, bool *repaired) {
    const unsigned char *bytes = (const unsigned char *)string.bytes;
    size_t count = 0, length = bytes == NULL ? 0 : string.length;
    add_bytes(text, "\"", 1);
    for (size_t at = 0; at < length; count++) {
        if (limit != 0 && count == limit) {
            if (cut != NULL) *cut = true;
            add_bytes(text, "\xE2\x80\xA6", 3);
            break;
        }
        size_t size = character_length(bytes + at, length - at);
        if (size == 0) {
            if (repaired != NULL) *repaired = true;
            add_bytes(text, "\xEF\xBF\xBD", 3);
            size = 1;
        } else if (size == 1 && (bytes[at] < 0x20 || bytes[at] == 0x7F)) {
            json_lines_text_add(text, bytes[at] == '\n' ? "\\n" : "\\u%04x", bytes[at]);
        } else if (bytes[at] == '"' || bytes[at] == '\\') {
            json_lines_text_add(text, "\\%c", bytes[at]);
        } else {
            add_bytes(text, string.bytes + at, size);
        }
        at += size;
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
