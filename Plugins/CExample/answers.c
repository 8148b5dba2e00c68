#define _DEFAULT_SOURCE
#include "answers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool json_lines_answers_open(json_lines_answers *answers, const char *file, char *problem, size_t problem_size) {
    size_t size = strlen(file) + sizeof ".answers";
    *answers = (json_lines_answers){.pipe = -1, .path = malloc(size)};
    if (answers->path == NULL) {
        snprintf(problem, problem_size, "There is no memory for the pipe of answers.");
        return false;
    }
    snprintf(answers->path, size, "%s.answers", file);
    struct stat status;
    if (mkfifo(answers->path, 0600) != 0 && errno != EEXIST) {
        snprintf(problem, problem_size, "The pipe %s can't be made: %s.", answers->path, strerror(errno));
        return false;
    }
    /* Also open for writing: otherwise the pipe is at its end whenever the last writer closes it. */
    answers->pipe = open(answers->path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    if (answers->pipe < 0 || fstat(answers->pipe, &status) != 0) {
        snprintf(problem, problem_size, "The pipe %s can't be opened: %s.", answers->path, strerror(errno));
    } else if (!S_ISFIFO(status.st_mode) || status.st_uid != geteuid()) {
        snprintf(problem, problem_size, "%s is not a pipe of this user: move it away.", answers->path);
    } else if (flock(answers->pipe, LOCK_EX | LOCK_NB) != 0) {
        snprintf(problem, problem_size, "%s is read by another program: notices can't be answered here.",
                 answers->path);
    } else {
        return true;
    }
    if (answers->pipe >= 0) close(answers->pipe);
    answers->pipe = -1;
    return false;
}

static void use_line(
    char *line, void (*use)(void *data, json_lines_response response, uint64_t number), void *data) {
    char word[16];
    uint64_t number = 0;
    int end = 0;
    if (line[strspn(line, " \t\r")] == '\0') return;
    json_lines_response response = JSON_LINES_UNREADABLE;
    if (sscanf(line, " %15[a-z] %19" SCNu64 " %n", word, &number, &end) == 2 && line[end] == '\0') {
        if (strcmp(word, "answer") == 0) response = JSON_LINES_ANSWER;
        if (strcmp(word, "dismiss") == 0) response = JSON_LINES_DISMISS;
    }
    use(data, response, number);
}

void json_lines_answers_read(
    json_lines_answers *answers, void (*use)(void *data, json_lines_response response, uint64_t number), void *data) {
    char bytes[256];
    ssize_t count;
    while (answers->pipe >= 0 && (count = read(answers->pipe, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < count; i++) {
            if (bytes[i] != '\n') {
                if (answers->length + 1 < sizeof answers->line) answers->line[answers->length++] = bytes[i];
                else answers->too_long = true;
                continue;
            }
            answers->line[answers->length] = '\0';
            if (answers->too_long) use(data, JSON_LINES_UNREADABLE, 0);
            else use_line(answers->line, use, data);
            answers->length = 0;
            answers->too_long = false;
        }
    }
}

void json_lines_answers_close(json_lines_answers *answers) {
    if (answers->pipe >= 0) {
        unlink(answers->path);
        close(answers->pipe);
    }
    answers->pipe = -1;
    free(answers->path);
    answers->path = NULL;
}
