/* The pipe beside the file, through which the user or a script answers: a line `answer 3` or `dismiss 3`. */
#ifndef JSON_LINES_ANSWERS_H
#define JSON_LINES_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_lines_answers {
    int pipe;     /* -1: there is none, and no responses are possible */
    char *path;   /* owned */
    char line[64]; /* the part of a line that has arrived */
    size_t length;
    bool too_long; /* the current line is skipped to its end */
} json_lines_answers;

typedef enum json_lines_response { JSON_LINES_ANSWER, JSON_LINES_DISMISS, JSON_LINES_UNREADABLE } json_lines_response;

/* Creates the pipe `FILE.answers`; false with a reason in `problem` if that fails, or another program reads it. */
bool json_lines_answers_open(json_lines_answers *answers, const char *file, char *problem, size_t problem_size);

/* Reads the available input and calls `use` for each whole line. Never waits. */
void json_lines_answers_read(
    json_lines_answers *answers, void (*use)(void *data, json_lines_response response, uint64_t number), void *data);

/* Removes the pipe, so that a later writer gets an error instead of blocking. */
void json_lines_answers_close(json_lines_answers *answers);

#endif
