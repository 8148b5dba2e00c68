/*
 * benchmark_bus.h: a notification server that only counts, and what others do to reach it, in plain C.
 *
 * Addresses are those of a private bus. Functions return 0, or a negated errno where the bus or the server fails.
 */
#ifndef BENCHMARK_BUS_H
#define BENCHMARK_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Takes the name org.freedesktop.Notifications, writes "ready" to standard output, and answers Notify, CloseNotification,
 * GetServerInformation and GetCapabilities until the bus goes. Notify is only counted: whether all came, and whether the
 * numbers at the end of the titles rose from call to call.
 */
int benchmark_stub_serve(const char *address);

/* What the server has counted since the last time it was asked. */
int benchmark_stub_report(const char *address, uint32_t *count, bool *in_order);

/* Calls Notify `count` times with at most `window` calls unanswered, on one connection made before the clock starts. */
int benchmark_notify_window(const char *address, size_t count, size_t window, double *elapsed);

/* Shows `count` notifications with libnotify, each call waiting for the answer. The bus is the session's. */
int benchmark_notify_libnotify(size_t count, double *elapsed);

#endif
