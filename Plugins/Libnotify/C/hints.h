/* All of a notice that travels as a hint, and the files that it names. */
#ifndef BELFRY_LIBNOTIFY_HINTS_H
#define BELFRY_LIBNOTIFY_HINTS_H

#include <libnotify/notify.h>

#include "notice.h"
#include "server.h"

/* The notice's icon, or NULL when it has none or its file can't be read (added to the losses). Borrowed. */
const char *belfry_libnotify_usable_icon(ln_notice *notice);

/*
 * Sets every hint; what can't be sent is added to the notice's losses. `desktop_entry` is for a notice without its own.
 * `replaces`: it goes out with the number of the notice that it takes the place of.
 */
void belfry_libnotify_hints_set(
    NotifyNotification *object, ln_notice *notice, const ln_server *server, const char *desktop_entry, bool replaces);

#endif
