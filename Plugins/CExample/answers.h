/* The pipe beside the file, through which the user or a script answers: a line `answer 3` or `dismiss 3`. */
#ifndef JSON_LINES_ANSWERS_H
#define JSON_LINES_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_lines_answers {
    int pipe;     /* -1: there is none, and nothing can be answered */
    char *path;   /* owned */
    char line[64]; /* what has come of a line */
    size_t length;
    bool too_long; /* the line that comes is skipped to its end */
} json_lines_answers;

typedef enum json_lines_wish { JSON_LINES_ANSWER, JSON_LINES_DISMISS, JSON_LINES_UNREADABLE } json_lines_wish;

/* Makes the pipe `FILE.answers`; false with a reason in `problem` where that can't be, or another program has it. */
bool json_lines_answers_open(json_lines_answers *answers, const char *file, char *problem, size_t problem_size);

/* Reads what has come and calls `use` for each whole line. Doesn't wait. */
void json_lines_answers_read(
    json_lines_answers *answers, void (*use)(void *data, json_lines_wish wish, uint64_t number), void *data);

/* Removes the pipe: whoever writes to it later is told, instead of being kept waiting. */
void json_lines_answers_close(json_lines_answers *answers);

#endif
