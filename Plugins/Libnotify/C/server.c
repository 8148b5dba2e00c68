#include "server.h"

#include <stdio.h>

#include "calls.h"

static uint64_t features(const ln_server *server) {
    static const struct {
        const char *capability;
        uint64_t feature;
    } table[] = {
        {"body", BELFRY_FEATURE_BODY},
        {"body-markup", BELFRY_FEATURE_MARKUP},
        {"body-hyperlinks", BELFRY_FEATURE_LINKS},
        {"body-images", BELFRY_FEATURE_BODY_IMAGES},
        {"actions", BELFRY_FEATURE_ACTIONS},
        {"inline-reply", BELFRY_FEATURE_REPLY},
        {"sound", BELFRY_FEATURE_SOUND},
        {"persistence", BELFRY_FEATURE_PERSISTENCE},
    };
    /* Icons and images: not every server that draws them lists them (lxqt doesn't), so the list proves nothing. */
    uint64_t features = BELFRY_FEATURE_ICON | BELFRY_FEATURE_IMAGE | BELFRY_FEATURE_PROGRESS
                      | BELFRY_FEATURE_REPLACEMENT | BELFRY_FEATURE_WITHDRAWAL | BELFRY_FEATURE_EXPIRY
                      | BELFRY_FEATURE_CLOSE_EVENTS;
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
        if (belfry_libnotify_server_can(server, table[i].capability)) features |= table[i].feature;
    return features;
}

ln_server *belfry_libnotify_server_new(
    const char *bus, const char *owner, GVariant *information, GVariant *capabilities) {
    ln_server *server = g_new0(ln_server, 1);
    server->instance = g_strconcat(bus, owner, NULL);
    char **fields = server->information;
    if (information != NULL && g_variant_is_of_type(information, G_VARIANT_TYPE("(ssss)"))) {
        g_variant_get(information, "(ssss)", &fields[0], &fields[1], &fields[2], &fields[3]);
    } else {
        for (size_t i = 0; i < 4; i++) fields[i] = g_strdup("");
    }
    if (capabilities != NULL && g_variant_is_of_type(capabilities, G_VARIANT_TYPE("(as)"))) {
        g_variant_get(capabilities, "(^as)", &server->capabilities);
    } else {
        server->capabilities = g_new0(char *, 1);
    }
    size_t count = g_strv_length(server->capabilities);
    server->raw = g_new0(belfry_string, count + 1);
    for (size_t i = 0; i < count; i++) server->raw[i] = belfry_libnotify_borrow(server->capabilities[i]);
    server->description = (belfry_server){
        .struct_size = sizeof(belfry_server),
        .instance = belfry_libnotify_borrow(server->instance),
        .name = belfry_libnotify_borrow(fields[0]),
        .vendor = belfry_libnotify_borrow(fields[1]),
        .version = belfry_libnotify_borrow(fields[2]),
        .spec_version = belfry_libnotify_borrow(fields[3]),
        .raw_capabilities = server->raw,
        .raw_capability_count = count,
        /* No reader misses what is cut: some servers stall for seconds on longer texts and on more buttons. */
        .title_limit = 256,
        .body_limit = 2000,
        .action_limit = 32,
    };
    server->description.features = features(server);
    return server;
}

void belfry_libnotify_server_free(ln_server *server) {
    if (server == NULL) return;
    g_free(server->instance);
    for (size_t i = 0; i < 4; i++) g_free(server->information[i]);
    g_strfreev(server->capabilities);
    g_free(server->raw);
    g_free(server);
}

bool belfry_libnotify_server_can(const ln_server *server, const char *capability) {
    return g_strv_contains((const char *const *)server->capabilities, capability);
}

const char *belfry_libnotify_server_pixels_hint(const ln_server *server) {
    unsigned major = 0, minor = 0;
    int read = sscanf(server->information[3], "%u.%u", &major, &minor);
    return read == 2 && major == 1 && minor < 2 ? "image_data" : "image-data";
}
