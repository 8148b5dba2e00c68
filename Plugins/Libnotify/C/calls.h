/*
 * The host's open calls: each is answered once, by whoever comes first (the worker with an outcome, the keeper with a
 * time-out, stop), and never after stop has returned.
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
    ln_notice *notice;  /* LN_DELIVER; the worker's alone once it is queued */
    uint64_t server_id; /* LN_WITHDRAW */
    char *server_instance;

    /* Guarded by the instance's lock. */
    int64_t deadline; /* CLOCK_MONOTONIC, µs */
    bool is_answered;
    GList link; /* in the instance's open calls, until it is answered */
} ln_call;

ln_call *belfry_libnotify_call_new(ln_call_kind kind, uint64_t token);

/* Only for one that was answered, or never queued. */
void belfry_libnotify_call_free(ln_call *call);

/*
 * Gives the call to the worker, which frees it, or answers it at once: BUSY where too many wait, STOPPED where stop has
 * begun. Never blocks.
 */
void belfry_libnotify_call_enqueue(belfry_plugin_instance *instance, ln_call *call);

/* Answers a call that was never queued, and frees it. `message` is borrowed. */
void belfry_libnotify_call_reject(
    belfry_plugin_instance *instance, ln_call *call, belfry_status status, const char *message);

bool belfry_libnotify_call_is_answered(belfry_plugin_instance *instance, ln_call *call);

/* Answers the call; `result` is borrowed. False when it had been answered: nothing was told to the host then. */
bool belfry_libnotify_call_answer(belfry_plugin_instance *instance, ln_call *call, const belfry_result *result);

/* The same, for a failure; `message` is borrowed. */
void belfry_libnotify_call_fail(
    belfry_plugin_instance *instance, ln_call *call, belfry_status status, const char *message);

/* Answers all open calls with STOPPED. */
void belfry_libnotify_calls_stop(belfry_plugin_instance *instance);

/* What calls are waiting for now, for those whose time runs out meanwhile. Copies `message`. */
void belfry_libnotify_calls_wait_for(belfry_plugin_instance *instance, belfry_status status, const char *message);

/* The keeper's thread. Ends after stop has begun. Sleeps without a wake-up while no call is open. */
void *belfry_libnotify_keeper_main(void *instance);

/* With the lock held: waits until something has changed, at most until `deadline`. False when that has come. */
bool belfry_libnotify_wait_until(belfry_plugin_instance *instance, int64_t deadline);

/* An event for the host. Does nothing after stop. */
void belfry_libnotify_emit(belfry_plugin_instance *instance, const belfry_event *event);

void belfry_libnotify_log(belfry_plugin_instance *instance, belfry_log_level level, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

belfry_string belfry_libnotify_borrow(const char *text);

#endif
