/* One running plug-in, and how its parts call back. */
#ifndef JSON_LINES_INSTANCE_H
#define JSON_LINES_INSTANCE_H

#include <pthread.h>

#include "answers.h"
#include "journal.h"
#include "worker.h"

struct belfry_plugin_instance {
    belfry_host host;
    uint32_t call_timeout_ms, stop_timeout_ms;

    /* Used by the worker only. */
    json_lines_journal *journal;
    json_lines_answers answers;

    /* Guarded by the lock, which is never held in a callback or during disk access. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    json_lines_job *first, *last;
    bool stopping;     /* no new callback begins, except those of stop itself */
    bool calling_back; /* the worker is inside the host */
    bool ended;        /* the worker has ended */
    bool abandoned;    /* destroy is no longer called to free this: the worker does it */
    uint64_t at_work;  /* the token that the worker is processing; 0: none, or completed by stop */
    int wake[2];       /* a pipe: a byte in it wakes the worker */
};

int64_t json_lines_now_ms(void); /* of the monotonic clock */

/* Sends a message to the user of the program, at any time before stop. */
void json_lines_warn(belfry_plugin_instance *instance, const char *why);

/* Sends a message during start, when the worker does not run yet. */
void json_lines_log(const belfry_host *host, belfry_log_level level, const char *text);

/* Performs a job and completes it. Called on the worker. */
void json_lines_perform(belfry_plugin_instance *instance, json_lines_job *job);

/* Handles a line from the pipe; `data` is the instance. Called on the worker. */
void json_lines_answered(void *data, json_lines_response response, uint64_t number);

#endif
