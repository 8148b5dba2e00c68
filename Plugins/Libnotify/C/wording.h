/* A notice in the words, and with the buttons, that one server can show. */
#ifndef BELFRY_LIBNOTIFY_WORDING_H
#define BELFRY_LIBNOTIFY_WORDING_H

#include "notice.h"
#include "server.h"

typedef struct ln_wording {
    char *summary; /* never empty: libnotify refuses that */
    char *body;
} ln_wording;

/*
 * Title and body for this server, cut and escaped; what that costs is added to the notice's losses. The subtitle, which
 * the specification doesn't know, is the body's first line. Without a title the subtitle is the title, else `app_name`.
 */
ln_wording belfry_libnotify_wording(ln_notice *notice, const ln_server *server, const char *app_name);

void belfry_libnotify_wording_clear(ln_wording *wording);

/*
 * Gives each action the key that it has on the bus, and adds the click on the notice itself, labelled `app_name`, where the
 * server draws no button for it. False when the server shows no actions (added to the losses), or there are none.
 */
bool belfry_libnotify_actions_prepare(ln_notice *notice, const ln_server *server, const char *app_name);

#endif
