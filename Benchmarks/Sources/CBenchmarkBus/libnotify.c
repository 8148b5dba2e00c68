#include "benchmark_bus.h"

#include <errno.h>
#include <libnotify/notify.h>
#include <stdio.h>

int benchmark_notify_libnotify(size_t count, double *elapsed) {
    if (!notify_is_initted() && !notify_init("Benchmark")) return -EPROTO;
    bool works = true;
    gint64 begun = g_get_monotonic_time();
    for (size_t number = 0; works && number < count; number++) {
        char title[40], body[100];
        snprintf(title, sizeof title, "Reminder number %zu", number);
        snprintf(body, sizeof body, "What was to be done today, in a sentence or two: item %zu.", number);
        NotifyNotification *notification = notify_notification_new(title, body, NULL);
        works = notify_notification_show(notification, NULL);
        g_object_unref(notification);
    }
    *elapsed = (double)(g_get_monotonic_time() - begun) * 1e-6;
    return works ? 0 : -EPROTO;
}
