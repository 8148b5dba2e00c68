/*
 * The plug-in's own copy of a belfry_notice: made in the host's call, since all that the host passes is borrowed. The
 * host has prepared it: nothing is cleaned, cut or taken out here.
 */
#ifndef BELFRY_LIBNOTIFY_NOTICE_H
#define BELFRY_LIBNOTIFY_NOTICE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "belfry_plugin.h"

/* What goes onto the bus for the reply field, and comes back with its text. */
#define LN_REPLY_KEY "inline-reply"

typedef struct ln_action {
    char *identifier; /* the host's, which comes back in events */
    char *key;        /* what goes onto the bus for it */
    char *title;      /* never empty */
} ln_action;

/* Absent texts are empty, never NULL. */
typedef struct ln_notice {
    char *request_identifier, *app_name;
    char *title, *subtitle, *body, *icon;
    bool body_is_markup;
    int expire_after_ms;
    GVariant *hints;    /* a{sv}: everything that travels as a hint, but the pixels */
    GVariant *pixels;   /* or NULL; whose hint's name the server decides */
    GPtrArray *actions; /* of ln_action * */
    uint64_t replaces;  /* server id; 0: nothing */
    char *replaces_instance;
    GPtrArray *losses; /* of belfry_loss * */
} ln_notice;

/*
 * A NUL-terminated copy, to be freed with g_free. Valid UTF-8 whatever comes in: libnotify sends odd calls for anything
 * else.
 */
char *belfry_libnotify_copy_text(belfry_string text);

/*
 * NULL when the notice can't be shown at all; *problem then says why and is to be freed with g_free. `app_name` and
 * `desktop_entry` are for a notice without its own.
 */
ln_notice *belfry_libnotify_notice_copy(
    const belfry_notice *notice, const char *app_name, const char *desktop_entry, char **problem);

void belfry_libnotify_notice_free(ln_notice *notice);

/* Adds to what was lost. `format` as in printf; the result is the detail. */
void belfry_libnotify_notice_lose(ln_notice *notice, belfry_loss_kind kind, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

#endif
