/* A host that writes down everything a plug-in tells it, and lets a test wait for it with a limit. */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "belfry_plugin.h"

/* What one token was completed with. */
typedef struct outcome {
    unsigned completions;
    belfry_status status;
    uint32_t flags;
    char message[512];
    uint64_t server_id;
    char server_instance[128];
    uint64_t features;
    char server_name[64];
    uint32_t lost_mask; /* 1 << kind, of all that was lost */
    char lost_text[4096];
} outcome;

typedef struct seen_event {
    belfry_event_kind kind;
    uint64_t server_id;
    char server_instance[128];
    char request[128];
    char action[256];
    char token[128];
    char text[512];
    char server_name[64];
    belfry_close_reason reason;
    uint32_t raw_reason;
    belfry_status status;
} seen_event;

extern const belfry_host recording_host;

/* What ends a test that hangs, in ms: longer than anything takes on a slow machine. */
#define LIMIT 60000

/* Each is a new one. */
uint64_t new_token(void);

/* Waits until the token is completed; fails the test after `limit_ms`. Writes how long it took to *took_ms, if given. */
outcome wait_for_outcome(uint64_t token, int limit_ms, int *took_ms);

/* How often the token was completed until now. */
unsigned completions_of(uint64_t token);

/* The next event of this kind, those before it are forgotten; fails the test after `limit_ms`. */
seen_event wait_for_event(belfry_event_kind kind, int limit_ms);

/* Whether one of this kind has come and wasn't taken. */
bool has_event(belfry_event_kind kind);

/* How many callbacks of any kind came until now. */
unsigned callback_count(void);

void forget_events(void);

int64_t now_ms(void);

/* Ends the test program with a line that says where and why. */
_Noreturn void fail_test(const char *file, int line, const char *why, const char *detail);

#define CHECK(condition) \
    do { \
        if (!(condition)) fail_test(__FILE__, __LINE__, #condition, ""); \
    } while (0)
#define CHECK_TEXT(actual, expected) \
    do { \
        if (strcmp((actual), (expected)) != 0) fail_test(__FILE__, __LINE__, #actual " is not " #expected, (actual)); \
    } while (0)
#define CHECK_IN(actual, part) \
    do { \
        if (strstr((actual), (part)) == NULL) fail_test(__FILE__, __LINE__, #actual " lacks " #part, (actual)); \
    } while (0)

#endif
