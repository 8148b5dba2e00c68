/* The file, and its notices that can still get a response. Only the worker uses a journal. */
#ifndef JSON_LINES_JOURNAL_H
#define JSON_LINES_JOURNAL_H

#include <stdbool.h>

#include "notice.h"

#define JSON_LINES_OPEN_LIMIT 1000u /* older notices get no responses any more */

typedef struct json_lines_open {
    uint64_t number;
    char *request; /* owned */
    char *action;  /* owned; NULL without */
} json_lines_open;

typedef struct json_lines_journal {
    char *path;   /* owned */
    char run[48]; /* identifies this run: the numbers of an earlier one are void */
    uint64_t last;
    bool torn; /* the last line is incomplete: the next one begins with a line break */
    char problem[512]; /* why a line could not be written */
    json_lines_open open[JSON_LINES_OPEN_LIMIT];
    size_t open_count;
} json_lines_journal;

/* Takes ownership of `path`. Returns NULL and frees `path` if out of memory. The caller must close the journal. */
json_lines_journal *json_lines_journal_open(char *path);
void json_lines_journal_close(json_lines_journal *journal);

/*
 * Writes a notice and keeps it open. Sets *number to its number, or to that of the open notice it replaces. On failure
 * `problem` holds the reason, and nothing counts as shown.
 */
belfry_status json_lines_journal_show(json_lines_journal *journal, json_lines_notice *notice, uint64_t *number);

/* Returns the open notice with that number, or NULL. Borrowed until another one is shown or closed. */
json_lines_open *json_lines_journal_find(json_lines_journal *journal, uint64_t number);

/*
 * Writes that an open notice is gone (`event`: withdrawn, answered, dismissed). On failure `problem` holds the reason,
 * and the notice stays open.
 */
belfry_status json_lines_journal_end(json_lines_journal *journal, const json_lines_open *open, const char *event);

/* Closes an open notice, which gets no response any more. */
void json_lines_journal_forget(json_lines_journal *journal, json_lines_open *open);

#endif
