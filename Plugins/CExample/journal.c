#define _DEFAULT_SOURCE
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

json_lines_journal *json_lines_journal_open(char *path) {
    json_lines_journal *journal = calloc(1, sizeof *journal);
    if (journal == NULL) {
        free(path);
        return NULL;
    }
    journal->path = path;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(journal->run, sizeof journal->run, "%ld-%lld.%09ld", (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
    return journal;
}

void json_lines_journal_forget(json_lines_journal *journal, json_lines_open *open) {
    free(open->request);
    free(open->action);
    journal->open_count--;
    size_t behind = journal->open_count - (size_t)(open - journal->open);
    memmove(open, open + 1, behind * sizeof *open);
}

void json_lines_journal_close(json_lines_journal *journal) {
    if (journal == NULL) return;
    while (journal->open_count > 0) json_lines_journal_forget(journal, &journal->open[journal->open_count - 1]);
    free(journal->path);
    free(journal);
}

json_lines_open *json_lines_journal_find(json_lines_journal *journal, uint64_t number) {
    for (size_t i = 0; i < journal->open_count; i++)
        if (journal->open[i].number == number) return &journal->open[i];
    return NULL;
}

static void describe(json_lines_journal *journal, const char *what, const char *why) {
    snprintf(journal->problem, sizeof journal->problem, "%s %s: %s.", journal->path, what, why);
}

/*
 * Appends a line. The file is opened for each line, so that it may be moved at any time (by logrotate, say). One write
 * holds the whole line, so that several programs can share a file.
 */
static belfry_status append(json_lines_journal *journal, const char *line, size_t length) {
    /* O_NONBLOCK: a pipe with this name must not block the worker. */
    int file = open(journal->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        describe(journal, "can't be opened", strerror(errno));
        if (file >= 0) close(file);
        return BELFRY_STATUS_FAILED_FOR_NOW;
    }
    if (!S_ISREG(status.st_mode)) {
        describe(journal, "is not a regular file", "give another one");
        close(file);
        return BELFRY_STATUS_FAILED;
    }
    if (journal->torn && write(file, "\n", 1) == 1) journal->torn = false;
    ssize_t written = write(file, line, length);
    int error = written < 0 ? errno : ENOSPC; /* a partial write: the disk is full, or the file has its maximum size */
    close(file);
    if (written == (ssize_t)length) return BELFRY_STATUS_OK;
    if (written > 0) journal->torn = true;
    describe(journal, "can't be written", strerror(error));
    return BELFRY_STATUS_FAILED_FOR_NOW;
}

/* Appends the line of an event: with the fields of a notice that is shown, else with the request alone. */
static belfry_status write_event(
    json_lines_journal *journal, uint64_t number, const char *event, const char *request,
    const json_lines_notice *notice) {
    char instant[32] = "", *bytes = NULL;
    size_t length = 0;
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) != NULL) strftime(instant, sizeof instant, "%Y-%m-%dT%H:%M:%SZ", &parts);
    FILE *line = open_memstream(&bytes, &length);
    if (line != NULL) {
        fprintf(line, "{\"notice\":%" PRIu64 ",\"event\":\"%s\",\"at\":\"%s\"", number, event, instant);
        fprintf(line, ",\"run\":\"%s\",", journal->run);
        if (notice == NULL) {
            fputs("\"request\":", line);
            json_lines_write_string(line, json_lines_borrow(request));
        } else {
            fputs(notice->fields, line);
            for (size_t i = 0; i < notice->loss_count; i++) {
                fputs(i == 0 ? ",\"lost\":[" : ",", line);
                json_lines_write_string(line, notice->losses[i].detail);
            }
            if (notice->loss_count > 0) putc(']', line);
        }
        fputs("}\n", line);
    }
    bool is_whole = line != NULL && !ferror(line);
    if (line != NULL && fclose(line) != 0) is_whole = false;
    belfry_status status = BELFRY_STATUS_FAILED_FOR_NOW;
    if (is_whole) status = append(journal, bytes, length);
    else describe(journal, "gets no line", "there is no memory");
    free(bytes);
    return status;
}

belfry_status json_lines_journal_show(json_lines_journal *journal, json_lines_notice *notice, uint64_t *number) {
    json_lines_open *old = NULL;
    if (notice->replaces != 0 && strcmp(notice->replaces_instance, journal->run) == 0)
        old = json_lines_journal_find(journal, notice->replaces);
    if (notice->replaces != 0 && old == NULL)
        json_lines_notice_lose(notice, BELFRY_LOST_REPLACEMENT, "what was to be replaced is gone");
    *number = old != NULL ? notice->replaces : journal->last + 1;
    belfry_status status = write_event(journal, *number, old != NULL ? "replaced" : "shown", NULL, notice);
    if (status != BELFRY_STATUS_OK) return status;
    if (old != NULL) json_lines_journal_forget(journal, old);
    if (journal->open_count == JSON_LINES_OPEN_LIMIT) json_lines_journal_forget(journal, &journal->open[0]);
    if (*number > journal->last) journal->last = *number;
    journal->open[journal->open_count++] =
        (json_lines_open){.number = *number, .request = notice->request, .action = notice->action};
    notice->request = notice->action = NULL; /* taken over */
    return BELFRY_STATUS_OK;
}

belfry_status json_lines_journal_end(json_lines_journal *journal, const json_lines_open *open, const char *event) {
    return write_event(journal, open->number, event, open->request, NULL);
}
