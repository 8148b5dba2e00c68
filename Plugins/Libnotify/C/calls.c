#include "calls.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "instance.h"

/* More open calls than this and the host is told to come back later; nobody looks at so many notices. */
#define OPEN_CALLS_LIMIT 4096u

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

belfry_string belfry_libnotify_borrow(const char *text) {
    return (belfry_string){text, text == NULL ? 0 : strlen(text)};
}

ln_call *belfry_libnotify_call_new(ln_call_kind kind, uint64_t token, ln_notice *notice) {
    ln_call *call = g_new0(ln_call, 1);
    call->kind = kind;
    call->token = token;
    call->notice = notice;
    call->references = 1;
    return call;
}

static void free_call(ln_call *call) {
    if (call->notice != NULL) belfry_libnotify_notice_free(call->notice);
    g_free(call->server_instance);
    g_free(call);
}

void belfry_libnotify_call_release(belfry_plugin_instance *instance, ln_call *call) {
    pthread_mutex_lock(&instance->lock);
    bool is_last = --call->references == 0;
    pthread_mutex_unlock(&instance->lock);
    if (is_last) free_call(call);
}

/* With the lock held: whether the host may be called now. Whoever gets true calls leave_host afterwards. */
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
        .struct_size = sizeof event, .kind = BELFRY_EVENT_LOG, .log_level = level, .text = belfry_libnotify_borrow(text)};
    belfry_libnotify_emit(instance, &event);
    g_free(text);
}

/* With the lock held. Every call has the same time limit, so the end of the list is the latest deadline. */
static void link_call(belfry_plugin_instance *instance, ln_call *call) {
    call->deadline = now() + (int64_t)instance->call_timeout_ms * 1000000;
    call->references++;
    call->previous = instance->last_call;
    *(instance->last_call == NULL ? &instance->first_call : &instance->last_call->next) = call;
    instance->last_call = call;
    instance->open_calls++;
}

/* With the lock held. The list's reference goes with it; the one who answers holds one too. */
static void unlink_call(belfry_plugin_instance *instance, ln_call *call) {
    *(call->previous == NULL ? &instance->first_call : &call->previous->next) = call->next;
    *(call->next == NULL ? &instance->last_call : &call->next->previous) = call->previous;
    call->previous = call->next = NULL;
    instance->open_calls--;
    call->references--;
}

bool belfry_libnotify_call_is_answered(belfry_plugin_instance *instance, ln_call *call) {
    pthread_mutex_lock(&instance->lock);
    bool is_answered = call->is_answered;
    pthread_mutex_unlock(&instance->lock);
    return is_answered;
}

bool belfry_libnotify_call_answer(belfry_plugin_instance *instance, ln_call *call, const belfry_result *result) {
    pthread_mutex_lock(&instance->lock);
    bool is_first = !call->is_answered;
    /* One step under the lock: stop can't fall silent between the claim and the callback. */
    bool may_call = is_first && enter_host(instance);
    if (is_first) {
        call->is_answered = true;
        unlink_call(instance, call);
        pthread_cond_broadcast(&instance->changed);
    }
    pthread_mutex_unlock(&instance->lock);
    if (may_call) {
        instance->host.complete(instance->host.context, call->token, result);
        leave_host(instance);
    }
    return is_first;
}

bool belfry_libnotify_call_fail(
    belfry_plugin_instance *instance, ln_call *call, belfry_status status, const char *message) {
    belfry_result result = {
        .struct_size = sizeof result, .status = status, .message = belfry_libnotify_borrow(message)};
    return belfry_libnotify_call_answer(instance, call, &result);
}

void belfry_libnotify_call_reject(belfry_plugin_instance *instance, ln_call *call, const char *problem) {
    pthread_mutex_lock(&instance->lock);
    link_call(instance, call);
    pthread_mutex_unlock(&instance->lock);
    belfry_libnotify_call_fail(instance, call, BELFRY_STATUS_INVALID, problem);
    belfry_libnotify_call_release(instance, call);
}

void belfry_libnotify_call_enqueue(belfry_plugin_instance *instance, ln_call *call) {
    pthread_mutex_lock(&instance->lock);
    bool is_stopping = instance->is_stopping;
    bool is_full = instance->open_calls >= OPEN_CALLS_LIMIT;
    link_call(instance, call);
    if (!is_stopping && !is_full) {
        call->references++;
        g_queue_push_tail(&instance->jobs, call);
        pthread_cond_broadcast(&instance->changed);
    }
    pthread_mutex_unlock(&instance->lock);
    if (is_stopping) {
        belfry_libnotify_call_fail(instance, call, BELFRY_STATUS_STOPPED, "The libnotify plug-in was stopped.");
    } else if (is_full) {
        belfry_libnotify_call_fail(
            instance, call, BELFRY_STATUS_BUSY, "4096 calls wait for the notification server already; try again later.");
    } else {
        g_main_context_wakeup(instance->context);
    }
    belfry_libnotify_call_release(instance, call);
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

/* The first open call, if it was due by `instant` or is to be answered whatever its deadline, with a reference. */
static ln_call *take_first(belfry_plugin_instance *instance, int64_t instant) {
    ln_call *call = instance->first_call;
    if (call == NULL || call->deadline > instant) return NULL;
    call->references++;
    return call;
}

void belfry_libnotify_calls_stop(belfry_plugin_instance *instance) {
    for (;;) {
        pthread_mutex_lock(&instance->lock);
        ln_call *call = take_first(instance, INT64_MAX);
        pthread_mutex_unlock(&instance->lock);
        if (call == NULL) return;
        belfry_libnotify_call_fail(instance, call, BELFRY_STATUS_STOPPED, "The libnotify plug-in was stopped.");
        belfry_libnotify_call_release(instance, call);
    }
}

static void answer_late(belfry_plugin_instance *instance, ln_call *call) {
    pthread_mutex_lock(&instance->lock);
    belfry_status status = instance->waiting_status;
    char *reason = g_strdup(instance->waiting_message);
    pthread_mutex_unlock(&instance->lock);
    char *message = g_strdup_printf("Nothing came within %u ms: %s", instance->call_timeout_ms, reason);
    belfry_libnotify_call_fail(instance, call, status, message);
    g_free(message);
    g_free(reason);
    g_main_context_wakeup(instance->context); /* the worker may be waiting on behalf of this call */
}

void *belfry_libnotify_keeper_main(void *data) {
    belfry_plugin_instance *instance = data;
    pthread_mutex_lock(&instance->lock);
    while (!instance->is_stopping) {
        ln_call *due = take_first(instance, now());
        if (due != NULL) {
            pthread_mutex_unlock(&instance->lock);
            answer_late(instance, due);
            belfry_libnotify_call_release(instance, due);
            pthread_mutex_lock(&instance->lock);
        } else if (instance->first_call == NULL) {
            pthread_cond_wait(&instance->changed, &instance->lock);
        } else {
            int64_t deadline = instance->first_call->deadline;
            struct timespec until = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
            pthread_cond_timedwait(&instance->changed, &instance->lock, &until);
        }
    }
    pthread_mutex_unlock(&instance->lock);
    return NULL;
}
