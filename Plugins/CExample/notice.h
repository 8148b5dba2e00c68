/* One notice, copied: what a call gives is borrowed until it returns, and the line is written later, on the worker. */
#ifndef JSON_LINES_NOTICE_H
#define JSON_LINES_NOTICE_H

#include <stdbool.h>

#include "belfry_plugin.h"

#define JSON_LINES_TITLE_LIMIT 200u /* characters */
#define JSON_LINES_BODY_LIMIT 4000u
#define JSON_LINES_ACTION_LIMIT 1u
#define JSON_LINES_LOSS_LIMIT 16u

typedef struct json_lines_loss {
    belfry_loss_kind kind;
    char *detail; /* owned */
} json_lines_loss;

typedef struct json_lines_notice {
    char *fields;            /* owned: the part of the line that is the notice's own, `"request":"tea",…` */
    char *request;           /* owned: the request's identifier */
    char *action;            /* owned: the identifier of the one action; NULL without */
    uint64_t replaces;       /* the number of the notice whose place it takes; 0: none */
    char *replaces_instance; /* owned: the run that gave that number; NULL without */
    json_lines_loss losses[JSON_LINES_LOSS_LIMIT];
    size_t loss_count;
} json_lines_notice;

/* NULL where there is no memory. For the caller to free. */
json_lines_notice *json_lines_notice_copy(const belfry_notice *notice);
void json_lines_notice_free(json_lines_notice *notice); /* NULL is nothing */

/* Adds to what the user will not get; `detail` is borrowed. False where there is no memory. */
bool json_lines_notice_lose(json_lines_notice *notice, belfry_loss_kind kind, const char *detail);

#endif
