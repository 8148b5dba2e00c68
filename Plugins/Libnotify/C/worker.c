#include "worker.h"

#include <libnotify/notify.h>

#include "bus.h"

static bool is_stopping(belfry_plugin_instance *instance) {
    pthread_mutex_lock(&instance->lock);
    bool is_stopping = instance->is_stopping;
    pthread_mutex_unlock(&instance->lock);
    return is_stopping;
}

static void take_calls(ln_worker *worker) {
    belfry_plugin_instance *instance = worker->instance;
    pthread_mutex_lock(&instance->lock);
    ln_call *call;
    while ((call = g_queue_pop_head(&instance->jobs)) != NULL) g_queue_push_tail(&worker->calls, call);
    pthread_mutex_unlock(&instance->lock);
}

/* Removes the first call, which has been completed. */
static void drop_first(ln_worker *worker) { belfry_libnotify_call_free(g_queue_pop_head(&worker->calls)); }

void belfry_libnotify_worker_fail_all(ln_worker *worker, belfry_status status, const char *message) {
    take_calls(worker); /* calls that have just come would fail as well */
    if (g_queue_is_empty(&worker->calls))
        belfry_libnotify_log(worker->instance, BELFRY_LOG_INFO, "%s", message);
    while (!g_queue_is_empty(&worker->calls)) {
        belfry_libnotify_call_fail(worker->instance, g_queue_peek_head(&worker->calls), status, message);
        drop_first(worker);
    }
}

static void perform(ln_worker *worker, ln_call *call) {
    belfry_result result = {
        .struct_size = sizeof result, .status = BELFRY_STATUS_OK, .server = &worker->server->description};
    switch (call->kind) {
    case LN_CAPABILITIES: belfry_libnotify_call_complete(worker->instance, call, &result); break;
    case LN_DELIVER: belfry_libnotify_show(worker, call); break;
    case LN_WITHDRAW: belfry_libnotify_withdraw(worker, call); break;
    }
}

/* Processes calls in order, until one has to wait. */
static void pump(ln_worker *worker) {
    belfry_result done = {.struct_size = sizeof done, .status = BELFRY_STATUS_OK};
    while (!g_queue_is_empty(&worker->calls) && !is_stopping(worker->instance)) {
        ln_call *call = g_queue_peek_head(&worker->calls);
        bool is_void = call->kind == LN_WITHDRAW && belfry_libnotify_bus_is_void(worker, call->server_instance);
        if (is_void) { /* before a server is started only for this call */
            belfry_libnotify_call_complete(worker->instance, call, &done);
        } else if (!belfry_libnotify_call_is_completed(worker->instance, call)) {
            if (!belfry_libnotify_bus_is_ready(worker)) return;
            perform(worker, call);
        }
        drop_first(worker);
    }
}

static void step(ln_worker *worker) {
    take_calls(worker);
    belfry_libnotify_signals_take(worker, false);
    belfry_libnotify_bus_check(worker);
    pump(worker);
}

static void clean_up(ln_worker *worker) {
    take_calls(worker);
    if (!g_queue_is_empty(&worker->calls))
        belfry_libnotify_worker_fail_all(worker, BELFRY_STATUS_STOPPED, LN_STOPPED_MESSAGE);
    g_cancellable_cancel(worker->questions);
    while (worker->pending > 0) g_main_context_iteration(worker->instance->context, TRUE);
    /* Without objects it closes nothing on the screen, and releases its proxy, which is bound to this thread. */
    notify_uninit();
    belfry_libnotify_bus_release(worker);
    belfry_libnotify_shown_free(&worker->shown);
    g_async_queue_unref(worker->messages);
    g_object_unref(worker->questions);
    /* Sources that GLib has queued for this context hold references to the connection; running them releases it. */
    while (g_main_context_iteration(worker->instance->context, FALSE)) {
    }
}

void belfry_libnotify_worker_run(belfry_plugin_instance *instance) {
    ln_worker worker = {.instance = instance, .questions = g_cancellable_new()};
    g_queue_init(&worker.calls);
    belfry_libnotify_shown_init(&worker.shown, instance);
    worker.messages = g_async_queue_new_full(g_object_unref);
    g_main_context_push_thread_default(instance->context);
    notify_init(instance->app_name);
    belfry_libnotify_bus_connect(&worker);
    step(&worker);
    while (!is_stopping(instance)) {
        g_main_context_iteration(instance->context, TRUE);
        step(&worker);
    }
    clean_up(&worker);
    g_main_context_pop_thread_default(instance->context);
}
