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

void json_lines_complain(belfry_plugin_instance *self, const char *why) {
    belfry_event event = {
        .struct_size = sizeof event, .kind = BELFRY_EVENT_LOG, .log_level = BELFRY_LOG_WARNING,
        .text = json_lines_borrow(why)};
    send(self, &event);
}

/* ---- Jobs ------------------------------------------------------------------------------------------------------ */

static void tell_capabilities(belfry_plugin_instance *self, uint64_t token) {
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
    return json_lines_now_ms() - job->begun_ms > self->call_limit_ms;
}

static void deliver(belfry_plugin_instance *self, json_lines_job *job) {
    char problem[512];
    uint64_t number = 0;
    bool replaces = job->notice->replaces != 0, was_open;
    belfry_status status = json_lines_journal_show(self->journal, job->notice, &number, problem, sizeof problem);
    if (status != BELFRY_STATUS_OK) {
        complete_failed(self, job->token, status, problem);
        return;
    }
    if (is_late(self, job)) { /* the disk was slow and the host has given up: don't show it twice */
        json_lines_journal_end(self->journal, number, "withdrawn", &was_open, problem, sizeof problem);
        complete_failed(self, job->token, BELFRY_STATUS_TIMED_OUT, "The file could not be written in time.");
        return;
    }
    belfry_loss losses[JSON_LINES_LOSS_LIMIT];
    const belfry_loss *lost[JSON_LINES_LOSS_LIMIT];
    for (size_t i = 0; i < job->notice->loss_count; i++) {
        losses[i] = (belfry_loss){
            .struct_size = sizeof losses[i], .kind = job->notice->losses[i].kind,
            .detail = json_lines_borrow(job->notice->losses[i].detail)};
        lost[i] = &losses[i];
        if (losses[i].kind == BELFRY_LOST_REPLACEMENT) replaces = false;
    }
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = number, .server_instance = json_lines_borrow(self->journal->run)};
    belfry_result result = {
        .struct_size = sizeof result, .flags = replaces ? BELFRY_RESULT_REPLACED : 0, .receipt = &receipt,
        .lost = lost, .lost_count = job->notice->loss_count};
    /* Stopped meanwhile, which is a failure, so the notice must not stay. */
    if (!complete(self, job->token, &result))
        json_lines_journal_end(self->journal, number, "withdrawn", &was_open, problem, sizeof problem);
}

/* Reports that a notice is gone, after the file has recorded it. */
static void send_closed(
    belfry_plugin_instance *self, uint64_t number, const char *request, belfry_close_reason reason) {
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = number, .server_instance = json_lines_borrow(self->journal->run)};
    belfry_event event = {
        .struct_size = sizeof event, .kind = BELFRY_EVENT_CLOSED, .receipt = &receipt,
        .request_identifier = json_lines_borrow(request), .close_reason = reason, .raw_close_reason = reason};
    send(self, &event);
}

static void withdraw(belfry_plugin_instance *self, json_lines_job *job) {
    char problem[512];
    bool was_open = false;
    belfry_status status = BELFRY_STATUS_OK;
    const json_lines_open *open = NULL;
    if (strcmp(job->instance, self->journal->run) == 0) open = json_lines_journal_find(self->journal, job->number);
    char *request = open == NULL ? NULL : json_lines_copy(json_lines_borrow(open->request));
    if (open != NULL)
        status = json_lines_journal_end(self->journal, job->number, "withdrawn", &was_open, problem, sizeof problem);
    if (status != BELFRY_STATUS_OK) {
        complete_failed(self, job->token, status, problem);
    } else {
        belfry_result result = {.struct_size = sizeof result};
        complete(self, job->token, &result);
        if (was_open) send_closed(self, job->number, request == NULL ? "" : request, BELFRY_CLOSED_WITHDRAWN);
    }
    free(request);
}

void json_lines_perform(belfry_plugin_instance *self, json_lines_job *job) {
    if (is_late(self, job)) {
        complete_failed(self, job->token, BELFRY_STATUS_TIMED_OUT, "The file could not be written in time.");
        return;
    }
    switch (job->kind) {
    case JSON_LINES_CAPABILITIES: tell_capabilities(self, job->token); break;
    case JSON_LINES_DELIVER: deliver(self, job); break;
    case JSON_LINES_WITHDRAW: withdraw(self, job); break;
    }
}

/* ---- Responses ------------------------------------------------------------------------------------------------- */

void json_lines_answered(void *data, json_lines_wish wish, uint64_t number) {
    belfry_plugin_instance *self = data;
    char problem[512];
    const json_lines_open *open = json_lines_journal_find(self->journal, number);
    if (wish == JSON_LINES_UNREADABLE) {
        json_lines_complain(self, "A line of the pipe can't be read: write 'answer NUMBER' or 'dismiss NUMBER'.");
        return;
    }
    if (open == NULL || (wish == JSON_LINES_ANSWER && open->action == NULL)) {
        snprintf(problem, sizeof problem, "There is no open notice %" PRIu64 "%s.", number,
                 open == NULL ? "" : " with an action");
        json_lines_complain(self, problem);
        return;
    }
    char *request = json_lines_copy(json_lines_borrow(open->request));
    char *action = wish == JSON_LINES_ANSWER ? json_lines_copy(json_lines_borrow(open->action)) : NULL;
    bool was_open = false;
    if (request == NULL || (wish == JSON_LINES_ANSWER && action == NULL)) {
        json_lines_complain(self, "There is no memory for an answer.");
    } else if (json_lines_journal_end(self->journal, number, action == NULL ? "dismissed" : "answered", &was_open,
                                      problem, sizeof problem) != BELFRY_STATUS_OK) {
        json_lines_complain(self, problem);
    } else {
        belfry_receipt receipt = {
            .struct_size = sizeof receipt, .server_id = number,
            .server_instance = json_lines_borrow(self->journal->run)};
        belfry_event event = {
            .struct_size = sizeof event, .kind = BELFRY_EVENT_ACTION, .receipt = &receipt,
            .request_identifier = json_lines_borrow(request)};
        if (action != NULL) {
            event.action_identifier = json_lines_borrow(action);
            send(self, &event);
        }
        send_closed(self, number, request, BELFRY_CLOSED_DISMISSED);
    }
    free(request);
    free(action);
}
