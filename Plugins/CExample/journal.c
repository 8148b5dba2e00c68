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

static void forget(json_lines_journal *journal, size_t place) {
    free(journal->open[place].request);
    free(journal->open[place].action);
    journal->open_count--;
    memmove(&journal->open[place], &journal->open[place + 1], (journal->open_count - place) * sizeof journal->open[0]);
}

void json_lines_journal_close(json_lines_journal *journal) {
    if (journal == NULL) return;
    while (journal->open_count > 0) forget(journal, journal->open_count - 1);
    free(journal->path);
    free(journal);
}

static size_t place_of(const json_lines_journal *journal, uint64_t number) {
    size_t place = 0;
    while (place < journal->open_count && journal->open[place].number != number) place++;
    return place;
}

const json_lines_open *json_lines_journal_find(const json_lines_journal *journal, uint64_t number) {
    size_t place = place_of(journal, number);
    return place < journal->open_count ? &journal->open[place] : NULL;
}

/*
 * Appends a line. The file is opened for each line, so that it may be moved at any time (by logrotate, say). One write
 * holds the whole line, so that several programs can share a file.
 */
static belfry_status append(json_lines_journal *journal, const json_lines_text *line, char *problem, size_t size) {
    if (line->failed) {
        snprintf(problem, size, "There is no memory for a line in %s.", journal->path);
        return BELFRY_STATUS_FAILED_FOR_NOW;
    }
    /* O_NONBLOCK: a pipe with this name must not block the worker. */
    int file = open(journal->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        snprintf(problem, size, "%s can't be opened: %s.", journal->path, strerror(errno));
        if (file >= 0) close(file);
        return BELFRY_STATUS_FAILED_FOR_NOW;
    }
    if (!S_ISREG(status.st_mode)) {
        snprintf(problem, size, "%s is not a regular file: give another one.", journal->path);
        close(file);
        return BELFRY_STATUS_FAILED;
    }
    if (journal->torn && write(file, "\n", 1) == 1) journal->torn = false;
    ssize_t written = write(file, line->bytes, line->length);
    int error = written < 0 ? errno : ENOSPC; /* a partial write: the disk is full, or the file has its maximum size */
    close(file);
    if (written == (ssize_t)line->length) return BELFRY_STATUS_OK;
    if (written > 0) journal->torn = true;
    snprintf(problem, size, "%s can't be written: %s.", journal->path, strerror(error));
    return BELFRY_STATUS_FAILED_FOR_NOW;
}

static void begin_line(json_lines_text *line, const json_lines_journal *journal, uint64_t number, const char *event) {
    char instant[32] = "";
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) != NULL) strftime(instant, sizeof instant, "%Y-%m-%dT%H:%M:%SZ", &parts);
    json_lines_text_add(line, "{\"notice\":%" PRIu64 ",\"event\":\"%s\",\"at\":\"%s\"", number, event, instant);
    json_lines_text_add(line, ",\"run\":\"%s\"", journal->run);
}

static void add_losses(json_lines_text *line, const json_lines_notice *notice) {
    for (size_t i = 0; i < notice->loss_count; i++) {
        json_lines_text_add(line, i == 0 ? ",\"lost\":[" : ",");
        json_lines_text_add_string(line, json_lines_borrow(notice->losses[i].detail));
    }
    if (notice->loss_count > 0) json_lines_text_add(line, "]");
}

belfry_status json_lines_journal_show(
    json_lines_journal *journal, json_lines_notice *notice, uint64_t *number, char *problem, size_t problem_size) {
    size_t old = journal->open_count;
    if (notice->replaces != 0 && strcmp(notice->replaces_instance, journal->run) == 0)
        old = place_of(journal, notice->replaces);
    bool replaces = old < journal->open_count;
    if (notice->replaces != 0 && !replaces &&
        !json_lines_notice_lose(notice, BELFRY_LOST_REPLACEMENT, "what was to be replaced is gone")) {
        snprintf(problem, problem_size, "There is no memory.");
        return BELFRY_STATUS_FAILED_FOR_NOW;
    }
    *number = replaces ? notice->replaces : journal->last + 1;
    json_lines_text line = {.bytes = NULL};
    begin_line(&line, journal, *number, replaces ? "replaced" : "shown");
    json_lines_text_add(&line, ",%s", notice->fields);
    add_losses(&line, notice);
    json_lines_text_add(&line, "}\n");
    belfry_status status = append(journal, &line, problem, problem_size);
    json_lines_text_free(&line);
    if (status != BELFRY_STATUS_OK) return status;
    if (replaces) forget(journal, old);
    if (journal->open_count == JSON_LINES_OPEN_LIMIT) forget(journal, 0);
    if (*number > journal->last) journal->last = *number;
    journal->open[journal->open_count++] =
        (json_lines_open){.number = *number, .request = notice->request, .action = notice->action};
    notice->request = notice->action = NULL; /* taken over */
    return BELFRY_STATUS_OK;
}

belfry_status json_lines_journal_end(
    json_lines_journal *journal, uint64_t number, const char *event, bool *was_open, char *problem, size_t problem_size) {
    size_t place = place_of(journal, number);
    *was_open = place < journal->open_count;
    if (!*was_open) return BELFRY_STATUS_OK;
    json_lines_text line = {.bytes = NULL};
    begin_line(&line, journal, number, event);
    json_lines_text_add(&line, ",\"request\":");
    json_lines_text_add_string(&line, json_lines_borrow(journal->open[place].request));
    json_lines_text_add(&line, "}\n");
    belfry_status status = append(journal, &line, problem, problem_size);
    json_lines_text_free(&line);
    if (status == BELFRY_STATUS_OK) forget(journal, place);
    return status;
}
