#define _DEFAULT_SOURCE
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "instance.h"
#include "text.h"

#define CALL_TIMEOUT_MS 4000
#define STOP_TIMEOUT_MS 2000

static void free_job(json_lines_job *job) {
    if (job == NULL) return;
    json_lines_notice_free(job->notice);
    free(job->instance);
    free(job);
}

/* ---- The thread ------------------------------------------------------------------------------------------------ */

static void free_instance(belfry_plugin_instance *self) {
    while (self->first != NULL) {
        json_lines_job *next = self->first->next;
        free_job(self->first);
        self->first = next;
    }
    json_lines_journal_close(self->journal);
    free(self->answers.path);
    close(self->wake[0]);
    close(self->wake[1]);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

static json_lines_job *next_job(belfry_plugin_instance *self, bool *stopping) {
    pthread_mutex_lock(&self->lock);
    *stopping = self->stopping;
    json_lines_job *job = *stopping ? NULL : self->first;
    if (job != NULL) {
        self->first = job->next;
        if (self->first == NULL) self->last = NULL;
        self->at_work = job->token;
    }
    pthread_mutex_unlock(&self->lock);
    return job;
}

static void *work(void *data) {
    belfry_plugin_instance *self = data;
    char problem[512];
    if (!json_lines_answers_open(&self->answers, self->journal->path, problem, sizeof problem))
        json_lines_warn(self, problem);
    for (bool stopping = false; !stopping;) {
        json_lines_job *job = next_job(self, &stopping);
        if (job != NULL) {
            json_lines_perform(self, job);
            free_job(job);
            continue;
        }
        if (stopping) break;
        struct pollfd ends[] = {{.fd = self->wake[0], .events = POLLIN}, {.fd = self->answers.pipe, .events = POLLIN}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
        char bytes[64];
        while (read(self->wake[0], bytes, sizeof bytes) > 0) {}
        json_lines_answers_read(&self->answers, json_lines_answered, self);
    }
    json_lines_answers_close(&self->answers);
    pthread_mutex_lock(&self->lock);
    self->ended = true;
    bool abandoned = self->abandoned;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    if (abandoned) free_instance(self);
    return NULL;
}

/* ---- The descriptor's functions -------------------------------------------------------------------------------- */

static belfry_status refuse(const belfry_host *host, belfry_status status, const char *why) {
    json_lines_log(host, BELFRY_LOG_ERROR, why);
    return status;
}

static char *path_below(const char *folder, const char *rest) {
    size_t size = strlen(folder) + strlen(rest) + 1;
    char *path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s%s", folder, rest);
    return path;
}

static bool is_file(const belfry_setting *setting) {
    return setting->key.length == 4 && memcmp(setting->key.bytes, "file", 4) == 0;
}

/* The setting `file`, $BELFRY_JSON_LINES_FILE, or notices.jsonl in the user's state directory. The caller frees it. */
static char *file_path(const belfry_start_options *options) {
    for (size_t i = 0; i < options->setting_count; i++) {
        const belfry_setting *setting = options->settings[i];
        if (setting != NULL && BELFRY_HAS(setting, belfry_setting, value) && is_file(setting))
            return json_lines_copy(setting->value);
    }
    const char *given = getenv("BELFRY_JSON_LINES_FILE");
    if (given != NULL) return json_lines_copy(json_lines_borrow(given));
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state != NULL && state[0] == '/') return path_below(state, "/notices.jsonl");
    return path_below(home == NULL ? "" : home, "/.local/state/notices.jsonl");
}

/* The header requires it: an unknown setting is most often a typing mistake. */
static void name_unknown_settings(const belfry_host *host, const belfry_start_options *options) {
    for (size_t i = 0; i < options->setting_count; i++) {
        const belfry_setting *setting = options->settings[i];
        if (setting == NULL || is_file(setting)) continue;
        char line[256];
        int length = setting->key.length < 200 ? (int)setting->key.length : 200;
        snprintf(line, sizeof line, "There is no setting \"%.*s\"; there is 'file'.", length, setting->key.bytes);
        json_lines_log(host, BELFRY_LOG_WARNING, line);
    }
}

static bool start_thread(belfry_plugin_instance *self) {
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

belfry_status json_lines_worker_start(
    const belfry_host *host, const belfry_start_options *given, belfry_plugin_instance **instance) {
    *instance = NULL;
    belfry_start_options options;
    memset(&options, 0, sizeof options);
    memcpy(&options, given, given->struct_size < sizeof options ? given->struct_size : sizeof options);
    char *path = file_path(&options);
    if (path == NULL || path[0] != '/') {
        free(path);
        return refuse(host, BELFRY_STATUS_INVALID, "The file has to be named by an absolute path.");
    }
    belfry_plugin_instance *self = calloc(1, sizeof *self);
    if (self == NULL || (self->journal = json_lines_journal_open(path)) == NULL || pipe(self->wake) != 0) {
        if (self == NULL) free(path);
        else json_lines_journal_close(self->journal);
        free(self);
        return refuse(host, BELFRY_STATUS_INTERNAL, "There is no memory, or no file descriptor.");
    }
    for (int end = 0; end < 2; end++) {
        fcntl(self->wake[end], F_SETFD, FD_CLOEXEC);
        fcntl(self->wake[end], F_SETFL, O_NONBLOCK);
    }
    memcpy(&self->host, host, host->struct_size < sizeof self->host ? host->struct_size : sizeof self->host);
    self->call_timeout_ms = options.call_timeout_ms == 0 ? CALL_TIMEOUT_MS : options.call_timeout_ms;
    self->stop_timeout_ms = options.stop_timeout_ms == 0 ? STOP_TIMEOUT_MS : options.stop_timeout_ms;
    self->answers.pipe = -1;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC); /* setting the clock must not lengthen a wait */
    pthread_cond_init(&self->changed, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&self->lock, NULL);
    name_unknown_settings(host, &options);
    if (!start_thread(self)) {
        free_instance(self);
        return refuse(host, BELFRY_STATUS_INTERNAL, "There is no thread to be had.");
    }
    *instance = self;
    return BELFRY_STATUS_OK;
}

static void wake(belfry_plugin_instance *self) {
    /* A full pipe also wakes the worker. */
    if (write(self->wake[1], "", 1) < 0) return;
}

void json_lines_worker_enqueue(belfry_plugin_instance *self, uint64_t token, json_lines_job *job) {
    bool ok = job != NULL && (job->kind != JSON_LINES_DELIVER || job->notice != NULL) &&
              (job->kind != JSON_LINES_WITHDRAW || job->instance != NULL);
    pthread_mutex_lock(&self->lock);
    bool stopping = self->stopping;
    if (ok && !stopping) {
        job->token = token;
        job->begun_ms = json_lines_now_ms();
        if (self->last != NULL) self->last->next = job;
        else self->first = job;
        self->last = job;
    }
    pthread_mutex_unlock(&self->lock);
    if (ok && !stopping) {
        wake(self);
        return;
    }
    free_job(job);
    if (stopping) return; /* the host treats open calls as stopped when stop returns */
    belfry_result result = {
        .struct_size = sizeof result, .status = BELFRY_STATUS_INTERNAL,
        .message = json_lines_borrow("There is no memory.")};
    self->host.complete(self->host.context, token, &result);
}

void json_lines_worker_stop(belfry_plugin_instance *self) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += self->stop_timeout_ms / 1000;
    end.tv_nsec += (long)(self->stop_timeout_ms % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&self->lock);
    self->stopping = true;
    wake(self);
    /* Waits without a timeout for a running callback: it is the host's own, and short. */
    while (self->calling_back) pthread_cond_wait(&self->changed, &self->lock);
    while (!self->ended && pthread_cond_timedwait(&self->changed, &self->lock, &end) == 0) {}
    uint64_t at_work = self->at_work;
    self->at_work = 0;
    json_lines_job *waiting = self->first;
    self->first = self->last = NULL;
    pthread_mutex_unlock(&self->lock);
    belfry_result stopped = {
        .struct_size = sizeof stopped, .status = BELFRY_STATUS_STOPPED,
        .message = json_lines_borrow("The plug-in was stopped.")};
    if (at_work != 0) self->host.complete(self->host.context, at_work, &stopped);
    while (waiting != NULL) {
        json_lines_job *next = waiting->next;
        self->host.complete(self->host.context, waiting->token, &stopped);
        free_job(waiting);
        waiting = next;
    }
}

void json_lines_worker_destroy(belfry_plugin_instance *self) {
    pthread_mutex_lock(&self->lock);
    bool ended = self->ended;
    self->abandoned = !ended; /* blocked on the disk: the worker frees this later, and calls nobody */
    pthread_mutex_unlock(&self->lock);
    if (ended) free_instance(self);
}
