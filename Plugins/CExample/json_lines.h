/* What the parts of the plug-in share: a call of the host, one running plug-in, and the functions of each file. */
#ifndef JSON_LINES_H
#define JSON_LINES_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "belfry_plugin.h"

#define JSON_LINES_OPEN_LIMIT 1000u /* older notices get no responses any more */
#define JSON_LINES_LOSS_LIMIT 5u    /* each kind is recorded once; more don't exist here */

/*
 * Reads a struct of the host up to the size that both sides know. An older host's is shorter, a newer one's longer, and
 * missing fields are zero. Lists are arrays of pointers for this reason.
 */
#define READ(type, name, pointer) \
    type name; \
    memset(&name, 0, sizeof name); \
    memcpy(&name, (pointer), (pointer)->struct_size < sizeof name ? (pointer)->struct_size : sizeof name)

/* A constant loss. */
#define LOSS(name, lost_kind, text) \
    static const belfry_loss name = { \
        .struct_size = sizeof(belfry_loss), .kind = lost_kind, .detail = {text, sizeof(text) - 1}}

/* A NUL-terminated text as a belfry_string that borrows it. */
static inline belfry_string json_lines_text(const char *text) { return (belfry_string){text, strlen(text)}; }

/*
 * A call of the host, which the worker performs later. It copies everything that the host only lends. A delivery that
 * was shown is kept as the open notice, until that is gone.
 */
typedef struct json_lines_call {
    void (*perform)(belfry_plugin_instance *instance, struct json_lines_call *call); /* owns the call */
    uint64_t token;
    int64_t begun_ms; /* of the monotonic clock */
    uint64_t number;  /* of the notice that is withdrawn, replaced, or shown; 0: none of this run */
    /* Of a delivery: */
    bool replaces;      /* another notice, which may be gone */
    char *request;      /* owned: the request's identifier */
    char *action;       /* owned: the identifier of the one action; NULL without */
    char *fields;       /* owned: the notice's part of the line, `"request":"tea",…` */
    int request_length; /* of the first of the fields, which is the request */
    const belfry_loss *lost[JSON_LINES_LOSS_LIMIT];
    size_t lost_count;
} json_lines_call;

struct belfry_plugin_instance {
    belfry_host host;
    uint32_t call_timeout_ms, stop_timeout_ms;
    char run[48]; /* identifies this run: the numbers of an earlier one are void */
    /* The file, and the pipe beside it. A path that is cut is longer than the kernel takes, and isn't another file. */
    char path[PATH_MAX + 1], pipe_path[PATH_MAX + 1 + sizeof ".answers"];

    /* Used by the worker only. */
    json_lines_call *open[JSON_LINES_OPEN_LIMIT]; /* owned: the notices that can get a response; see json_lines_find */
    uint64_t last_number;
    bool torn; /* the file's last line is incomplete: the next one begins with a line break */
    char problem[PATH_MAX + 256]; /* why a line could not be written */
    int pipe;                     /* -1: there is none, and no responses are possible */
    char input[256];              /* the part of a line that has arrived through the pipe */
    size_t input_length;

    /* Guarded by the lock, which is never held in a callback or during disk access. */
    pthread_mutex_t lock;
    pthread_cond_t called_back;
    bool stopping;     /* no new callback begins, except those of stop itself */
    bool calling_back; /* the worker is inside the host */
    uint64_t at_work;  /* the token that the worker has still to complete; 0: none */
    int queue[2];      /* a pipe of pointers to calls; closing its end for writing wakes the worker */
    int ended;         /* an eventfd(2): the worker has ended */
    int owners;        /* the worker until its end, the host until destroy; the last one frees this */
};

/* notice.c. Returns false if out of memory. */
bool json_lines_copy_notice(const belfry_plugin_instance *instance, json_lines_call *call, const belfry_notice *notice);

/* The number in a receipt; 0 if an earlier run has assigned it, whose numbers are void. */
uint64_t json_lines_number(const belfry_plugin_instance *instance, const belfry_receipt *receipt);

/* Adds to what the user will not get; `loss` is constant. */
void json_lines_lose(json_lines_call *call, const belfry_loss *loss);
void json_lines_free_call(json_lines_call *call); /* NULL does nothing */

/*
 * journal.c. Writes a notice and keeps it open as its new owner, under a new number or that of the notice it replaces.
 * On failure `problem` holds the reason, nothing counts as shown, and the caller keeps the call.
 */
belfry_status json_lines_show(belfry_plugin_instance *instance, json_lines_call *call);

/*
 * Appends the line of an event: `shown` and `replaced` with all fields of the notice; `withdrawn`, `answered` and
 * `dismissed` with the request alone. On failure `problem` holds the reason.
 */
belfry_status json_lines_write(
    belfry_plugin_instance *instance, const json_lines_call *notice, const char *event, bool with_fields);

/* Returns the open notice with that number, or NULL. */
json_lines_call *json_lines_find(belfry_plugin_instance *instance, uint64_t number);

/* Frees an open notice, which gets no response any more. */
void json_lines_forget(belfry_plugin_instance *instance, json_lines_call *notice);

/* answers.c. The pipe through which the user or a script responds: a line `answer 3` or `dismiss 3`. */
void json_lines_open_pipe(belfry_plugin_instance *instance);
void json_lines_read_pipe(belfry_plugin_instance *instance); /* never waits */
void json_lines_close_pipe(belfry_plugin_instance *instance);

/* worker.c. The thread that performs the calls in order and reads responses, and the ways back to the host. */
bool json_lines_start_worker(belfry_plugin_instance *instance);

/* The calls. */
void json_lines_capabilities(belfry_plugin_instance *instance, json_lines_call *call);
void json_lines_deliver(belfry_plugin_instance *instance, json_lines_call *call);
void json_lines_withdraw(belfry_plugin_instance *instance, json_lines_call *call);

/*
 * Gives the instance up: the host's destroy, and the worker at its end. The last one frees it. So a worker that the
 * disk blocks frees it later, and calls nobody.
 */
void json_lines_release(belfry_plugin_instance *instance);

/* Sends a message to the user of the program, from the worker or during start. */
void json_lines_report(belfry_plugin_instance *instance, belfry_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports what the file has recorded of an open notice: BELFRY_EVENT_ACTION, or BELFRY_EVENT_CLOSED with a reason. */
void json_lines_send(
    belfry_plugin_instance *instance, const json_lines_call *notice, belfry_event_kind kind,
    belfry_close_reason reason);

/* Takes the next call from the queue; NULL if there is none. The worker does until stop has begun, then stop does. */
json_lines_call *json_lines_next_call(belfry_plugin_instance *instance);

int64_t json_lines_now_ms(void); /* of the monotonic clock */

#endif
