/* The worker: a thread that performs calls in order, and reads responses. Only the worker touches the disk. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "json_lines.h"

int64_t json_lines_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- Calling back ---------------------------------------------------------------------------------------------- */

/*
 * Passes one of them to the host: the result of the call at work, or an event. False once stop has begun, which
 * completes that call itself, and waits for a callback that is under way.
 */
static bool call_back(belfry_plugin_instance *self, const belfry_result *result, const belfry_event *event) {
    pthread_mutex_lock(&self->lock);
    bool may = !self->stopping;
    uint64_t token = self->at_work;
    self->calling_back = may;
    if (may && result != NULL) self->at_work = 0;
    pthread_mutex_unlock(&self->lock);
    if (!may) return false;
    if (result != NULL) self->host.complete(self->host.context, token, result);
    else self->host.event(self->host.context, event);
    pthread_mutex_lock(&self->lock);
    self->calling_back = false;
    pthread_cond_broadcast(&self->called_back);
    pthread_mutex_unlock(&self->lock);
    return true;
}

static void complete_failed(belfry_plugin_instance *self, belfry_status status, const char *why) {
    belfry_result result = {.struct_size = sizeof result, .status = status, .message = json_lines_text(why)};
    call_back(self, &result, NULL);
}

void json_lines_report(belfry_plugin_instance *self, belfry_log_level level, const char *format, ...) {
    char text[640];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    belfry_event event = {
        .struct_size = sizeof event, .kind = BELFRY_EVENT_LOG, .log_level = level, .text = json_lines_text(text)};
    call_back(self, NULL, &event);
}

void json_lines_send(
    belfry_plugin_instance *self, const json_lines_call *notice, belfry_event_kind kind, belfry_close_reason reason) {
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = notice->number, .server_instance = json_lines_text(self->run)};
    belfry_event event = {
        .struct_size = sizeof event, .kind = kind, .receipt = &receipt,
        .request_identifier = json_lines_text(notice->request), .close_reason = reason, .raw_close_reason = reason};
    if (kind == BELFRY_EVENT_ACTION) event.action_identifier = json_lines_text(notice->action);
    call_back(self, NULL, &event);
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

void json_lines_capabilities(belfry_plugin_instance *self, json_lines_call *call) {
    belfry_server server = {
        .struct_size = sizeof server,
        .instance = json_lines_text(self->run),
        .name = json_lines_text("JSON lines"),
        .version = json_lines_text("1"),
        .features = BELFRY_FEATURE_BODY | BELFRY_FEATURE_ICON | BELFRY_FEATURE_IMAGE | BELFRY_FEATURE_PERSISTENCE |
                    BELFRY_FEATURE_PROGRESS | BELFRY_FEATURE_REPLACEMENT | BELFRY_FEATURE_WITHDRAWAL |
                    (self->pipe < 0 ? 0 : BELFRY_FEATURE_ACTIONS | BELFRY_FEATURE_CLOSE_EVENTS),
        .title_limit = 200,
        .body_limit = 4000,
        .action_limit = 1,
    };
    belfry_result result = {.struct_size = sizeof result, .server = &server};
    call_back(self, &result, NULL);
    json_lines_free_call(call);
}

static bool is_late(const belfry_plugin_instance *self, const json_lines_call *call) {
    return json_lines_now_ms() - call->begun_ms > self->call_timeout_ms;
}

static void complete_late(belfry_plugin_instance *self) {
    complete_failed(self, BELFRY_STATUS_TIMED_OUT, "The file could not be written in time.");
}

void json_lines_deliver(belfry_plugin_instance *self, json_lines_call *call) {
    belfry_status status = json_lines_show(self, call);
    if (status != BELFRY_STATUS_OK) {
        complete_failed(self, status, self->problem);
        json_lines_free_call(call);
        return;
    }
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = call->number, .server_instance = json_lines_text(self->run)};
    belfry_result result = {
        .struct_size = sizeof result, .flags = call->replaces ? BELFRY_RESULT_REPLACED : 0, .receipt = &receipt,
        .lost = call->lost, .lost_count = call->lost_count};
    bool late = is_late(self, call); /* the disk was slow and the host has given up */
    if (!late && call_back(self, &result, NULL)) return;
    /* Late or stopped meanwhile, which are failures: the notice is taken back, as nobody should see it twice. */
    if (json_lines_write(self, call, "withdrawn", false) == BELFRY_STATUS_OK) json_lines_forget(self, call);
    if (late) complete_late(self);
}

void json_lines_withdraw(belfry_plugin_instance *self, json_lines_call *call) {
    belfry_result result = {.struct_size = sizeof result};
    json_lines_call *notice = json_lines_find(self, call->number);
    if (notice != NULL) result.status = json_lines_write(self, notice, "withdrawn", false);
    if (result.status != BELFRY_STATUS_OK) result.message = json_lines_text(self->problem);
    call_back(self, &result, NULL);
    if (notice != NULL && result.status == BELFRY_STATUS_OK) {
        json_lines_send(self, notice, BELFRY_EVENT_CLOSED, BELFRY_CLOSED_WITHDRAWN);
        json_lines_forget(self, notice);
    }
    json_lines_free_call(call);
}

/* ---- The thread ------------------------------------------------------------------------------------------------ */

json_lines_call *json_lines_next_call(belfry_plugin_instance *self) {
    json_lines_call *call;
    return read(self->queue[0], &call, sizeof call) == sizeof call ? call : NULL;
}

static void *work(void *data) {
    belfry_plugin_instance *self = data;
    json_lines_open_pipe(self);
    for (bool stopping = false; !stopping;) {
        struct pollfd ends[] = {{.fd = self->queue[0], .events = POLLIN}, {.fd = self->pipe, .events = POLLIN}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
        pthread_mutex_lock(&self->lock);
        stopping = self->stopping;
        json_lines_call *call = stopping ? NULL : json_lines_next_call(self);
        if (call != NULL) self->at_work = call->token;
        pthread_mutex_unlock(&self->lock);
        if (call != NULL && is_late(self, call)) {
            complete_late(self);
            json_lines_free_call(call);
        } else if (call != NULL) {
            call->perform(self, call);
        }
        if (!stopping && self->pipe >= 0) json_lines_read_pipe(self);
    }
    json_lines_close_pipe(self);
    eventfd_write(self->ended, 1);
    json_lines_release(self);
    return NULL;
}

bool json_lines_start_worker(belfry_plugin_instance *self) {
    pthread_t thread;
    sigset_t all, before;
    /* Signals belong to the program: this thread must handle none. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&thread, NULL, work, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) pthread_detach(thread); /* `ended` reports its end, which allows a wait with a timeout */
    return started;
}

void json_lines_release(belfry_plugin_instance *self) {
    pthread_mutex_lock(&self->lock);
    bool is_last = --self->owners == 0;
    pthread_mutex_unlock(&self->lock);
    if (!is_last) return;
    for (size_t i = 0; i < JSON_LINES_OPEN_LIMIT; i++) json_lines_free_call(self->open[i]);
    close(self->queue[0]);
    close(self->ended);
    free(self);
}
