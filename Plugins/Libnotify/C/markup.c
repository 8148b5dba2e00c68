#include "markup.h"

#include <stdint.h>
#include <string.h>

#include "text.h"

/* What is read: visible characters, and elements that open and close. */
typedef enum { PIECE_CHARACTER, PIECE_OPEN, PIECE_CLOSE } piece_kind;

typedef struct piece {
    piece_kind kind;
    gunichar character; /* PIECE_CHARACTER */
    char element;       /* else: 'b', 'i', 'u' or 'a' */
    char *address;      /* of an opening 'a'; owned */
} piece;

static void clear_piece(gpointer data) { g_free(((piece *)data)->address); }

static void add_character(GArray *pieces, gunichar character) {
    piece added = {PIECE_CHARACTER, character, 0, NULL};
    g_array_append_val(pieces, added);
}

static void add_text(GArray *pieces, const char *text) {
    for (; *text != '\0'; text = g_utf8_next_char(text)) add_character(pieces, g_utf8_get_char(text));
}

/* Reads the reference at **at (an `&`) and moves behind it. 0 when it is none. */
static gunichar read_reference(const char **at) {
    static const struct {
        const char *name;
        gunichar character;
    } named[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < G_N_ELEMENTS(named); i++) {
        if (g_str_has_prefix(*at, named[i].name)) {
            *at += strlen(named[i].name);
            return named[i].character;
        }
    }
    if ((*at)[1] != '#') return 0;
    bool hexadecimal = (*at)[2] == 'x' || (*at)[2] == 'X';
    const char *digits = *at + (hexadecimal ? 3 : 2);
    if (!g_ascii_isxdigit(*digits)) return 0; /* g_ascii_strtoull would take a sign or white space */
    char *end = NULL;
    guint64 value = g_ascii_strtoull(digits, &end, hexadecimal ? 16 : 10);
    if (end == digits || *end != ';' || value == 0 || value > 0x10FFFF) return 0;
    if (!g_unichar_validate((gunichar)value) || belfry_libnotify_text_is_forbidden((gunichar)value)) return 0;
    *at = end + 1;
    return (gunichar)value;
}

/* The character at **at, a reference resolved; moves behind it. 0 where a `&` begins no reference. */
static gunichar read_character(const char **at) {
    if (**at == '&') return read_reference(at);
    gunichar character = g_utf8_get_char(*at);
    *at = g_utf8_next_char(*at);
    return character;
}

/* Reads ` href="…"` and moves behind it. NULL when it is anything else. */
static char *read_address(const char **at) {
    const char *from = *at;
    if (!g_ascii_isspace(*from)) return NULL;
    while (g_ascii_isspace(*from)) from++;
    if (!g_str_has_prefix(from, "href=")) return NULL;
    from += strlen("href=");
    char quote = *from;
    if (quote != '"' && quote != '\'') return NULL;
    from++;
    GString *address = g_string_new(NULL);
    while (*from != quote) {
        gunichar character = strchr("<>", *from) != NULL ? 0 : read_character(&from); /* the end is a match too */
        if (character == 0 || address->len > 2048) {
            g_string_free(address, TRUE);
            return NULL;
        }
        g_string_append_unichar(address, character);
    }
    *at = from + 1;
    return g_string_free(address, FALSE);
}

/* Reads the tag at **at (a `<`) into `pieces` and moves behind it. `open` is the stack of elements. */
static bool read_tag(const char **at, GArray *pieces, GString *open) {
    const char *from = *at + 1;
    bool closes = *from == '/';
    if (closes) from++;
    char element = *from;
    if (element == '\0' || strchr("biua", element) == NULL) return false;
    from++;
    piece added = {closes ? PIECE_CLOSE : PIECE_OPEN, 0, element, NULL};
    if (!closes && element == 'a' && (added.address = read_address(&from)) == NULL) return false;
    while (g_ascii_isspace(*from)) from++;
    bool fits = *from == '>' && (!closes || (open->len > 0 && open->str[open->len - 1] == element));
    if (!fits || open->len > 64) {
        g_free(added.address);
        return false;
    }
    if (closes) {
        g_string_truncate(open, open->len - 1);
    } else {
        g_string_append_c(open, element);
    }
    g_array_append_val(pieces, added);
    *at = from + 1;
    return true;
}

/* All of it, or NULL when it isn't well-formed. */
static GArray *read_markup(const char *markup) {
    GArray *pieces = g_array_new(FALSE, FALSE, sizeof(piece));
    g_array_set_clear_func(pieces, clear_piece);
    GString *open = g_string_new(NULL);
    bool well_formed = true;
    for (const char *at = markup; well_formed && *at != '\0';) {
        if (*at == '<') {
            well_formed = read_tag(&at, pieces, open);
        } else {
            gunichar character = *at == '>' ? 0 : read_character(&at);
            if (character == 0) {
                well_formed = false;
            } else {
                add_character(pieces, character);
            }
        }
    }
    well_formed = well_formed && open->len == 0;
    g_string_free(open, TRUE);
    if (well_formed) return pieces;
    g_array_unref(pieces);
    return NULL;
}

