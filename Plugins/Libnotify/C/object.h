/* A notice as libnotify's object, in the words that the server reads. */
#ifndef BELFRY_LIBNOTIFY_OBJECT_H
#define BELFRY_LIBNOTIFY_OBJECT_H

#include <libnotify/notify.h>

#include "notice.h"
#include "server.h"

/* A new reference. What can't be sent is added to the notice's losses. */
NotifyNotification *belfry_libnotify_object_new(ln_notice *notice, const ln_server *server);

#endif
