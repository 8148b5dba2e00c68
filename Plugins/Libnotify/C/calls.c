#include "calls.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "instance.h"

/* With more open calls than this the host gets BUSY; no user looks at so many notices. */
#define OPEN_CALLS_LIMIT 4096u

belfry_string belfry_libnotify_borrow(const char *text) {
    return (belfry_string){text, text == NULL ? 0 : strlen(text)};
}

ln_call *belfry_libnotify_call_new(ln_call_kind kind, uint64_t token) {
    ln_call *call = g_new0(ln_call, 1);
    call->kind = kind;
    call->token = token;
    call->link.data = call;
    return call;
}

void belfry_libnotify_call_free(ln_call *call) {
    if (call->notice != NULL) belfry_libnotify_notice_free(call->notice);
    g_free(call->server_instance);
    g_free(call);
}

bool belfry_libnotify_wait_until(belfry_plugin_instance *instance, int64_t deadline) {
    struct timespec until = {.tv_sec = deadline / G_USEC_PER_SEC, .tv_nsec = deadline % G_USEC_PER_SEC * 1000};
    return pthread_cond_timedwait(&instance->changed, &instance->lock, &until) != ETIMEDOUT;
}

/* ---- To the host ----------------------------------------------------------------------------------------------- */

/* With the lock held: whether the host may be called now. After true the caller must call leave_host. */
static bool enter_host(belfry_plugin_instance *instance) {
    if (instance->is_silent) return false;
    instance->callbacks_inside++;
    return true;
}

static void leave_host(belfry_plugin_instance *instance) {
    pthread_mutex_lock(&instance->lock);
    instance->callbacks_inside--;
    pthread_cond_broadcast(&instance->changed);
    pthread_mutex_unlock(&instance->lock);
}

void belfry_libnotify_emit(belfry_plugin_instance *instance, const belfry_event *event) {
    pthread_mutex_lock(&instance->lock);
    bool may_call = enter_host(instance);
    pthread_mutex_unlock(&instance->lock);
    if (!may_call) return;
    instance->host.event(instance->host.context, event);
    leave_host(instance);
}

void belfry_libnotify_log(belfry_plugin_instance *instance, belfry_log_level level, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    belfry_event event = {
        .struct_size = sizeof event, .kind = BELFRY_EVENT_LOG, .log_level = level,
        .text = belfry_libnotify_borrow(text)};
    belfry_libnotify_emit(instance, &event);
    g_free(text);
}

static belfry_result failure(belfry_status status, const char *message) {
    return (belfry_result){
        .struct_size = sizeof(belfry_result), .status = status, .message = belfry_libnotify_borrow(message)};
}

/* Completes a token and leaves the host. Call it after enter_host. */
static void complete(belfry_plugin_instance *instance, uint64_t token, const belfry_result *result) {
    instance->host.complete(instance->host.context, token, result);
    leave_host(instance);
}

/* ---- Completion ------------------------------------------------------------------------------------------------ */

/* With the lock held: whether the caller is the first to complete the call. */
static bool claim(belfry_plugin_instance *instance, ln_call *call) {
    if (call->is_completed) return false;
    call->is_completed = true;
    g_queue_unlink(&instance->open_calls, &call->link);
    pthread_cond_broadcast(&instance->changed);
    return true;
}

bool belfry_libnotify_call_is_completed(belfry_plugin_instance *instance, ln_call *call) {
    pthread_mutex_lock(&instance->lock);
    bool is_completed = call->is_completed;
    pthread_mutex_unlock(&instance->lock);
    return is_completed;
}

bool belfry_libnotify_call_complete(belfry_plugin_instance *instance, ln_call *call, const belfry_result *result) {
    pthread_mutex_lock(&instance->lock);
    bool is_first = claim(instance, call);
    /* One step under the lock: stop can't silence the instance between the claim and the callback. */
    bool may_call = is_first && enter_host(instance);
    pthread_mutex_unlock(&instance->lock);
    if (may_call) complete(instance, call->token, result);
    return is_first;
}