/* The visible text of the pieces from `first` up to the closing of the link there. To be freed with g_free. */
static char *link_text(const GArray *pieces, guint first) {
    GString *text = g_string_new(NULL);
    unsigned depth = 1;
    for (guint i = first; i < pieces->len; i++) {
        const piece *each = &g_array_index(pieces, piece, i);
        if (each->kind == PIECE_CHARACTER) {
            g_string_append_unichar(text, each->character);
        } else if (each->element == 'a') {
            depth += each->kind == PIECE_OPEN ? 1 : -1u;
            if (depth == 0) break;
        }
    }
    return g_string_free(text, FALSE);
}

/* Links to text with the address in parentheses, unless the text is the address. Takes `pieces`. */
static GArray *without_links(GArray *pieces) {
    GArray *result = g_array_new(FALSE, FALSE, sizeof(piece));
    g_array_set_clear_func(result, clear_piece);
    GPtrArray *addresses = g_ptr_array_new(); /* of the open links; NULL where none is to follow */
    for (guint i = 0; i < pieces->len; i++) {
        piece each = g_array_index(pieces, piece, i);
        if (each.kind == PIECE_CHARACTER || each.element != 'a') {
            g_array_append_val(result, each);
        } else if (each.kind == PIECE_OPEN) {
            char *text = link_text(pieces, i + 1);
            g_ptr_array_add(addresses, strcmp(text, each.address) == 0 ? NULL : each.address);
            g_free(text);
        } else {
            const char *address = g_ptr_array_index(addresses, addresses->len - 1);
            if (address != NULL) {
                add_text(result, " (");
                add_text(result, address);
                add_text(result, ")");
            }
            g_ptr_array_set_size(addresses, (gint)addresses->len - 1);
        }
    }
    g_ptr_array_unref(addresses);
    g_array_unref(pieces);
    return result;
}

static char *visible_text(const GArray *pieces) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < pieces->len; i++) {
        const piece *each = &g_array_index(pieces, piece, i);
        if (each->kind == PIECE_CHARACTER) g_string_append_unichar(text, each->character);
    }
    return g_string_free(text, FALSE);
}

static void write_tag(GString *out, const piece *tag) {
    if (tag->kind == PIECE_CLOSE) {
        g_string_append_printf(out, "</%c>", tag->element);
        return;
    }
    g_string_append_printf(out, "<%c", tag->element);
    if (tag->element == 'a') {
        g_string_append(out, " href=\"");
        for (const char *at = tag->address; *at != '\0'; at = g_utf8_next_char(at)) {
            gunichar character = g_utf8_get_char(at);
            if (character == '"') {
                g_string_append(out, "&quot;");
            } else {
                belfry_libnotify_text_append_escaped(out, character);
            }
        }
        g_string_append_c(out, '"');
    }
    g_string_append_c(out, '>');
}

/* Writes the first `keep` visible characters; what is open at the cut is closed behind the ellipsis. */
static char *write_pieces(const GArray *pieces, bool keeps_tags, size_t keep) {
    GString *out = g_string_new(NULL);
    GString *open = g_string_new(NULL);
    size_t written = 0;
    for (guint i = 0; i < pieces->len; i++) {
        const piece *each = &g_array_index(pieces, piece, i);
        if (each->kind == PIECE_CHARACTER) {
            if (written == keep) {
                g_string_append(out, "\xE2\x80\xA6");
                break;
            }
            written++;
            if (keeps_tags) {
                belfry_libnotify_text_append_escaped(out, each->character);
            } else {
                g_string_append_unichar(out, each->character);
            }
        } else if (keeps_tags) {
            write_tag(out, each);
            if (each->kind == PIECE_OPEN) {
                g_string_append_c(open, each->element);
            } else {
                g_string_truncate(open, open->len - 1);
            }
        }
    }
    while (open->len > 0) {
        g_string_append_printf(out, "</%c>", open->str[open->len - 1]);
        g_string_truncate(open, open->len - 1);
    }
    g_string_free(open, TRUE);
    return g_string_free(out, FALSE);
}

char *belfry_libnotify_markup_render(const char *markup, ln_markup_options options, ln_markup_outcome *outcome) {
    GArray *pieces = read_markup(markup);
    if (pieces == NULL) return NULL;
    *outcome = (ln_markup_outcome){false, false, false};
    for (guint i = 0; i < pieces->len; i++) {
        const piece *each = &g_array_index(pieces, piece, i);
        if (each->kind == PIECE_OPEN) *(each->element == 'a' ? &outcome->had_links : &outcome->had_tags) = true;
    }
    if (!options.keeps_tags || !options.keeps_links) pieces = without_links(pieces);
    char *text = visible_text(pieces);
    size_t keep = belfry_libnotify_text_keep(text, options.limit);
    outcome->cut = keep != SIZE_MAX;
    g_free(text);
    char *result = write_pieces(pieces, options.keeps_tags, keep);
    g_array_unref(pieces);
    return result;
}
