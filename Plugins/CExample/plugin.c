/* The host's view of the plug-in: the descriptor, and the only symbol that the file exports. */
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "worker.h"

#define TEXT(literal) {literal, sizeof(literal) - 1}

static json_lines_job *new_job(json_lines_kind kind) {
    json_lines_job *job = calloc(1, sizeof *job);
    if (job != NULL) job->kind = kind;
    return job;
}

static void capabilities(belfry_plugin_instance *instance, uint64_t token) {
    json_lines_worker_enqueue(instance, token, new_job(JSON_LINES_CAPABILITIES));
}

static void deliver(belfry_plugin_instance *instance, uint64_t token, const belfry_notice *notice) {
    json_lines_job *job = new_job(JSON_LINES_DELIVER);
    if (job != NULL) job->notice = json_lines_notice_copy(notice);
    json_lines_worker_enqueue(instance, token, job);
}

static void withdraw(belfry_plugin_instance *instance, uint64_t token, const belfry_receipt *given) {
    json_lines_job *job = new_job(JSON_LINES_WITHDRAW);
    if (job != NULL) {
        belfry_receipt receipt;
        memset(&receipt, 0, sizeof receipt);
        memcpy(&receipt, given, given->struct_size < sizeof receipt ? given->struct_size : sizeof receipt);
        job->number = receipt.server_id;
        job->instance = json_lines_copy(receipt.server_instance);
    }
    json_lines_worker_enqueue(instance, token, job);
}

static const belfry_plugin_descriptor descriptor = {
    .struct_size = sizeof descriptor,
    .abi_major = BELFRY_PLUGIN_ABI_MAJOR,
    .abi_minor = BELFRY_PLUGIN_ABI_MINOR,
    .name = TEXT("json-lines"),
    .version = TEXT("1"),
    .summary = TEXT("appends notices to a file, one JSON object a line"),
    .start = json_lines_worker_start,
    .capabilities = capabilities,
    .deliver = deliver,
    .withdraw = withdraw,
    .stop = json_lines_worker_stop,
    .destroy = json_lines_worker_destroy,
};

const belfry_plugin_descriptor *belfry_plugin_entry(uint32_t host_abi_major) {
    return host_abi_major == BELFRY_PLUGIN_ABI_MAJOR ? &descriptor : NULL;
}
