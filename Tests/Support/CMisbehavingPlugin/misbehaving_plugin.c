#define _GNU_SOURCE
#include "misbehaving_plugin.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MISBEHAVING_PLUGIN_NAME
#define MISBEHAVING_PLUGIN_NAME "misbehaving"
#endif
#ifndef MISBEHAVING_PLUGIN_MAJOR
#define MISBEHAVING_PLUGIN_MAJOR BELFRY_PLUGIN_ABI_MAJOR
#endif

#define TEXT(literal) {literal, sizeof(literal) - 1}

/* Never freed: a host that calls too late is to be answered, not to be killed. */
struct belfry_plugin_instance {
    const belfry_host *host; /* the host's own table until stop, then the copy */
    belfry_host copy;        /* for calls that come after stop, which is one of the things this plug-in does wrong */
    char app_name[64];
    uint64_t held;
    bool is_released;
    uint32_t call_timeout_ms;
    int stops, destroys, deliveries, withdrawals;
    struct belfry_plugin_instance *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static belfry_plugin_instance *instances; /* the newest first */
static char record[65536];

static bool is(belfry_string text, const char *expected) {
    return text.length == strlen(expected) && (text.length == 0 || memcmp(text.bytes, expected, text.length) == 0);
}

static belfry_string text(const char *bytes) { return (belfry_string){bytes, strlen(bytes)}; }

static belfry_plugin_instance *look_for(const char *app_name) {
    for (belfry_plugin_instance *each = instances; each != NULL; each = each->next)
        if (strcmp(each->app_name, app_name) == 0) return each;
    return NULL;
}

static belfry_plugin_instance *find(const char *app_name) {
    belfry_plugin_instance *found = look_for(app_name);
    if (found != NULL) return found;
    fprintf(stderr, "no instance for %s\n", app_name);
    abort();
}

static void complete(belfry_plugin_instance *instance, uint64_t token, const belfry_result *result) {
    instance->host->complete(instance->host->context, token, result);
}

static belfry_receipt receipt(uint64_t id) {
    return (belfry_receipt){
        .struct_size = sizeof(belfry_receipt), .server_id = id, .server_instance = text("run-1")};
}

static void complete_ok(belfry_plugin_instance *instance, uint64_t token, uint64_t id) {
    belfry_receipt given = receipt(id);
    belfry_result result = {.struct_size = sizeof result, .receipt = &given};
    complete(instance, token, &result);
}

static void complete_failed(belfry_plugin_instance *instance, uint64_t token, belfry_status status, belfry_string why) {
    belfry_result result = {.struct_size = sizeof result, .status = status, .message = why};
    complete(instance, token, &result);
}

/* ---- Life ------------------------------------------------------------------------------------------------------ */

static void block(belfry_plugin_instance *instance) {
    pthread_mutex_lock(&lock);
    while (!instance->is_released) pthread_cond_wait(&changed, &lock);
    instance->is_released = false;
    pthread_mutex_unlock(&lock);
}

static belfry_status start(
    const belfry_host *host, const belfry_start_options *options, belfry_plugin_instance **result) {
    *result = NULL;
    if (is(options->app_name, "refuses")) {
        belfry_event why = {
            .struct_size = sizeof why, .kind = BELFRY_EVENT_LOG, .log_level = BELFRY_LOG_ERROR,
            .text = text("The moon is not full.")};
        host->event(host->context, &why);
        return BELFRY_STATUS_UNSUPPORTED;
    }
    if (is(options->app_name, "no instance")) return BELFRY_STATUS_OK;
    belfry_plugin_instance *instance = calloc(1, sizeof *instance);
    instance->host = host;
    instance->copy = *host;
    snprintf(instance->app_name, sizeof instance->app_name, "%.*s", (int)options->app_name.length,
             options->app_name.bytes);
    instance->call_timeout_ms = options->call_timeout_ms;
    pthread_mutex_lock(&lock);
    instance->next = instances;
    instances = instance;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    if (strncmp(instance->app_name, "slow start", 10) == 0) block(instance);
    *result = instance;
    return BELFRY_STATUS_OK;
}

static void stop(belfry_plugin_instance *instance) {
    if (strncmp(instance->app_name, "stuck", 5) == 0) block(instance);
    pthread_mutex_lock(&lock);
    instance->host = &instance->copy;
    instance->stops++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void destroy(belfry_plugin_instance *instance) {
    pthread_mutex_lock(&lock);
    instance->destroys++;
    pthread_mutex_unlock(&lock);
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

/* For the app `server:NAME/VENDOR`: stands before a notification server that lists the usual, and tags. */
static bool describe_server(belfry_plugin_instance *instance, uint64_t token) {
    char name[64], vendor[64];
    if (sscanf(instance->app_name, "server:%63[^/]/%63[^/]", name, vendor) != 2) return false;
    belfry_string raw[] = {
        TEXT("actions"), TEXT("body"), TEXT("body-markup"), TEXT("x-canonical-private-synchronous")};
    belfry_server server = {
        .struct_size = sizeof server, .instance = text("run-1"), .name = text(name), .vendor = text(vendor),
        .version = text("1"), .spec_version = text("1.2"), .features = ~0ull & ~BELFRY_FEATURE_REPLY,
        .raw_capabilities = raw, .raw_capability_count = 4, .title_limit = 200, .body_limit = 1000};
    belfry_result result = {.struct_size = sizeof result, .server = &server};
    complete(instance, token, &result);
    return true;
}

static void capabilities(belfry_plugin_instance *instance, uint64_t token) {
    if (describe_server(instance, token)) return;
    belfry_string raw[] = {TEXT("body"), TEXT("x-own")};
    belfry_server server = {
        .struct_size = sizeof server, .instance = text("run-1"), .name = text("Misbehaving"), .version = text("0"),
        .features = BELFRY_FEATURE_BODY | BELFRY_FEATURE_REPLY | 1ull << 63, .raw_capabilities = raw,
        .raw_capability_count = 2, .title_limit = 7};
    belfry_result result = {.struct_size = sizeof result, .server = &server};
    if (strcmp(instance->app_name, "no server") == 0) result.server = NULL;
    complete(instance, token, &result);
}

typedef struct deferred {
    belfry_plugin_instance *instance;
    uint64_t token;
} deferred;

static void *complete_elsewhere(void *data) {
    deferred *call = data;
    complete_ok(call->instance, call->token, 8);
    free(call);
    return NULL;
}

static void write_line(const char *format, ...) {
    size_t used = strlen(record);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(record + used, sizeof record - used, format, arguments);
    va_end(arguments);
}

static void write_text(const char *name, belfry_string value) {
    write_line("%s=%.*s\n", name, (int)value.length, value.bytes == NULL ? "" : value.bytes);
}

static void write_notice(const belfry_notice *notice) {
    record[0] = '\0';
    write_line("size=%d flags=%u level=%u sound=%u expire=%d\n", notice->struct_size == sizeof *notice, notice->flags,
               notice->level, notice->sound_kind, notice->expire_after_ms);
    write_text("request", notice->request_identifier);
    write_text("app", notice->app_name);
    write_text("entry", notice->desktop_entry);
    write_text("subtitle", notice->subtitle);
    write_text("body", notice->body);
    write_text("icon", notice->icon);
    write_text("image", notice->image_path);
    write_text("sound", notice->sound);
    write_text("category", notice->category);
    write_text("thread", notice->thread_identifier);
    for (size_t i = 0; i < notice->action_count; i++) {
        const belfry_action *action = notice->actions[i];
        write_line("action %u ", action->kind);
        write_text("id", action->identifier);
        write_text(" title", action->title);
        write_text(" icon", action->icon_name);
        write_text(" placeholder", action->placeholder);
    }
    write_line("progress=%.3f\n", notice->progress);
    if (notice->replaces != NULL) {
        write_line("replaces=%" PRIu64 " ", notice->replaces->server_id);
        write_text("of", notice->replaces->server_instance);
    }
    for (size_t i = 0; i < notice->hint_count; i++) {
        const belfry_hint *hint = notice->hints[i];
        write_line("hint %u %" PRId64 " %.2f ", hint->type, hint->integer, hint->real);
        write_text("key", hint->key);
        write_text(" string", hint->string);
    }
    if (notice->image_pixels != NULL)
        write_line("pixels %ux%u stride %u flags %u bytes %zu first %u\n", notice->image_pixels->width,
                   notice->image_pixels->height, notice->image_pixels->row_stride, notice->image_pixels->flags,
                   notice->image_pixels->length, notice->image_pixels->bytes[0]);
}

/* Everything that a plug-in may say, and some of what it may not. */
static void send_events(belfry_plugin_instance *instance) {
    belfry_receipt about = receipt(5);
    belfry_server server = {.struct_size = sizeof server, .instance = text("run-2"), .name = text("Other")};
    belfry_event events[] = {
        {.kind = BELFRY_EVENT_ACTION, .receipt = &about, .action_identifier = text("yes"),
         .activation_token = text("token")},
        {.kind = BELFRY_EVENT_REPLY, .receipt = &about, .action_identifier = text("answer"), .text = text("hello")},
        {.kind = BELFRY_EVENT_CLOSED, .receipt = &about, .close_reason = BELFRY_CLOSED_EXPIRED, .raw_close_reason = 1},
        {.kind = BELFRY_EVENT_CLOSED, .receipt = &about, .close_reason = 99, .raw_close_reason = 99},
        {.kind = 77},
        {.kind = BELFRY_EVENT_ACTION, .action_identifier = text("nobody's")},
        {.kind = BELFRY_EVENT_SERVER_CHANGED},
        {.kind = BELFRY_EVENT_SERVER_CHANGED, .server = &server},
        {.kind = BELFRY_EVENT_LOG, .log_level = BELFRY_LOG_DEBUG, .text = text("not worth a word")},
        {.kind = BELFRY_EVENT_LOG, .log_level = BELFRY_LOG_WARNING, .text = {"bad \xff text", 10}},
        {.kind = BELFRY_EVENT_SERVER_GONE, .status = BELFRY_STATUS_NO_SERVER, .text = text("It went.")},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        events[i].struct_size = sizeof events[i];
        instance->host->event(instance->host->context, &events[i]);
    }
    instance->host->event(instance->host->context, NULL);
}

/* Structs of a later version: longer than the host knows, with something in what it doesn't know. */
static void complete_with_longer_structs(belfry_plugin_instance *instance, uint64_t token) {
    struct {
        belfry_receipt known;
        char more[64];
    } given = {.known = receipt(9)};
    memset(given.more, 0xFF, sizeof given.more);
    given.known.struct_size = sizeof given;
    belfry_loss known = {.struct_size = sizeof known, .kind = BELFRY_LOST_IMAGE, .detail = text("no picture")};
    belfry_loss unknown = {.struct_size = sizeof unknown, .kind = 4000, .detail = text("no smell")};
    const belfry_loss *lost[] = {&known, NULL, &unknown};
    struct {
        belfry_result known;
        char more[64];
    } result = {.known = {.receipt = &given.known, .lost = lost, .lost_count = 3}};
    memset(result.more, 0xFF, sizeof result.more);
    result.known.struct_size = sizeof result;
    complete(instance, token, &result.known);
}

/* Structs of a host's first days: what is missing counts as zero, whatever stands there in memory. */
static void complete_with_shorter_structs(belfry_plugin_instance *instance, uint64_t token) {
    belfry_receipt given = receipt(10);
    given.struct_size = offsetof(belfry_receipt, server_instance);
    belfry_result result = {.receipt = &given, .lost = (const belfry_loss *const *)(uintptr_t)16, .lost_count = 9};
    result.struct_size = offsetof(belfry_result, lost);
    complete(instance, token, &result);
}

static void send_events_of_no_notice(belfry_plugin_instance *instance) {
    belfry_receipt about = receipt(0);
    belfry_event events[] = {
        {.kind = BELFRY_EVENT_ACTION, .receipt = &about, .action_identifier = text("yes")},
        {.kind = BELFRY_EVENT_REPLY, .receipt = &about, .action_identifier = text("answer"), .text = text("hello")},
        {.kind = BELFRY_EVENT_CLOSED, .receipt = &about, .close_reason = BELFRY_CLOSED_EXPIRED, .raw_close_reason = 1},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        events[i].struct_size = sizeof events[i];
        instance->host->event(instance->host->context, &events[i]);
    }
}

static void deliver(belfry_plugin_instance *instance, uint64_t token, const belfry_notice *notice) {
    belfry_string title = notice->title;
    pthread_mutex_lock(&lock);
    instance->deliveries++;
    pthread_mutex_unlock(&lock);
#ifdef MISBEHAVING_PLUGIN_CRASHES
    abort();
#endif
    if (is(title, "hold")) {
        pthread_mutex_lock(&lock);
        instance->held = token;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    } else if (is(title, "twice")) {
        complete_ok(instance, token, 5);
        complete_ok(instance, token, 6);
    } else if (is(title, "never made")) {
        complete_ok(instance, 4711, 5);
        complete_ok(instance, token, 5);
    } else if (is(title, "thread")) {
        deferred *call = malloc(sizeof *call);
        *call = (deferred){instance, token};
        pthread_t thread;
        pthread_create(&thread, NULL, complete_elsewhere, call);
        pthread_detach(thread);
    } else if (is(title, "unknown transient")) {
        complete_failed(instance, token, 42, text("Status 42."));
    } else if (is(title, "unknown permanent")) {
        complete_failed(instance, token, 4242, text(""));
    } else if (is(title, "bad text")) {
        complete_failed(instance, token, BELFRY_STATUS_FAILED, (belfry_string){"no \xc3\x28 utf8\0end", 14});
    } else if (is(title, "no receipt")) {
        complete_failed(instance, token, BELFRY_STATUS_OK, text(""));
    } else if (is(title, "receipt 0")) {
        complete_ok(instance, token, 0);
    } else if (is(title, "events of receipt 0")) {
        complete_ok(instance, token, 5);
        send_events_of_no_notice(instance);
    } else if (is(title, "null")) {
        instance->host->complete(instance->host->context, token, NULL);
    } else if (is(title, "no size")) {
        belfry_receipt given = receipt(5);
        belfry_result result = {.struct_size = 0, .receipt = &given};
        complete(instance, token, &result);
    } else if (is(title, "endless text")) {
        complete_failed(instance, token, BELFRY_STATUS_FAILED, (belfry_string){"short", SIZE_MAX / 2});
    } else if (is(title, "endless list")) {
        belfry_receipt given = receipt(5);
        belfry_result result = {.struct_size = sizeof result, .receipt = &given, .lost = NULL, .lost_count = SIZE_MAX};
        complete(instance, token, &result);
    } else if (is(title, "event without size")) {
        belfry_event event = {.struct_size = 4, .kind = BELFRY_EVENT_CLOSED};
        instance->host->event(instance->host->context, &event);
        complete_ok(instance, token, 5);
    } else if (is(title, "longer")) {
        complete_with_longer_structs(instance, token);
    } else if (is(title, "shorter")) {
        complete_with_shorter_structs(instance, token);
    } else if (is(title, "block")) {
        block(instance);
        complete_ok(instance, token, 5);
    } else if (is(title, "record")) {
        write_notice(notice);
        complete_ok(instance, token, 5);
    } else if (is(title, "events")) {
        complete_ok(instance, token, 5);
        send_events(instance);
    } else {
        complete_ok(instance, token, 5);
    }
}

static void withdraw(belfry_plugin_instance *instance, uint64_t token, const belfry_receipt *given) {
    pthread_mutex_lock(&lock);
    instance->withdrawals++;
    pthread_mutex_unlock(&lock);
    if (given->server_id == 5 && is(given->server_instance, "run-1")) {
        belfry_result result = {.struct_size = sizeof result};
        complete(instance, token, &result);
    } else {
        complete_failed(instance, token, BELFRY_STATUS_NO_BUS, text("The bus left."));
    }
}

/* ---- What tests ask -------------------------------------------------------------------------------------------- */

void misbehaving_complete_held(const char *app_name, int times) {
    pthread_mutex_lock(&lock);
    belfry_plugin_instance *instance = find(app_name);
    uint64_t token = instance->held;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < times; i++) complete_ok(instance, token, 5);
}

int misbehaving_held_count(const char *app_name) {
    pthread_mutex_lock(&lock);
    int count = find(app_name)->held != 0;
    pthread_mutex_unlock(&lock);
    return count;
}

void misbehaving_wait_for_start(const char *app_name) {
    pthread_mutex_lock(&lock);
    while (look_for(app_name) == NULL) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

void misbehaving_release(const char *app_name) {
    pthread_mutex_lock(&lock);
    find(app_name)->is_released = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void misbehaving_call_after_stop(const char *app_name) {
    pthread_mutex_lock(&lock);
    belfry_plugin_instance *instance = find(app_name);
    while (instance->stops == 0) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    complete_ok(instance, 1, 5);
    send_events(instance);
}

uint32_t misbehaving_call_timeout(const char *app_name) {
    pthread_mutex_lock(&lock);
    uint32_t timeout = find(app_name)->call_timeout_ms;
    pthread_mutex_unlock(&lock);
    return timeout;
}

int misbehaving_stop_count(const char *app_name) {
    pthread_mutex_lock(&lock);
    int count = find(app_name)->stops;
    pthread_mutex_unlock(&lock);
    return count;
}

int misbehaving_destroy_count(const char *app_name) {
    pthread_mutex_lock(&lock);
    int count = find(app_name)->destroys;
    pthread_mutex_unlock(&lock);
    return count;
}

int misbehaving_delivery_count(const char *app_name) {
    pthread_mutex_lock(&lock);
    int count = find(app_name)->deliveries;
    pthread_mutex_unlock(&lock);
    return count;
}

int misbehaving_withdrawal_count(const char *app_name) {
    pthread_mutex_lock(&lock);
    int count = find(app_name)->withdrawals;
    pthread_mutex_unlock(&lock);
    return count;
}

const char *misbehaving_record(void) { return record; }

/* ---- Descriptors ----------------------------------------------------------------------------------------------- */

#define DESCRIPTOR \
    .struct_size = sizeof(belfry_plugin_descriptor), .abi_major = BELFRY_PLUGIN_ABI_MAJOR, \
    .name = TEXT(MISBEHAVING_PLUGIN_NAME), .version = TEXT("1"), .summary = TEXT("breaks its contract"), .start = start, \
    .capabilities = capabilities, .deliver = deliver, .withdraw = withdraw

const belfry_plugin_descriptor *misbehaving_descriptor(void) {
    static const belfry_plugin_descriptor good = {DESCRIPTOR, .stop = stop, .destroy = destroy};
    return &good;
}

const belfry_plugin_descriptor *misbehaving_descriptor_of_another_major(void) {
    static belfry_plugin_descriptor newer = {DESCRIPTOR, .stop = stop, .destroy = destroy};
    newer.abi_major = 2;
    return &newer;
}

const belfry_plugin_descriptor *misbehaving_descriptor_without_stop(void) {
    static const belfry_plugin_descriptor endless = {DESCRIPTOR, .destroy = destroy};
    return &endless;
}

const belfry_plugin_descriptor *misbehaving_descriptor_that_is_short(void) {
    static belfry_plugin_descriptor cut = {DESCRIPTOR, .stop = stop, .destroy = destroy};
    cut.struct_size = offsetof(belfry_plugin_descriptor, destroy);
    return &cut;
}

const belfry_plugin_descriptor *misbehaving_descriptor_without_size(void) {
    static belfry_plugin_descriptor blank = {DESCRIPTOR, .stop = stop, .destroy = destroy};
    blank.struct_size = 0;
    return &blank;
}

#ifdef MISBEHAVING_PLUGIN_SHARED
#ifdef MISBEHAVING_PLUGIN_MARK
/* Code of a file runs as soon as it is loaded: this says that it was. */
__attribute__((constructor)) static void leave_mark(void) {
    FILE *mark = fopen(MISBEHAVING_PLUGIN_MARK, "w");
    if (mark != NULL) fclose(mark);
}
#endif
const belfry_plugin_descriptor *belfry_plugin_entry(uint32_t host_abi_major) {
    return host_abi_major == MISBEHAVING_PLUGIN_MAJOR ? misbehaving_descriptor() : NULL;
}
#endif
