/*
 * The worker: a thread that performs calls in order, and reads responses. Calls only append jobs to its queue, so that
 * none of them waits for a disk.
 */
#ifndef JSON_LINES_WORKER_H
#define JSON_LINES_WORKER_H

#include "notice.h"

typedef enum json_lines_kind { JSON_LINES_CAPABILITIES, JSON_LINES_DELIVER, JSON_LINES_WITHDRAW } json_lines_kind;

typedef struct json_lines_job {
    struct json_lines_job *next;
    json_lines_kind kind;
    uint64_t token;
    int64_t begun_ms;          /* of the monotonic clock */
    json_lines_notice *notice; /* owned; of a delivery */
    uint64_t number;           /* of a withdrawal */
    char *instance;            /* owned; of a withdrawal: the run that assigned the number */
} json_lines_job;

/* Options and host are borrowed for the call; the caller owns *instance until json_lines_worker_destroy. */
belfry_status json_lines_worker_start(
    const belfry_host *host, const belfry_start_options *options, belfry_plugin_instance **instance);

/* Takes ownership of the job. NULL, or an incomplete job, means out of memory and is completed with that error. */
void json_lines_worker_enqueue(belfry_plugin_instance *instance, uint64_t token, json_lines_job *job);

void json_lines_worker_stop(belfry_plugin_instance *instance);
void json_lines_worker_destroy(belfry_plugin_instance *instance);

#endif
