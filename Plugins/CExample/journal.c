/* The file, and the notices in it that can still get a response. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "json_lines.h"

LOSS(replaced_is_gone, BELFRY_LOST_REPLACEMENT, "what was to be replaced is gone");

/*
 * Appends a line. The file is opened for each line, so that it may be moved at any time (by logrotate, say). One write
 * holds the whole line, so that several programs can share a file.
 */
static belfry_status append(belfry_plugin_instance *self, const char *line, size_t length) {
    belfry_status status = BELFRY_STATUS_FAILED_FOR_NOW;
    ssize_t written = 0;
    struct stat properties;
    const char *why = NULL;
    /* O_NONBLOCK: a pipe with this name must not block the worker. */
    int file = open(self->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (file < 0 || fstat(file, &properties) != 0) {
        why = strerror(errno);
    } else if (!S_ISREG(properties.st_mode)) {
        why = "it is not a regular file, give another one";
        status = BELFRY_STATUS_FAILED;
    } else if ((written = write(file, line, length)) < 0) {
        why = strerror(errno);
    } else if ((size_t)written < length) {
        why = strerror(ENOSPC); /* or the file has its maximum size */
    }
    if (file >= 0) close(file);
    if (written > 0) self->torn = why != NULL;
    if (why == NULL) return BELFRY_STATUS_OK;
    snprintf(self->problem, sizeof self->problem, "%s can't be written: %s.", self->path, why);
    return status;
}

belfry_status json_lines_write(
    belfry_plugin_instance *self, const json_lines_call *notice, const char *event, bool with_fields) {
    char instant[32] = "", *bytes = NULL;
    size_t length = 0;
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) != NULL) strftime(instant, sizeof instant, "%Y-%m-%dT%H:%M:%SZ", &parts);
    FILE *line = open_memstream(&bytes, &length);
    bool is_whole = false;
    if (line != NULL) {
        fprintf(line, "%s{\"notice\":%" PRIu64 ",\"event\":\"%s\",\"at\":\"%s\",\"run\":\"%s\",%.*s",
                self->torn ? "\n" : "", notice->number, event, instant, self->run,
                with_fields ? INT_MAX : notice->request_length, notice->fields);
        for (size_t i = 0; with_fields && i < notice->lost_count; i++)
            fprintf(line, "%s\"%s\"", i == 0 ? ",\"lost\":[" : ",", notice->lost[i]->detail.bytes);
        fputs(with_fields && notice->lost_count > 0 ? "]}\n" : "}\n", line);
        is_whole = !ferror(line);
        if (fclose(line) != 0) is_whole = false;
    }
    belfry_status status = BELFRY_STATUS_FAILED_FOR_NOW;
    if (is_whole) status = append(self, bytes, length);
    else snprintf(self->problem, sizeof self->problem, "%s gets no line: there is no memory.", self->path);
    free(bytes);
    return status;
}

belfry_status json_lines_show(belfry_plugin_instance *self, json_lines_call *call) {
    json_lines_call *old = json_lines_find(self, call->number);
    if (call->replaces && old == NULL) json_lines_lose(call, &replaced_is_gone);
    call->replaces = old != NULL;
    if (old == NULL) call->number = self->last_number + 1;
    belfry_status status = json_lines_write(self, call, old == NULL ? "shown" : "replaced", true);
    if (status != BELFRY_STATUS_OK) return status;
    if (old == NULL) self->last_number = call->number;
    json_lines_call **place = &self->open[call->number % JSON_LINES_OPEN_LIMIT];
    json_lines_free_call(*place); /* the one that is replaced, or one that is too old for a response */
    *place = call;
    return BELFRY_STATUS_OK;
}

json_lines_call *json_lines_find(belfry_plugin_instance *self, uint64_t number) {
    json_lines_call *notice = self->open[number % JSON_LINES_OPEN_LIMIT];
    return notice != NULL && notice->number == number ? notice : NULL;
}

void json_lines_forget(belfry_plugin_instance *self, json_lines_call *notice) {
    self->open[notice->number % JSON_LINES_OPEN_LIMIT] = NULL;
    json_lines_free_call(notice);
}
