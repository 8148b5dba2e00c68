/*
 * A notification server inside the test program, on a connection and a thread of its own: it writes down what it is told,
 * answers late or never when asked to, and sends any signal.
 */
#ifndef STUB_H
#define STUB_H

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct stub stub;

/* Begins to own org.freedesktop.Notifications on the session bus. `capabilities` are separated by spaces. */
stub *stub_start(const char *name, const char *capabilities);

/* Leaves the bus. */
void stub_stop(stub *server);

/* From now on: no answer to anything; or to Notify alone. Answers are kept back until it is told to go on. */
void stub_be_silent(stub *server, bool to_everything, bool to_notify);

/*
 * Just before it answers the next Notify after `skipped` others it says that the number in that answer was closed, for
 * reason 2.
 */
void stub_close_before_answer(stub *server, unsigned skipped);

/* The next Notify is answered with this D-Bus error. */
void stub_refuse_next(stub *server, const char *error_name);

/* How many Notify and CloseNotification calls came. */
unsigned stub_notify_count(stub *server);

/* Waits until that many calls of CloseNotification came, and gives the last one's number. */
uint32_t stub_wait_for_close(stub *server, unsigned count);

/* Waits until that many calls of Notify came. */
void stub_wait_for_notify(stub *server, unsigned count);

/* The last Notify: (susssasa{sv}i), with a reference. */
GVariant *stub_last_notify(stub *server);

/* Sends a signal of org.freedesktop.Notifications. Takes a floating `arguments`. */
void stub_emit(stub *server, const char *signal, GVariant *arguments);

#endif
