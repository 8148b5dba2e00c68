#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "instance.h"
#include "text.h"

int64_t json_lines_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- Calling back ---------------------------------------------------------------------------------------------- */

/* False once stop has begun. After true the caller must call leave(), for which stop waits. */
static bool enter(belfry_plugin_instance *self, uint64_t token) {
    pthread_mutex_lock(&self->lock);
    bool may = !self->stopping;
    if (may) self->calling_back = true;
    if (may && token != 0) self->at_work = 0;
    pthread_mutex_unlock(&self->lock);
    return may;
}

static void leave(belfry_plugin_instance *self) {
    pthread_mutex_lock(&self->lock);
    self->calling_back = false;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

/* False if stop completes it instead. */
static bool complete(belfry_plugin_instance *self, uint64_t token, const belfry_result *result) {
    if (!enter(self, token)) return false;
    self->host.complete(self->host.context, token, result);
    leave(self);
    return true;
}

static void complete_failed(belfry_plugin_instance *self, uint64_t token, belfry_status status, const char *why) {
    belfry_result result = {.struct_size = sizeof result, .status = status, .message = json_lines_borrow(why)};
    complete(self, token, &result);
}

static void send(belfry_plugin_instance *self, const belfry_event *event) {
    if (!enter(self, 0)) return;
    self->host.event(self->host.context, event);
    leave(self);
}

void json_lines_log(const belfry_host *host, belfry_log_level level, const char *text) {
    belfry_event event = {
        .struct_size = sizeof event, .kind = BELFRY_EVENT_LOG, .log_level = level, .text = json_lines_borrow(text)};
    host->event(host->context, &event);
}

void json_lines_warn(belfry_plugin_instance *self, const char *why) {
    if (!enter(self, 0)) return;
    json_lines_log(&self->host, BELFRY_LOG_WARNING, why);
    leave(self);
}

/* ---- Jobs ------------------------------------------------------------------------------------------------------ */

static void complete_capabilities(belfry_plugin_instance *self, uint64_t token) {
    static const char *const names[] = {"body", "actions", "persistence"};
    bool answers = self->answers.pipe >= 0;
    belfry_string raw[] = {json_lines_borrow(names[0]), json_lines_borrow(names[2]), json_lines_borrow(names[1])};
    belfry_server server = {
        .struct_size = sizeof server,
        .instance = json_lines_borrow(self->journal->run),
        .name = json_lines_borrow("JSON lines"),
        .version = json_lines_borrow("1"),
        .features = BELFRY_FEATURE_BODY | BELFRY_FEATURE_ICON | BELFRY_FEATURE_IMAGE | BELFRY_FEATURE_PERSISTENCE |
                    BELFRY_FEATURE_PROGRESS | BELFRY_FEATURE_REPLACEMENT | BELFRY_FEATURE_WITHDRAWAL |
                    BELFRY_FEATURE_CLOSE_EVENTS | (answers ? BELFRY_FEATURE_ACTIONS : 0),
        .raw_capabilities = raw,
        .raw_capability_count = answers ? 3 : 2,
        .title_limit = JSON_LINES_TITLE_LIMIT,
        .body_limit = JSON_LINES_BODY_LIMIT,
        .action_limit = JSON_LINES_ACTION_LIMIT,
    };
    belfry_result result = {.struct_size = sizeof result, .server = &server};
    complete(self, token, &result);
}

static bool is_late(const belfry_plugin_instance *self, const json_lines_job *job) {
    return json_lines_now_ms() - job->begun_ms > self->call_timeout_ms;
}

/* Takes a notice back whose delivery has failed after all: nobody should see it twice. */
static void take_back(belfry_plugin_instance *self, uint64_t number) {
    json_lines_open *open = json_lines_journal_find(self->journal, number);
    if (open != NULL && json_lines_journal_end(self->journal, open, "withdrawn") == BELFRY_STATUS_OK)
        json_lines_journal_forget(self->journal, open);
}

static void deliver(belfry_plugin_instance *self, json_lines_job *job) {
    json_lines_notice *notice = job->notice;
    uint64_t number = 0;
    belfry_status status = json_lines_journal_show(self->journal, notice, &number);
    if (status != BELFRY_STATUS_OK) {
        complete_failed(self, job->token, status, self->journal->problem);
        return;
    }
    if (is_late(self, job)) { /* the disk was slow and the host has given up */
        take_back(self, number);
        complete_failed(self, job->token, BELFRY_STATUS_TIMED_OUT, "The file could not be written in time.");
        return;
    }
    const belfry_loss *lost[JSON_LINES_LOSS_LIMIT];
    bool replaces = notice->replaces != 0;
    for (size_t i = 0; i < notice->loss_count; i++) {
        lost[i] = &notice->losses[i];
        if (lost[i]->kind == BELFRY_LOST_REPLACEMENT) replaces = false;
    }
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = number, .server_instance = json_lines_borrow(self->journal->run)};
    belfry_result result = {
        .struct_size = sizeof result, .flags = replaces ? BELFRY_RESULT_REPLACED : 0, .receipt = &receipt,
        .lost = lost, .lost_count = notice->loss_count};
    /* Stopped meanwhile, which is a failure, so the notice must not stay. */
    if (!complete(self, job->token, &result)) take_back(self, number);
}

