/* What a notification server says of itself. */
#ifndef BELFRY_LIBNOTIFY_SERVER_H
#define BELFRY_LIBNOTIFY_SERVER_H

#include <glib.h>
#include <stdbool.h>

#include "belfry_plugin.h"

typedef struct ln_server {
    char *instance; /* the bus's id and the owner's unique name: both begin anew, one with a bus, one with a server */
    char *name, *vendor, *version, *spec_version;
    char **capabilities; /* NULL-terminated */
} ln_server;

/* From the replies to GetServerInformation and GetCapabilities; NULL or an odd type for one that failed. */
ln_server *belfry_libnotify_server_new(const char *bus, const char *owner, GVariant *information, GVariant *capabilities);

void belfry_libnotify_server_free(ln_server *server);

bool belfry_libnotify_server_can(const ln_server *server, const char *capability);

/*
 * Whether the action `default` is the click on the notice itself and nothing else. Xfce and LXQt draw it as a button too: an
 * app gets one there when it asks for it. The same rule as in Sources/BelfryServers/KnownServers.swift.
 */
bool belfry_libnotify_server_hides_default(const ln_server *server);

/* Whether it answers 0 to what has a tag, and shows it: as in Sources/BelfryServers/KnownServers.swift. */
bool belfry_libnotify_server_mistakes_tags(const ln_server *server);

/* Whether it reads body markup, and so on. */
uint64_t belfry_libnotify_server_features(const ln_server *server);

/*
 * Calls `use` with the server as the header describes it. A callback, since the description borrows arrays that live
 * as long as this call.
 */
void belfry_libnotify_server_describe(
    const ln_server *server, void (*use)(const belfry_server *description, void *data), void *data);

/* The name of the hint that carries pixels: it changed with the specification's versions 1.1 and 1.2. */
const char *belfry_libnotify_server_pixels_hint(const ln_server *server);

#endif
