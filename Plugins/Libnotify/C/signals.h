/*
 * What the server says of its notices, in the order in which it says it.
 *
 * libnotify's own signals can't be used. They come apart from the replies to its calls: a closing that the server sent
 * before it showed another notice under the same number would be taken for the new notice's, and libnotify would hear
 * nothing more of that one.
 */
#ifndef BELFRY_LIBNOTIFY_SIGNALS_H
#define BELFRY_LIBNOTIFY_SIGNALS_H

#include "worker.h"

/* Begins to listen on the worker's connection. */
void belfry_libnotify_signals_watch(ln_worker *worker);

void belfry_libnotify_signals_unwatch(ln_worker *worker);

/* Reports what has come: all of it, or what came before the reply to the last Notify, which the caller has. */
void belfry_libnotify_signals_take(ln_worker *worker, bool until_reply);

#endif
