/* Text that may go onto the bus: valid UTF-8, no control characters but newline and tab, cut where a reader would cut it. */
#ifndef BELFRY_LIBNOTIFY_TEXT_H
#define BELFRY_LIBNOTIFY_TEXT_H

#include <glib.h>
#include <stdbool.h>

#include "belfry_plugin.h"

/*
 * A NUL-terminated copy of the first `ceiling` characters (Unicode scalars) of `input`, to be freed with g_free. Invalid bytes
 * become U+FFFD, CR LF becomes LF, control characters but newline and tab go. Sets *repaired when anything of that
 * happened (CR LF apart) and leaves it alone otherwise. Reads no further than it must: O(ceiling) for clean text.
 */
char *belfry_libnotify_text_clean(belfry_string input, size_t ceiling, bool *repaired);

/* How many characters of `text` to keep so that with an ellipsis it has `limit` at most; SIZE_MAX when it fits as it is. */
size_t belfry_libnotify_text_keep(const char *text, size_t limit);

/* Takes `text`, gives it back or a cut one that ends in an ellipsis, and sets *cut then. */
char *belfry_libnotify_text_cut(char *text, size_t limit, bool *cut);

/* Appends one character, `&`, `<` and `>` as entities. */
void belfry_libnotify_text_append_escaped(GString *out, gunichar character);

/* The whole of `text` so, to be freed with g_free. */
char *belfry_libnotify_text_escape(const char *text);

/* Whether a control character that may not be shown. */
bool belfry_libnotify_text_is_forbidden(gunichar character);

#endif
