/* The plug-in's own copy of a belfry_notice: made in the host's call, since all that the host passes is borrowed. */
#ifndef BELFRY_LIBNOTIFY_NOTICE_H
#define BELFRY_LIBNOTIFY_NOTICE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "belfry_plugin.h"

/* Limits that no server's reader misses: some servers stall for seconds on longer texts and on more buttons. */
#define LN_TITLE_LIMIT 256u
#define LN_BODY_LIMIT 2000u
#define LN_ACTION_LIMIT 32u
#define LN_LABEL_LIMIT 100u
#define LN_NAME_LIMIT 256u
#define LN_PATH_LIMIT 4096u
#define LN_HINT_LIMIT 64u
#define LN_PIXELS_LIMIT 4096u /* in each direction; larger ones aren't even copied */

typedef struct ln_action {
    belfry_action_kind kind;
    char *identifier; /* the host's, which comes back in events */
    char *key;        /* what goes onto the bus for it; NULL until the notice is shown */
    char *title; /* never empty */
    char *placeholder;
} ln_action;

typedef struct ln_hint {
    belfry_hint_type type;
    char *key;
    char *string;
    int64_t integer;
    double real;
} ln_hint;

typedef struct ln_pixels {
    int width, height, row_stride;
    bool has_alpha;
    uint8_t *bytes; /* row_stride × height, padded with zeros */
} ln_pixels;

/* Every text is clean (see text.h) and owned; absent ones are empty, never NULL. */
typedef struct ln_notice {
    char *request_identifier, *app_name, *desktop_entry;
    char *title, *subtitle, *body;
    char *icon, *image_path, *sound, *category;
    bool body_is_markup, is_transient, is_resident;
    int progress; /* percent, -1: none */
    belfry_level level;
    belfry_sound_kind sound_kind;
    int expire_after_ms;
    ln_pixels *pixels;  /* or NULL */
    GPtrArray *actions; /* of ln_action * */
    GPtrArray *hints;   /* of ln_hint * */
    uint64_t replaces;  /* server id; 0: nothing */
    char *replaces_instance;
    GPtrArray *losses; /* what the copying already lost */
} ln_notice;

/*
 * Copies, cleans and cuts. NULL when the notice can't be shown at all; *problem then says why and is to be freed with g_free. For
 * clean text and lists it takes time in proportion to the limits above, not to what comes in. To be freed with the
 * function below.
 */
ln_notice *belfry_libnotify_notice_copy(const belfry_notice *notice, char **problem);

void belfry_libnotify_notice_free(ln_notice *notice);

#endif
