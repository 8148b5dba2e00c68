#include "text.h"

#include <stdint.h>
#include <string.h>

bool belfry_libnotify_text_is_forbidden(gunichar character) {
    if (character == '\n' || character == '\t') return false;
    return character < 0x20 || (character >= 0x7F && character <= 0x9F);
}

char *belfry_libnotify_text_clean(belfry_string input, size_t ceiling, bool *repaired) {
    GString *out = g_string_new(NULL);
    const char *at = input.bytes;
    const char *end = input.bytes == NULL ? NULL : input.bytes + input.length;
    for (size_t count = 0; at < end && count < ceiling;) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '\r') {
            /* CR LF is a newline of other systems, and a lone CR of older ones. */
            if (at + 1 == end || at[1] != '\n') {
                g_string_append_c(out, '\n');
                count++;
            }
            at++;
            continue;
        }
        if (byte == 0) { /* g_utf8_get_char_validated takes it for an end */
            *repaired = true;
            at++;
            continue;
        }
        gunichar character = g_utf8_get_char_validated(at, end - at);
        if (character == (gunichar)-1 || character == (gunichar)-2) {
            g_string_append(out, "\xEF\xBF\xBD");
            *repaired = true;
            count++;
            at++;
            continue;
        }
        if (belfry_libnotify_text_is_forbidden(character)) {
            *repaired = true;
        } else {
            g_string_append_unichar(out, character);
            count++;
        }
        at = g_utf8_next_char(at);
    }
    return g_string_free(out, FALSE);
}

static bool is_regional_indicator(gunichar c) { return c >= 0x1F1E6 && c <= 0x1F1FF; }

static bool is_leading_jamo(gunichar c) { return (c >= 0x1100 && c <= 0x115F) || (c >= 0xA960 && c <= 0xA97C); }

static bool is_trailing_jamo(gunichar c) { return (c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FB); }

/*
 * Whether a person would see the two as parts of one character: the rules of UAX #29 that matter for a cut (combining
 * marks, joined emoji, skin tones, flags, Hangul). The core cuts exactly; this is for what comes past it.
 */
static bool belong_together(gunichar before, gunichar after, unsigned indicators_before) {
    if (g_unichar_ismark(after) || after == 0x200D || after == 0x200C) return true;
    if (before == 0x200D) return true;
    if (after >= 0x1F3FB && after <= 0x1F3FF) return true;
    if (after >= 0xE0020 && after <= 0xE007F) return true;
    if (is_regional_indicator(after) && indicators_before % 2 == 1) return true;
    if (is_trailing_jamo(after)) return true;
    return is_leading_jamo(before) && (is_leading_jamo(after) || (after >= 0xAC00 && after <= 0xD7A3));
}

size_t belfry_libnotify_text_keep(const char *text, size_t limit) {
    if (limit == 0) return 0;
    size_t count = 0, boundary = 0;
    unsigned indicators = 0;
    gunichar before = 0;
    for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);
        if (count == limit) return boundary > 0 ? boundary : limit - 1; /* 0: one endless cluster, cut it anyway */
        if (count > 0 && count < limit && !belong_together(before, character, indicators)) boundary = count;
        indicators = is_regional_indicator(character) ? indicators + 1 : 0;
        before = character;
        count++;
    }
    return SIZE_MAX;
}

char *belfry_libnotify_text_cut(char *text, size_t limit, bool *cut) {
    size_t keep = belfry_libnotify_text_keep(text, limit);
    if (keep == SIZE_MAX) return text;
    *cut = true;
    char *shorter = g_utf8_substring(text, 0, (glong)keep);
    char *result = g_strconcat(shorter, "\xE2\x80\xA6", NULL);
    g_free(shorter);
    g_free(text);
    return result;
}

void belfry_libnotify_text_append_escaped(GString *out, gunichar character) {
    switch (character) {
    case '&': g_string_append(out, "&amp;"); break;
    case '<': g_string_append(out, "&lt;"); break;
    case '>': g_string_append(out, "&gt;"); break;
    default: g_string_append_unichar(out, character);
    }
}

char *belfry_libnotify_text_escape(const char *text) {
    GString *out = g_string_new(NULL);
    for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at))
        belfry_libnotify_text_append_escaped(out, g_utf8_get_char(at));
    return g_string_free(out, FALSE);
}