void belfry_libnotify_call_fail(
    belfry_plugin_instance *instance, ln_call *call, belfry_status status, const char *message) {
    belfry_result result = failure(status, message);
    belfry_libnotify_call_complete(instance, call, &result);
}

/* Fails the first open call if it was due by `instant`. The worker may free it as soon as it is claimed. */
static bool fail_first(belfry_plugin_instance *instance, int64_t instant, belfry_status status, const char *message) {
    pthread_mutex_lock(&instance->lock);
    ln_call *call = g_queue_peek_head(&instance->open_calls);
    bool is_due = call != NULL && call->deadline <= instant;
    uint64_t token = is_due ? call->token : 0;
    bool may_call = is_due && claim(instance, call) && enter_host(instance);
    pthread_mutex_unlock(&instance->lock);
    belfry_result result = failure(status, message);
    if (may_call) complete(instance, token, &result);
    return is_due;
}

void belfry_libnotify_calls_stop(belfry_plugin_instance *instance) {
    while (fail_first(instance, INT64_MAX, BELFRY_STATUS_STOPPED, LN_STOPPED_MESSAGE)) {
    }
}

/* ---- Queueing and waiting -------------------------------------------------------------------------------------- */

void belfry_libnotify_call_reject(
    belfry_plugin_instance *instance, ln_call *call, belfry_status status, const char *message) {
    belfry_result result = failure(status, message);
    pthread_mutex_lock(&instance->lock);
    bool may_call = enter_host(instance);
    pthread_mutex_unlock(&instance->lock);
    if (may_call) complete(instance, call->token, &result);
    belfry_libnotify_call_free(call);
}

void belfry_libnotify_call_enqueue(belfry_plugin_instance *instance, ln_call *call) {
    pthread_mutex_lock(&instance->lock);
    bool is_stopping = instance->is_stopping;
    bool is_full = instance->open_calls.length >= OPEN_CALLS_LIMIT;
    if (!is_stopping && !is_full) {
        /* Every call has the same timeout, so the last one has the latest deadline. */
        call->deadline = g_get_monotonic_time() + (int64_t)instance->call_timeout_ms * 1000;
        g_queue_push_tail_link(&instance->open_calls, &call->link);
        g_queue_push_tail(&instance->jobs, call);
        pthread_cond_broadcast(&instance->changed);
    }
    pthread_mutex_unlock(&instance->lock);
    if (is_stopping) {
        belfry_libnotify_call_reject(instance, call, BELFRY_STATUS_STOPPED, LN_STOPPED_MESSAGE);
    } else if (is_full) {
        belfry_libnotify_call_reject(
            instance, call, BELFRY_STATUS_BUSY,
            "4096 calls wait for the notification server already; try again later.");
    } else {
        g_main_context_wakeup(instance->context);
    }
}

void belfry_libnotify_calls_wait_for(belfry_plugin_instance *instance, belfry_status status, const char *message) {
    char *copy = g_strdup(message);
    pthread_mutex_lock(&instance->lock);
    char *old = instance->waiting_message;
    instance->waiting_status = status;
    instance->waiting_message = copy;
    pthread_mutex_unlock(&instance->lock);
    g_free(old);
}

void *belfry_libnotify_keeper_main(void *data) {
    belfry_plugin_instance *instance = data;
    pthread_mutex_lock(&instance->lock);
    while (!instance->is_stopping) {
        const ln_call *first = g_queue_peek_head(&instance->open_calls);
        if (first == NULL) {
            pthread_cond_wait(&instance->changed, &instance->lock);
        } else if (!belfry_libnotify_wait_until(instance, first->deadline)) {
            belfry_status status = instance->waiting_status;
            char *message = g_strdup_printf(
                "Nothing came within %u ms: %s", instance->call_timeout_ms, instance->waiting_message);
            pthread_mutex_unlock(&instance->lock);
            fail_first(instance, g_get_monotonic_time(), status, message);
            g_free(message);
            g_main_context_wakeup(instance->context); /* the worker may be waiting on behalf of this call */
            pthread_mutex_lock(&instance->lock);
        }
    }
    pthread_mutex_unlock(&instance->lock);
    return NULL;
}
