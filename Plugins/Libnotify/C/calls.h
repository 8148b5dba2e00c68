/*
 * The host's open calls. Each is completed once, by the first of the worker (with an outcome), the keeper (with a
 * timeout) and stop, and never after stop has returned.
 */
#ifndef BELFRY_LIBNOTIFY_CALLS_H
#define BELFRY_LIBNOTIFY_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "belfry_plugin.h"
#include "notice.h"

#define LN_STOPPED_MESSAGE "The libnotify plug-in was stopped."

typedef enum { LN_CAPABILITIES, LN_DELIVER, LN_WITHDRAW } ln_call_kind;

typedef struct ln_call {
    /* Constant. */
    ln_call_kind kind;
    uint64_t token;
    ln_notice *notice;  /* LN_DELIVER; owned by the worker once it is queued */
    uint64_t server_id; /* LN_WITHDRAW */
    char *server_instance;

    /* Guarded by the instance's lock. */
    int64_t deadline; /* CLOCK_MONOTONIC, µs */
    bool is_completed;
    GList link; /* in the instance's open calls, until it is completed */
} ln_call;

ln_call *belfry_libnotify_call_new(ln_call_kind kind, uint64_t token);

/* Frees a call that was completed, or never queued. */
void belfry_libnotify_call_free(ln_call *call);

/*
 * Passes the call to the worker, which frees it, or completes it at once: BUSY if too many calls wait, STOPPED if stop
 * has begun. Never blocks.
 */
void belfry_libnotify_call_enqueue(belfry_plugin_instance *instance, ln_call *call);

/* Completes a call that was never queued, and frees it. `message` is borrowed. */
void belfry_libnotify_call_reject(
    belfry_plugin_instance *instance, ln_call *call, belfry_status status, const char *message);

bool belfry_libnotify_call_is_completed(belfry_plugin_instance *instance, ln_call *call);

/* Completes the call; `result` is borrowed. False if it was completed before: the host is then not called. */
bool belfry_libnotify_call_complete(belfry_plugin_instance *instance, ln_call *call, const belfry_result *result);

/* The same, for a failure; `message` is borrowed. */
void belfry_libnotify_call_fail(
    belfry_plugin_instance *instance, ln_call *call, belfry_status status, const char *message);

/* Completes all open calls with STOPPED. */
void belfry_libnotify_calls_stop(belfry_plugin_instance *instance);

/* Sets why calls are waiting, for those that time out meanwhile. Copies `message`. */
void belfry_libnotify_calls_wait_for(belfry_plugin_instance *instance, belfry_status status, const char *message);

/* Runs the keeper's thread, which ends after stop has begun. Sleeps without a wake-up while no call is open. */
void *belfry_libnotify_keeper_main(void *instance);

/* With the lock held: waits until something has changed, at most until `deadline`. False if the deadline has passed. */
bool belfry_libnotify_wait_until(belfry_plugin_instance *instance, int64_t deadline);

/* Sends an event to the host. Does nothing after stop. */
void belfry_libnotify_emit(belfry_plugin_instance *instance, const belfry_event *event);

void belfry_libnotify_log(belfry_plugin_instance *instance, belfry_log_level level, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

belfry_string belfry_libnotify_borrow(const char *text);

#endif
