/*
 * The plug-in's own copy of a belfry_notice, made during the host's call, since the host only lends its data. The host
 * has prepared it: nothing is cleaned, cut or removed here.
 */
#ifndef BELFRY_LIBNOTIFY_NOTICE_H
#define BELFRY_LIBNOTIFY_NOTICE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "belfry_plugin.h"

/* The action key of the reply field on the bus, under which the typed text comes back. */
#define LN_REPLY_KEY "inline-reply"

typedef struct ln_action {
    char *identifier; /* the host's, sent back in events */
    char *key;        /* its action key on the bus */
    char *title;      /* never empty */
} ln_action;

/* Absent texts are empty, never NULL. */
typedef struct ln_notice {
    char *request_identifier, *app_name;
    char *title, *subtitle, *body, *icon;
    bool body_is_markup;
    int expire_after_ms;
    GVariant *hints;    /* a{sv}: everything that is sent as a hint, except the pixels */
    GVariant *pixels;   /* or NULL; the name of their hint depends on the server */
    GPtrArray *actions; /* of ln_action * */
    uint64_t replaces;  /* server id; 0: nothing */
    char *replaces_instance;
    GPtrArray *losses; /* of belfry_loss * */
} ln_notice;

/*
 * A NUL-terminated copy, to be freed with g_free. Always valid UTF-8: libnotify sends malformed calls for anything
 * else.
 */
char *belfry_libnotify_copy_text(belfry_string text);

/*
 * Returns NULL if the notice can't be shown; *reason then holds the reason and must be freed with g_free. `app_name`
 * and `desktop_entry` are used if the notice has none.
 */
ln_notice *belfry_libnotify_notice_copy(
    const belfry_notice *notice, const char *app_name, const char *desktop_entry, char **reason);

void belfry_libnotify_notice_free(ln_notice *notice);

/* Records a loss. `format` is as in printf; the result is the detail. */
void belfry_libnotify_notice_lose(ln_notice *notice, belfry_loss_kind kind, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

#endif
