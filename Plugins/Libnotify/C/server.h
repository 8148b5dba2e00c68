/* A notification server's description of itself. */
#ifndef BELFRY_LIBNOTIFY_SERVER_H
#define BELFRY_LIBNOTIFY_SERVER_H

#include <glib.h>
#include <stdbool.h>

#include "belfry_plugin.h"

typedef struct ln_server {
    char *instance; /* the bus's id and the owner's unique name: one changes with the bus, one with the server */
    char *information[4];      /* name, vendor, version, version of the specification */
    char **capabilities;       /* NULL-terminated */
    belfry_string *raw;        /* the same */
    belfry_server description; /* as reported to the host; borrows from the above */
} ln_server;

/* Creates it from the replies to GetServerInformation and GetCapabilities; NULL or a wrong type for one that failed. */
ln_server *belfry_libnotify_server_new(
    const char *bus, const char *owner, GVariant *information, GVariant *capabilities);

void belfry_libnotify_server_free(ln_server *server);

bool belfry_libnotify_server_can(const ln_server *server, const char *capability);

/* The name of the hint that carries pixels: it changed in version 1.2 of the specification. */
const char *belfry_libnotify_server_pixels_hint(const ln_server *server);

#endif
