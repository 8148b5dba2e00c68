/* A copy of one notice: a call's arguments are only borrowed, and the worker writes the line later. */
#ifndef JSON_LINES_NOTICE_H
#define JSON_LINES_NOTICE_H

#include "belfry_plugin.h"

#define JSON_LINES_TITLE_LIMIT 200u /* characters */
#define JSON_LINES_BODY_LIMIT 4000u
#define JSON_LINES_ACTION_LIMIT 1u
#define JSON_LINES_LOSS_LIMIT 16u

typedef struct json_lines_notice {
    char *fields;            /* owned: the notice's part of the line, `"request":"tea",…` */
    char *request;           /* owned: the request's identifier */
    char *action;            /* owned: the identifier of the one action; NULL without */
    uint64_t replaces;       /* the number of the notice that it replaces; 0: none */
    char *replaces_instance; /* owned: the run that assigned that number; NULL without */
    belfry_loss losses[JSON_LINES_LOSS_LIMIT];
    size_t loss_count;
} json_lines_notice;

/* Returns NULL if out of memory. The caller must free the copy. */
json_lines_notice *json_lines_notice_copy(const belfry_notice *notice);
void json_lines_notice_free(json_lines_notice *notice); /* NULL does nothing */

/* Adds to what the user will not get; `detail` is a literal. */
void json_lines_notice_lose(json_lines_notice *notice, belfry_loss_kind kind, const char *detail);

#endif