/* Reports that a notice is gone, after the file has recorded it. */
static void send_closed(belfry_plugin_instance *self, const json_lines_open *open, belfry_close_reason reason) {
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = open->number,
        .server_instance = json_lines_borrow(self->journal->run)};
    belfry_event event = {
        .struct_size = sizeof event, .kind = BELFRY_EVENT_CLOSED, .receipt = &receipt,
        .request_identifier = json_lines_borrow(open->request), .close_reason = reason, .raw_close_reason = reason};
    send(self, &event);
}

static void withdraw(belfry_plugin_instance *self, json_lines_job *job) {
    json_lines_open *open = NULL;
    if (strcmp(job->instance, self->journal->run) == 0) open = json_lines_journal_find(self->journal, job->number);
    belfry_status status = BELFRY_STATUS_OK;
    if (open != NULL) status = json_lines_journal_end(self->journal, open, "withdrawn");
    if (status != BELFRY_STATUS_OK) {
        complete_failed(self, job->token, status, self->journal->problem);
        return;
    }
    belfry_result result = {.struct_size = sizeof result};
    complete(self, job->token, &result);
    if (open == NULL) return;
    send_closed(self, open, BELFRY_CLOSED_WITHDRAWN);
    json_lines_journal_forget(self->journal, open);
}

void json_lines_perform(belfry_plugin_instance *self, json_lines_job *job) {
    if (is_late(self, job)) {
        complete_failed(self, job->token, BELFRY_STATUS_TIMED_OUT, "The file could not be written in time.");
        return;
    }
    switch (job->kind) {
    case JSON_LINES_CAPABILITIES: complete_capabilities(self, job->token); break;
    case JSON_LINES_DELIVER: deliver(self, job); break;
    case JSON_LINES_WITHDRAW: withdraw(self, job); break;
    }
}

/* ---- Responses ------------------------------------------------------------------------------------------------- */

void json_lines_answered(void *data, json_lines_response response, uint64_t number) {
    belfry_plugin_instance *self = data;
    bool is_answer = response == JSON_LINES_ANSWER;
    json_lines_open *open = json_lines_journal_find(self->journal, number);
    if (response == JSON_LINES_UNREADABLE) {
        json_lines_warn(self, "A line of the pipe can't be read: write 'answer NUMBER' or 'dismiss NUMBER'.");
        return;
    }
    if (open == NULL || (is_answer && open->action == NULL)) {
        char problem[128];
        snprintf(problem, sizeof problem, "There is no open notice %" PRIu64 "%s.", number,
                 open == NULL ? "" : " with an action");
        json_lines_warn(self, problem);
        return;
    }
    if (json_lines_journal_end(self->journal, open, is_answer ? "answered" : "dismissed") != BELFRY_STATUS_OK) {
        json_lines_warn(self, self->journal->problem);
        return;
    }
    if (is_answer) {
        belfry_receipt receipt = {
            .struct_size = sizeof receipt, .server_id = number,
            .server_instance = json_lines_borrow(self->journal->run)};
        belfry_event event = {
            .struct_size = sizeof event, .kind = BELFRY_EVENT_ACTION, .receipt = &receipt,
            .request_identifier = json_lines_borrow(open->request),
            .action_identifier = json_lines_borrow(open->action)};
        send(self, &event);
    }
    send_closed(self, open, BELFRY_CLOSED_DISMISSED);
    json_lines_journal_forget(self->journal, open);
}
