/* The pipe beside the file, through which responses to notices arrive. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json_lines.h"

void json_lines_open_pipe(belfry_plugin_instance *self) {
    const char *why = NULL;
    struct stat status;
    if (mkfifo(self->pipe_path, 0600) != 0 && errno != EEXIST) {
        why = strerror(errno);
    } else {
        /* Also open for writing: otherwise the pipe is at its end whenever the last writer closes it. */
        self->pipe = open(self->pipe_path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
        if (self->pipe < 0 || fstat(self->pipe, &status) != 0) why = strerror(errno);
        else if (!S_ISFIFO(status.st_mode) || status.st_uid != geteuid()) why = "it is not a pipe of this user";
        else if (flock(self->pipe, LOCK_EX | LOCK_NB) != 0) why = "another program reads it";
    }
    if (why == NULL) return;
    json_lines_report(self, BELFRY_LOG_WARNING, "Notices can't be answered by %s: %s.", self->pipe_path, why);
    if (self->pipe >= 0) close(self->pipe);
    self->pipe = -1;
}

void json_lines_close_pipe(belfry_plugin_instance *self) {
    if (self->pipe < 0) return;
    unlink(self->pipe_path); /* a later writer gets an error instead of blocking */
    close(self->pipe);
}

static void use_line(belfry_plugin_instance *self, const char *line) {
    char word[16] = "";
    uint64_t number = 0;
    int end = 0;
    if (line[strspn(line, " \t\r")] == '\0') return;
    bool is_read = sscanf(line, " %15[a-z] %19" SCNu64 " %n", word, &number, &end) == 2 && line[end] == '\0';
    bool is_answer = strcmp(word, "answer") == 0;
    json_lines_call *notice = json_lines_find(self, number);
    if (!is_read || (!is_answer && strcmp(word, "dismiss") != 0)) {
        json_lines_report(self, BELFRY_LOG_WARNING,
                          "A line of the pipe can't be read: write 'answer NUMBER' or 'dismiss NUMBER'.");
    } else if (notice == NULL || (is_answer && notice->action == NULL)) {
        json_lines_report(self, BELFRY_LOG_WARNING, "There is no open notice %" PRIu64 "%s.", number,
                          notice == NULL ? "" : " with an action");
    } else if (json_lines_write(self, notice, is_answer ? "answered" : "dismissed", false) != BELFRY_STATUS_OK) {
        json_lines_report(self, BELFRY_LOG_WARNING, "%s", self->problem);
    } else {
        if (is_answer) json_lines_send(self, notice, BELFRY_EVENT_ACTION, 0);
        json_lines_send(self, notice, BELFRY_EVENT_CLOSED, BELFRY_CLOSED_DISMISSED);
        json_lines_forget(self, notice);
    }
}

void json_lines_read_pipe(belfry_plugin_instance *self) {
    char *input = self->input, *end;
    ssize_t count = read(self->pipe, input + self->input_length, sizeof self->input - self->input_length);
    if (count > 0) self->input_length += (size_t)count;
    while ((end = memchr(input, '\n', self->input_length)) != NULL) {
        *end = '\0';
        use_line(self, input);
        self->input_length -= (size_t)(end + 1 - input);
        memmove(input, end + 1, self->input_length);
    }
    /* Of a line that is too long, only a first byte is kept, with which no line can be read. */
    if (self->input_length == sizeof self->input) {
        input[0] = '?';
        self->input_length = 1;
    }
}
