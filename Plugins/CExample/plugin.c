/* The host's view of the plug-in: the descriptor with its functions, and the only symbol that the file exports. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "json_lines.h"

#define TEXT(literal) {literal, sizeof(literal) - 1}
#define CALL_TIMEOUT_MS 4000
#define STOP_TIMEOUT_MS 2000

/* ---- Calls: they only append to the worker's queue, so that none of them waits for a disk ---------------------- */

/* Takes ownership of the call. NULL, or one that lacks its function, means out of memory. */
static void enqueue(belfry_plugin_instance *self, uint64_t token, json_lines_call *call) {
    bool is_whole = call != NULL && call->perform != NULL, queued = false;
    belfry_result refused = {
        .struct_size = sizeof refused, .status = is_whole ? BELFRY_STATUS_BUSY : BELFRY_STATUS_INTERNAL,
        .message = TEXT("There is no memory, or too many calls wait for the file.")};
    pthread_mutex_lock(&self->lock);
    bool stopping = self->stopping;
    if (is_whole && !stopping) {
        call->token = token;
        call->begun_ms = json_lines_now_ms();
        queued = write(self->queue[1], &call, sizeof call) == sizeof call;
    }
    pthread_mutex_unlock(&self->lock);
    if (queued) return;
    json_lines_free_call(call);
    /* The host treats calls that are open when stop returns as stopped. */
    if (!stopping) self->host.complete(self->host.context, token, &refused);
}

static void capabilities(belfry_plugin_instance *self, uint64_t token) {
    json_lines_call *call = calloc(1, sizeof *call);
    if (call != NULL) call->perform = json_lines_capabilities;
    enqueue(self, token, call);
}

static void deliver(belfry_plugin_instance *self, uint64_t token, const belfry_notice *notice) {
    json_lines_call *call = calloc(1, sizeof *call);
    if (call != NULL && json_lines_copy_notice(self, call, notice)) call->perform = json_lines_deliver;
    enqueue(self, token, call);
}

static void withdraw(belfry_plugin_instance *self, uint64_t token, const belfry_receipt *receipt) {
    json_lines_call *call = calloc(1, sizeof *call);
    if (call != NULL) {
        call->number = json_lines_number(self, receipt);
        call->perform = json_lines_withdraw;
    }
    enqueue(self, token, call);
}

/* ---- Start and stop -------------------------------------------------------------------------------------------- */

/* The setting `file`, $BELFRY_JSON_LINES_FILE, or notices.jsonl in the user's state directory. */
static void choose_file(belfry_plugin_instance *self, const belfry_start_options *options) {
    const char *given = getenv("BELFRY_JSON_LINES_FILE"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    size_t size = sizeof self->path;
    if (given != NULL) snprintf(self->path, size, "%s", given);
    else if (state != NULL && state[0] == '/') snprintf(self->path, size, "%s/notices.jsonl", state);
    else snprintf(self->path, size, "%s/.local/state/notices.jsonl", home == NULL ? "" : home);
    for (size_t i = 0; i < options->setting_count; i++) {
        const belfry_setting *setting = options->settings[i];
        if (setting == NULL || !BELFRY_HAS(setting, belfry_setting, value)) continue;
        belfry_string key = setting->key, value = setting->value;
        if (key.length == 4 && memcmp(key.bytes, "file", 4) == 0)
            snprintf(self->path, size, "%.*s", (int)value.length, value.bytes);
        else /* most often a typing mistake */
            json_lines_report(self, BELFRY_LOG_WARNING, "There is no setting \"%.*s\"; there is 'file'.",
                              (int)key.length, key.bytes);
    }
    snprintf(self->pipe_path, sizeof self->pipe_path, "%s.answers", self->path);
}

static belfry_status start(
    const belfry_host *host, const belfry_start_options *given, belfry_plugin_instance **instance) {
    READ(belfry_host, known_host, host);
    READ(belfry_start_options, options, given);
    *instance = NULL;
    belfry_plugin_instance *self = malloc(sizeof *self);
    if (self == NULL) return BELFRY_STATUS_INTERNAL;
    *self = (belfry_plugin_instance){
        .host = known_host,
        .call_timeout_ms = options.call_timeout_ms == 0 ? CALL_TIMEOUT_MS : options.call_timeout_ms,
        .stop_timeout_ms = options.stop_timeout_ms == 0 ? STOP_TIMEOUT_MS : options.stop_timeout_ms,
        .pipe = -1,
        .queue = {-1, -1},
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .called_back = PTHREAD_COND_INITIALIZER,
        .ended = eventfd(0, EFD_CLOEXEC),
        .owners = 2,
    };
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(self->run, sizeof self->run, "%ld-%lld.%09ld", (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
    choose_file(self, &options);
    bool has_descriptors = self->ended >= 0 && pipe2(self->queue, O_CLOEXEC | O_NONBLOCK) == 0;
    belfry_status status = BELFRY_STATUS_INTERNAL;
    if (self->path[0] != '/') {
        status = BELFRY_STATUS_INVALID;
        json_lines_report(self, BELFRY_LOG_ERROR, "The file has to be named by an absolute path.");
    } else if (!has_descriptors || !json_lines_start_worker(self)) {
        json_lines_report(self, BELFRY_LOG_ERROR, "There is no file descriptor, or no thread.");
    } else {
        *instance = self;
        return BELFRY_STATUS_OK;
    }
    close(self->queue[1]);
    self->owners = 1;
    json_lines_release(self);
    return status;
}

static void stop(belfry_plugin_instance *self) {
    belfry_result stopped = {
        .struct_size = sizeof stopped, .status = BELFRY_STATUS_STOPPED, .message = TEXT("The plug-in was stopped.")};
    pthread_mutex_lock(&self->lock);
    self->stopping = true;
    close(self->queue[1]);
    /* Waits without a timeout for a running callback: it is the host's own, and short. */
    while (self->calling_back) pthread_cond_wait(&self->called_back, &self->lock);
    uint64_t at_work = self->at_work;
    pthread_mutex_unlock(&self->lock);
    struct pollfd ended = {.fd = self->ended, .events = POLLIN};
    while (poll(&ended, 1, (int)self->stop_timeout_ms) < 0 && errno == EINTR) {}
    if (at_work != 0) self->host.complete(self->host.context, at_work, &stopped);
    for (json_lines_call *call; (call = json_lines_next_call(self)) != NULL; json_lines_free_call(call))
        self->host.complete(self->host.context, call->token, &stopped);
}

static const belfry_plugin_descriptor descriptor = {
    .struct_size = sizeof descriptor,
    .abi_major = BELFRY_PLUGIN_ABI_MAJOR,
    .abi_minor = BELFRY_PLUGIN_ABI_MINOR,
    .name = TEXT("json-lines"),
    .version = TEXT("1"),
    .summary = TEXT("appends notices to a file, one JSON object a line"),
    .start = start,
    .capabilities = capabilities,
    .deliver = deliver,
    .withdraw = withdraw,
    .stop = stop,
    .destroy = json_lines_release,
};

const belfry_plugin_descriptor *belfry_plugin_entry(uint32_t host_abi_major) {
    return host_abi_major == BELFRY_PLUGIN_ABI_MAJOR ? &descriptor : NULL;
}
