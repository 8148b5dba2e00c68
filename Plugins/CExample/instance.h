/* One running plug-in, and how its parts call back. */
#ifndef JSON_LINES_INSTANCE_H
#define JSON_LINES_INSTANCE_H

#include <pthread.h>

#include "answers.h"
#include "journal.h"
#include "worker.h"

struct belfry_plugin_instance {
    belfry_host host;
    uint32_t call_limit_ms, stop_limit_ms;

    /* The worker's alone. */
    json_lines_journal *journal;
    json_lines_answers answers;

    /* Guarded by the lock, which is never held in a callback or while the disk is waited for. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    json_lines_job *first, *last;
    bool stopping;     /* no callback begins from now on, but those of stop itself */
    bool calling_back; /* the worker is inside the host */
    bool ended;        /* the worker is done */
    bool abandoned;    /* nobody will call destroy any more that could free this: the worker does */
    uint64_t at_work;  /* the token that the worker has in hand; 0: none, or answered by stop */
    int wake[2];       /* a pipe: a byte in it wakes the worker */
};

int64_t json_lines_now_ms(void); /* of the monotonic clock */

/* Says something to whoever runs the program. */
void json_lines_complain(belfry_plugin_instance *instance, const char *why);

/* Does what a job asks for and completes it. On the worker. */
void json_lines_perform(belfry_plugin_instance *instance, json_lines_job *job);

/* Does what a line of the pipe asks for: `data` is the instance. On the worker. */
void json_lines_answered(void *data, json_lines_wish wish, uint64_t number);

#endif
