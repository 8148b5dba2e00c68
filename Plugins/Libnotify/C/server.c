#include "server.h"

#include <stdio.h>
#include <string.h>

#include "calls.h"

ln_server *belfry_libnotify_server_new(
    const char *bus, const char *owner, GVariant *information, GVariant *capabilities) {
    ln_server *server = g_new0(ln_server, 1);
    server->instance = g_strconcat(bus, owner, NULL);
    if (information != NULL && g_variant_is_of_type(information, G_VARIANT_TYPE("(ssss)"))) {
        g_variant_get(
            information, "(ssss)", &server->name, &server->vendor, &server->version, &server->spec_version);
    } else {
        server->name = g_strdup("");
        server->vendor = g_strdup("");
        server->version = g_strdup("");
        server->spec_version = g_strdup("");
    }
    if (capabilities != NULL && g_variant_is_of_type(capabilities, G_VARIANT_TYPE("(as)"))) {
        g_variant_get(capabilities, "(^as)", &server->capabilities);
    } else {
        server->capabilities = g_new0(char *, 1);
    }
    return server;
}

void belfry_libnotify_server_free(ln_server *server) {
    if (server == NULL) return;
    g_free(server->instance);
    g_free(server->name);
    g_free(server->vendor);
    g_free(server->version);
    g_free(server->spec_version);
    g_strfreev(server->capabilities);
    g_free(server);
}

bool belfry_libnotify_server_can(const ln_server *server, const char *capability) {
    return g_strv_contains((const char *const *)server->capabilities, capability);
}

bool belfry_libnotify_server_hides_default(const ln_server *server) {
    return g_ascii_strcasecmp(server->name, "Xfce Notify Daemon") != 0
        && g_ascii_strcasecmp(server->name, "lxqt-notificationd") != 0;
}

bool belfry_libnotify_server_mistakes_tags(const ln_server *server) {
    return g_ascii_strcasecmp(server->name, "notify-osd") == 0;
}

uint64_t belfry_libnotify_server_features(const ln_server *server) {
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
    /* Icons and images: servers that draw them don't all say so (lxqt doesn't), so nothing can be told from that. */
    uint64_t features = BELFRY_FEATURE_ICON | BELFRY_FEATURE_IMAGE | BELFRY_FEATURE_PROGRESS
                      | BELFRY_FEATURE_REPLACEMENT | BELFRY_FEATURE_WITHDRAWAL | BELFRY_FEATURE_EXPIRY
                      | BELFRY_FEATURE_CLOSE_EVENTS;
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
        if (belfry_libnotify_server_can(server, table[i].capability)) features |= table[i].feature;
    return features;
}

void belfry_libnotify_server_describe(
    const ln_server *server, void (*use)(const belfry_server *description, void *data), void *data) {
    size_t count = g_strv_length(server->capabilities);
    belfry_string *capabilities = g_new0(belfry_string, count + 1);
    for (size_t i = 0; i < count; i++) capabilities[i] = belfry_libnotify_borrow(server->capabilities[i]);
    belfry_server description = {
        .struct_size = sizeof description,
        .instance = belfry_libnotify_borrow(server->instance),
        .name = belfry_libnotify_borrow(server->name),
        .vendor = belfry_libnotify_borrow(server->vendor),
        .version = belfry_libnotify_borrow(server->version),
        .spec_version = belfry_libnotify_borrow(server->spec_version),
        .features = belfry_libnotify_server_features(server),
        .raw_capabilities = capabilities,
        .raw_capability_count = count,
        .title_limit = LN_TITLE_LIMIT,
        .body_limit = LN_BODY_LIMIT,
        .action_limit = LN_ACTION_LIMIT,
    };
    use(&description, data);
    g_free(capabilities);
}

const char *belfry_libnotify_server_pixels_hint(const ln_server *server) {
    unsigned major = 0, minor = 0;
    if (sscanf(server->spec_version, "%u.%u", &major, &minor) != 2) return "image-data";
    if (major > 1 || minor >= 2) return "image-data";
    return minor == 1 ? "image_data" : "icon_data";
}
