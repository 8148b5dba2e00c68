#define _GNU_SOURCE
#include "belfry_libnotify.h"
#include "instance.h"

#include <errno.h>
#include <libnotify/notify.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "worker.h"

#define DEFAULT_CALL_TIMEOUT_MS 4000u
#define DEFAULT_STOP_TIMEOUT_MS 2000u
#define LONGEST_TIMEOUT_MS 600000u

/* libnotify has global state without locks: a worker must have ended before the next one may start. */
static gint libnotify_is_taken;

static void give_libnotify_back(void) { g_atomic_int_set(&libnotify_is_taken, 0); }

static bool take_libnotify(void) {
    if (!g_atomic_int_compare_and_exchange(&libnotify_is_taken, 0, 1)) return false;
    if (!notify_is_initted()) return true;
    give_libnotify_back();
    return false;
}

/*
 * Whether libnotify would use the desktop portal instead of a notification server: in a Flatpak, in a snap (also in a
 * terminal that is one), or on request. That mode drops most hints and crashes in 0.8.1. Its timeouts need the
 * default main context, which nobody runs here. Only an environment variable turns it off, and setenv is unsafe in a
 * process with threads.
 */
static bool would_use_portal(void) {
    if (g_getenv("NOTIFY_IGNORE_PORTAL") != NULL) return false;
    if (g_getenv("NOTIFY_FORCE_PORTAL") != NULL || g_file_test("/.flatpak-info", G_FILE_TEST_EXISTS)) return true;
    char *groups = NULL;
    bool is_snap = g_file_get_contents("/proc/self/cgroup", &groups, NULL, NULL) && strstr(groups, "/snap.") != NULL;
    g_free(groups);
    return is_snap;
}

static void release(belfry_plugin_instance *instance) {
    pthread_mutex_lock(&instance->lock);
    bool is_last = --instance->references == 0;
    pthread_mutex_unlock(&instance->lock);
    if (!is_last) return;
    g_main_context_unref(instance->context);
    pthread_cond_destroy(&instance->changed);
    pthread_mutex_destroy(&instance->lock);
    g_free(instance->app_name);
    g_free(instance->desktop_entry);
    g_free(instance->waiting_message);
    g_free(instance);
}

static void *worker_main(void *data) {
    belfry_plugin_instance *instance = data;
    belfry_libnotify_worker_run(instance);
    give_libnotify_back();
    pthread_mutex_lock(&instance->lock);
    instance->worker_has_ended = true;
    pthread_cond_broadcast(&instance->changed);
    pthread_mutex_unlock(&instance->lock);
    release(instance);
    return NULL;
}

static uint32_t timeout_or_default(uint32_t given, uint32_t otherwise) {
    return given == 0 ? otherwise : MIN(given, LONGEST_TIMEOUT_MS);
}

static belfry_plugin_instance *make_instance(const belfry_host *host, const belfry_start_options *options) {
    belfry_plugin_instance *instance = g_new0(belfry_plugin_instance, 1);
    LN_READ(instance->host, host);
    instance->app_name = belfry_libnotify_copy_text(options->app_name);
    instance->desktop_entry = belfry_libnotify_copy_text(options->desktop_entry);
    instance->call_timeout_ms = timeout_or_default(options->call_timeout_ms, DEFAULT_CALL_TIMEOUT_MS);
    instance->stop_timeout_ms = timeout_or_default(options->stop_timeout_ms, DEFAULT_STOP_TIMEOUT_MS);
    instance->context = g_main_context_new();
    instance->references = 1;
    g_queue_init(&instance->open_calls);
    g_queue_init(&instance->jobs);
    instance->waiting_status = BELFRY_STATUS_TIMED_OUT;
    instance->waiting_message = g_strdup("the plug-in is still starting.");
    pthread_mutex_init(&instance->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&instance->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return instance;
}

/* Returns 0 or an errno value. Blocks all signals in the thread: the host's threads handle them. */
static int start_thread(pthread_t *thread, const char *name, void *(*main)(void *), void *argument) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(thread, NULL, main, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0) pthread_setname_np(*thread, name);
    return error;
}

static belfry_status start_threads(belfry_plugin_instance *instance) {
    int error = start_thread(&instance->keeper, "belfry-limits", belfry_libnotify_keeper_main, instance);
    if (error == 0) {
        instance->references++; /* the worker's */
        error = start_thread(&instance->worker, "belfry-notify", worker_main, instance);
        if (error == 0) return BELFRY_STATUS_OK;
        instance->references--;
        pthread_mutex_lock(&instance->lock);
        instance->is_stopping = true;
        pthread_cond_broadcast(&instance->changed);
        pthread_mutex_unlock(&instance->lock);
        pthread_join(instance->keeper, NULL);
    }
    belfry_libnotify_log(instance, BELFRY_LOG_ERROR, "No thread for the libnotify plug-in: %s", g_strerror(error));
    return BELFRY_STATUS_INTERNAL;
}

/* Reports why start fails, before there is an instance. */
static belfry_status refuse(const belfry_host *host, belfry_status status, const char *message) {
    belfry_event event = {
        .struct_size = sizeof event, .kind = BELFRY_EVENT_LOG, .status = status, .log_level = BELFRY_LOG_ERROR,
        .text = belfry_libnotify_borrow(message)};
    host->event(host->context, &event);
    return status;
}

static void log_settings(belfry_plugin_instance *instance, const belfry_start_options *options) {
    for (size_t i = 0; options->settings != NULL && i < options->setting_count; i++) {
        if (options->settings[i] == NULL) continue;
        char *key = belfry_libnotify_copy_text(options->settings[i]->key);
        belfry_libnotify_log(
            instance, BELFRY_LOG_WARNING, "The libnotify plug-in has no setting `%s`; it is ignored.", key);
        g_free(key);
    }
}

