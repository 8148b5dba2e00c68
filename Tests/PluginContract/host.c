#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TOKENS 40000
#define EVENTS 40000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static outcome outcomes[TOKENS];
static seen_event events[EVENTS];
static unsigned event_count, events_taken, callbacks;
static uint64_t last_token;

__attribute__((constructor)) static void set_up(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    setvbuf(stdout, NULL, _IOLBF, 0);
}

int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

_Noreturn void fail_test(const char *file, int line, const char *why, const char *detail) {
    fprintf(stderr, "FAILED %s:%d: %s\n  %s\n", file, line, why, detail);
    fflush(NULL);
    _exit(1);
}

static void copy(char *target, size_t size, belfry_string source) {
    size_t length = source.length < size ? source.length : size - 1;
    if (length > 0) memcpy(target, source.bytes, length);
    target[length] = '\0';
}

static void on_complete(void *context, uint64_t token, const belfry_result *result) {
    CHECK(context == &lock);
    CHECK(token > 0 && token < TOKENS);
    pthread_mutex_lock(&lock);
    callbacks++;
    outcome *to = &outcomes[token];
    to->completions++;
    to->status = result->status;
    to->flags = result->flags;
    copy(to->message, sizeof to->message, result->message);
    if (result->receipt != NULL) {
        to->server_id = result->receipt->server_id;
        copy(to->server_instance, sizeof to->server_instance, result->receipt->server_instance);
    }
    if (result->server != NULL) {
        to->features = result->server->features;
        copy(to->server_name, sizeof to->server_name, result->server->name);
        copy(to->server_instance, sizeof to->server_instance, result->server->instance);
    }
    for (size_t i = 0; i < result->lost_count; i++) {
        to->lost_mask |= 1u << result->lost[i]->kind;
        size_t used = strlen(to->lost_text);
        snprintf(to->lost_text + used, sizeof to->lost_text - used, "%u: %.*s\n", result->lost[i]->kind,
                 (int)result->lost[i]->detail.length, result->lost[i]->detail.bytes);
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void on_event(void *context, const belfry_event *event) {
    CHECK(context == &lock);
    pthread_mutex_lock(&lock);
    callbacks++;
    CHECK(event_count < EVENTS);
    seen_event *to = &events[event_count++];
    to->kind = event->kind;
    if (event->receipt != NULL) {
        to->server_id = event->receipt->server_id;
        copy(to->server_instance, sizeof to->server_instance, event->receipt->server_instance);
    }
    copy(to->request, sizeof to->request, event->request_identifier);
    copy(to->action, sizeof to->action, event->action_identifier);
    copy(to->token, sizeof to->token, event->activation_token);
    copy(to->text, sizeof to->text, event->text);
    if (event->server != NULL) copy(to->server_name, sizeof to->server_name, event->server->name);
    to->reason = event->close_reason;
    to->raw_reason = event->raw_close_reason;
    to->status = event->status;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

const belfry_host recording_host = {
    .struct_size = sizeof recording_host, .abi_minor = BELFRY_PLUGIN_ABI_MINOR, .context = &lock,
    .complete = on_complete, .event = on_event};

uint64_t new_token(void) {
    pthread_mutex_lock(&lock);
    uint64_t token = ++last_token;
    pthread_mutex_unlock(&lock);
    return token;
}

/* With the lock held: waits for news; false after the limit. */
static bool wait_for_news(int64_t until) {
    struct timespec limit = {.tv_sec = until / 1000, .tv_nsec = (until % 1000) * 1000000};
    return pthread_cond_timedwait(&changed, &lock, &limit) != ETIMEDOUT;
}

outcome wait_for_outcome(uint64_t token, int limit_ms, int *took_ms) {
    int64_t begin = now_ms();
    pthread_mutex_lock(&lock);
    while (outcomes[token].completions == 0)
        if (!wait_for_news(begin + limit_ms)) fail_test(__FILE__, __LINE__, "a call was never completed", "");
    outcome result = outcomes[token];
    pthread_mutex_unlock(&lock);
    if (took_ms != NULL) *took_ms = (int)(now_ms() - begin);
    return result;
}

unsigned completions_of(uint64_t token) {
    pthread_mutex_lock(&lock);
    unsigned count = outcomes[token].completions;
    pthread_mutex_unlock(&lock);
    return count;
}

seen_event wait_for_event(belfry_event_kind kind, int limit_ms) {
    int64_t begin = now_ms();
    pthread_mutex_lock(&lock);
    for (;;) {
        while (events_taken < event_count) {
            seen_event event = events[events_taken++];
            if (event.kind == kind) {
                pthread_mutex_unlock(&lock);
                return event;
            }
        }
        if (!wait_for_news(begin + limit_ms)) {
            char detail[64];
            snprintf(detail, sizeof detail, "kind %u, after %d ms", kind, limit_ms);
            fail_test(__FILE__, __LINE__, "an event didn't come", detail);
        }
    }
}

bool has_event(belfry_event_kind kind) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (unsigned i = events_taken; i < event_count; i++) found = found || events[i].kind == kind;
    pthread_mutex_unlock(&lock);
    return found;
}

unsigned callback_count(void) {
    pthread_mutex_lock(&lock);
    unsigned count = callbacks;
    pthread_mutex_unlock(&lock);
    return count;
}

void forget_events(void) {
    pthread_mutex_lock(&lock);
    events_taken = event_count;
    pthread_mutex_unlock(&lock);
}
