/* The markup that notification servers agree on: b, i, u, a href, entities. Anything else is not markup here. */
#ifndef BELFRY_LIBNOTIFY_MARKUP_H
#define BELFRY_LIBNOTIFY_MARKUP_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ln_markup_options {
    bool keeps_tags;  /* the server reads markup; else plain text comes out */
    bool keeps_links; /* and shows links; else the address follows the text in parentheses */
    size_t limit;     /* characters that a reader sees */
} ln_markup_options;

typedef struct ln_markup_outcome {
    bool cut;
    bool had_tags;
    bool had_links;
} ln_markup_outcome;

/*
 * Reads `markup` (valid UTF-8) and writes it for a server. NULL when it isn't well-formed by the header's rules (`body` in
 * belfry_notice); else to be freed with g_free.
 */
char *belfry_libnotify_markup_render(const char *markup, ln_markup_options options, ln_markup_outcome *outcome);

#endif