static belfry_status start(
    const belfry_host *host, const belfry_start_options *given, belfry_plugin_instance **result) {
    if (result == NULL) return BELFRY_STATUS_INVALID;
    *result = NULL;
    if (host == NULL || !BELFRY_HAS(host, belfry_host, event) || host->complete == NULL || host->event == NULL)
        return BELFRY_STATUS_INVALID;
    belfry_start_options options = {.struct_size = 0};
    if (given != NULL) LN_READ(options, given);
    if (would_use_portal())
        return refuse(
            host, BELFRY_STATUS_UNSUPPORTED,
            "In a sandbox libnotify uses the desktop portal, which loses most of a notice. Use the D-Bus backend, or "
            "allow the sandbox to talk to org.freedesktop.Notifications and set NOTIFY_IGNORE_PORTAL=1.");
    if (!take_libnotify())
        return refuse(
            host, BELFRY_STATUS_BUSY,
            "libnotify is in use in this process: it has room for one user. Stop the other backend first, or use the "
            "D-Bus backend. One that was stopped while a server kept it waiting is free again within 25 seconds.");
    belfry_plugin_instance *instance = make_instance(host, &options);
    belfry_status status = BELFRY_STATUS_INVALID;
    if (*instance->app_name == '\0') {
        refuse(host, status, "The start options lack app_name: the name of the program, which libnotify requires.");
    } else {
        log_settings(instance, &options);
        status = start_threads(instance);
    }
    if (status == BELFRY_STATUS_OK) {
        *result = instance;
    } else {
        give_libnotify_back();
        release(instance);
    }
    return status;
}

/* Waits until the worker has ended, at most stop_timeout_ms. */
static bool wait_for_worker(belfry_plugin_instance *instance) {
    int64_t deadline = g_get_monotonic_time() + (int64_t)instance->stop_timeout_ms * 1000;
    pthread_mutex_lock(&instance->lock);
    while (!instance->worker_has_ended && belfry_libnotify_wait_until(instance, deadline)) {
    }
    bool has_ended = instance->worker_has_ended;
    pthread_mutex_unlock(&instance->lock);
    return has_ended;
}

static void stop(belfry_plugin_instance *instance) {
    pthread_mutex_lock(&instance->lock);
    bool is_first = !instance->is_stopping;
    instance->is_stopping = true;
    pthread_cond_broadcast(&instance->changed);
    pthread_mutex_unlock(&instance->lock);
    if (!is_first) return;
    pthread_join(instance->keeper, NULL);
    belfry_libnotify_calls_stop(instance);
    pthread_mutex_lock(&instance->lock);
    instance->is_silent = true;
    while (instance->callbacks_inside > 0) pthread_cond_wait(&instance->changed, &instance->lock);
    pthread_mutex_unlock(&instance->lock);
    g_main_context_wakeup(instance->context);
    /* A worker that is blocked in libnotify is abandoned: it holds its own reference and finds no more work. */
    if (wait_for_worker(instance)) {
        pthread_join(instance->worker, NULL);
    } else {
        pthread_detach(instance->worker);
    }
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

static void capabilities(belfry_plugin_instance *instance, uint64_t token) {
    belfry_libnotify_call_enqueue(instance, belfry_libnotify_call_new(LN_CAPABILITIES, token));
}

static void deliver(belfry_plugin_instance *instance, uint64_t token, const belfry_notice *notice) {
    char *reason = NULL;
    ln_call *call = belfry_libnotify_call_new(LN_DELIVER, token);
    call->notice = belfry_libnotify_notice_copy(notice, instance->app_name, instance->desktop_entry, &reason);
    if (call->notice != NULL) {
        belfry_libnotify_call_enqueue(instance, call);
    } else {
        belfry_libnotify_call_reject(instance, call, BELFRY_STATUS_INVALID, reason);
    }
    g_free(reason);
}

static void withdraw(belfry_plugin_instance *instance, uint64_t token, const belfry_receipt *given) {
    ln_call *call = belfry_libnotify_call_new(LN_WITHDRAW, token);
    if (given == NULL) {
        belfry_libnotify_call_reject(
            instance, call, BELFRY_STATUS_INVALID, "There is no receipt: the pointer is NULL.");
        return;
    }
    belfry_receipt receipt;
    LN_READ(receipt, given);
    call->server_id = receipt.server_id;
    call->server_instance = belfry_libnotify_copy_text(receipt.server_instance);
    belfry_libnotify_call_enqueue(instance, call);
}

/* ---- The descriptor -------------------------------------------------------------------------------------------- */

#define TEXT(literal) {literal, sizeof(literal) - 1}

static const belfry_plugin_descriptor descriptor = {
    .struct_size = sizeof descriptor,
    .abi_major = BELFRY_PLUGIN_ABI_MAJOR,
    .abi_minor = BELFRY_PLUGIN_ABI_MINOR,
    .flags = BELFRY_PLUGIN_ONE_INSTANCE,
    .name = TEXT("libnotify"),
    .version = TEXT("1.0"),
    .summary = TEXT("Desktop notifications through libnotify"),
    .start = start,
    .capabilities = capabilities,
    .deliver = deliver,
    .withdraw = withdraw,
    .stop = stop,
    .destroy = release,
};

const belfry_plugin_descriptor *belfry_libnotify_descriptor(void) { return &descriptor; }

#ifdef BELFRY_PLUGIN_SHARED
/* Only in the shared object: two plug-ins linked into one program can't both export it. */
const belfry_plugin_descriptor *belfry_plugin_entry(uint32_t host_abi_major) {
    return host_abi_major == BELFRY_PLUGIN_ABI_MAJOR ? &descriptor : NULL;
}
#endif
