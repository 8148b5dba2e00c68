/* The plug-in as the host sees it, linked in or loaded from a file: the same code. */
#include "belfry_libnotify.h"

#include <string.h>

#include "instance.h"
#include "text.h"

#define TEXT(literal) {literal, sizeof(literal) - 1}

static void capabilities(belfry_plugin_instance *instance, uint64_t token) {
    belfry_libnotify_call_enqueue(instance, belfry_libnotify_call_new(LN_CAPABILITIES, token, NULL));
}

static void deliver(belfry_plugin_instance *instance, uint64_t token, const belfry_notice *notice) {
    char *problem = NULL;
    ln_notice *copy = belfry_libnotify_notice_copy(notice, &problem);
    ln_call *call = belfry_libnotify_call_new(LN_DELIVER, token, copy);
    if (copy != NULL) {
        belfry_libnotify_call_enqueue(instance, call);
    } else {
        belfry_libnotify_call_reject(instance, call, problem);
    }
    g_free(problem);
}

static void withdraw(belfry_plugin_instance *instance, uint64_t token, const belfry_receipt *given) {
    ln_call *call = belfry_libnotify_call_new(LN_WITHDRAW, token, NULL);
    if (given == NULL) {
        belfry_libnotify_call_reject(instance, call, "There is no receipt: the pointer is NULL.");
        return;
    }
    belfry_receipt receipt = {.struct_size = 0};
    memcpy(&receipt, given, MIN((size_t)given->struct_size, sizeof receipt));
    bool repaired = false;
    call->server_id = receipt.server_id;
    call->server_instance = belfry_libnotify_text_clean(receipt.server_instance, LN_NAME_LIMIT, &repaired);
    belfry_libnotify_call_enqueue(instance, call);
}

static const belfry_plugin_descriptor descriptor = {
    .struct_size = sizeof descriptor,
    .abi_major = BELFRY_PLUGIN_ABI_MAJOR,
    .abi_minor = BELFRY_PLUGIN_ABI_MINOR,
    .flags = BELFRY_PLUGIN_ONE_INSTANCE,
    .name = TEXT("libnotify"),
    .version = TEXT("1.0"),
    .summary = TEXT("Desktop notifications through libnotify"),
    .start = belfry_libnotify_start,
    .capabilities = capabilities,
    .deliver = deliver,
    .withdraw = withdraw,
    .stop = belfry_libnotify_stop,
    .destroy = belfry_libnotify_destroy,
};

const belfry_plugin_descriptor *belfry_libnotify_descriptor(void) { return &descriptor; }

#ifdef BELFRY_PLUGIN_SHARED
/* Only in the shared object: two plug-ins that are linked into one program can't both export it. */
const belfry_plugin_descriptor *belfry_plugin_entry(uint32_t host_abi_major) {
    return host_abi_major == BELFRY_PLUGIN_ABI_MAJOR ? &descriptor : NULL;
}
#endif
