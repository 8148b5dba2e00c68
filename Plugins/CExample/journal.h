/* The file, and what stands in it that can still be answered. One thread uses a journal: the worker. */
#ifndef JSON_LINES_JOURNAL_H
#define JSON_LINES_JOURNAL_H

#include "notice.h"

#define JSON_LINES_OPEN_LIMIT 1000u /* older notices can't be answered any more */

typedef struct json_lines_open {
    uint64_t number;
    char *request; /* owned */
    char *action;  /* owned; NULL without */
} json_lines_open;

typedef struct json_lines_journal {
    char *path;   /* owned */
    char run[48]; /* names this run: the numbers of an earlier one are void */
    uint64_t last;
    bool torn; /* the last line isn't whole: the next one begins with a line break */
    json_lines_open open[JSON_LINES_OPEN_LIMIT];
    size_t open_count;
} json_lines_journal;

/* Takes `path` over. NULL where there is no memory, and `path` is freed then. For the caller to close. */
json_lines_journal *json_lines_journal_open(char *path);
void json_lines_journal_close(json_lines_journal *journal);

/*
 * Writes a notice and keeps it open. *number is its number; where it takes the place of one that is open, that one's. On a
 * failure `problem` holds the reason, and nothing counts as shown.
 */
belfry_status json_lines_journal_show(
    json_lines_journal *journal, json_lines_notice *notice, uint64_t *number, char *problem, size_t problem_size);

/*
 * Writes that an open notice is gone (`event`: withdrawn, answered, dismissed) and closes it. OK where it isn't open, with
 * *was_open false; it stays open where the file can't be written.
 */
belfry_status json_lines_journal_end(
    json_lines_journal *journal, uint64_t number, const char *event, bool *was_open, char *problem, size_t problem_size);

/* The open notice of that number, or NULL. Borrowed until the next call. */
const json_lines_open *json_lines_journal_find(const json_lines_journal *journal, uint64_t number);

#endif
