#include "text.h"

#include <stdlib.h>
#include <string.h>

void json_lines_write_string(FILE *stream, belfry_string string) {
    putc('"', stream);
    for (size_t i = 0; i < string.length; i++) {
        unsigned char byte = (unsigned char)string.bytes[i];
        if (byte == '\n') fputs("\\n", stream);
        else if (byte < 0x20) fprintf(stream, "\\u%04x", byte);
        else if (byte == '"' || byte == '\\') fprintf(stream, "\\%c", byte);
        else putc(byte, stream);
    }
    putc('"', stream);
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
