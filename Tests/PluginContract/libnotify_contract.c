/* Runs one scenario of the plug-in contract: libnotify_contract NAME. Says what was shown, exits 1 with the first failure. */
#define _GNU_SOURCE
#include "contract.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "belfry_libnotify.h"

const belfry_plugin_descriptor *plugin(void) {
    static const belfry_plugin_descriptor *descriptor;
    if (descriptor != NULL) return descriptor;
    const char *path = getenv("BELFRY_CONTRACT_PLUGIN");
    if (path == NULL) return descriptor = belfry_libnotify_descriptor();
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail_test(__FILE__, __LINE__, "dlopen", dlerror());
    belfry_plugin_entry_function entry = NULL;
    *(void **)&entry = dlsym(library, BELFRY_PLUGIN_ENTRY_SYMBOL);
    CHECK(entry != NULL);
    CHECK(entry(BELFRY_PLUGIN_ABI_MAJOR + 1) == NULL);
    descriptor = entry(BELFRY_PLUGIN_ABI_MAJOR);
    CHECK(descriptor != NULL);
    return descriptor;
}

belfry_string text(const char *bytes) { return (belfry_string){bytes, bytes == NULL ? 0 : strlen(bytes)}; }

belfry_notice simple_notice(const char *title, const char *body) {
    return (belfry_notice){
        .struct_size = sizeof(belfry_notice), .request_identifier = text("request"), .title = text(title),
        .body = text(body), .expire_after_ms = BELFRY_EXPIRE_DEFAULT};
}

belfry_plugin_instance *start(uint32_t call_timeout_ms, uint32_t stop_timeout_ms) {
    belfry_start_options options = {
        .struct_size = sizeof options, .app_name = text("Contract"), .desktop_entry = text("org.example.Contract"),
        .call_timeout_ms = call_timeout_ms, .stop_timeout_ms = stop_timeout_ms};
    belfry_plugin_instance *instance = NULL;
    CHECK(plugin()->start(&recording_host, &options, &instance) == BELFRY_STATUS_OK);
    CHECK(instance != NULL);
    return instance;
}

void stop_and_destroy(belfry_plugin_instance *instance) {
    plugin()->stop(instance);
    plugin()->destroy(instance);
}

outcome deliver(belfry_plugin_instance *instance, const belfry_notice *notice) {
    uint64_t token = new_token();
    plugin()->deliver(instance, token, notice);
    return wait_for_outcome(token, LIMIT, NULL);
}

outcome deliver_ok(belfry_plugin_instance *instance, const belfry_notice *notice) {
    outcome result = deliver(instance, notice);
    if (result.status != BELFRY_STATUS_OK) fail_test(__FILE__, __LINE__, "a delivery failed", result.message);
    CHECK(result.server_id != 0 && result.server_instance[0] != '\0' && result.message[0] == '\0');
    return result;
}

outcome withdraw(belfry_plugin_instance *instance, uint64_t server_id, const char *server_instance) {
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = server_id, .server_instance = text(server_instance)};
    uint64_t token = new_token();
    plugin()->withdraw(instance, token, &receipt);
    return wait_for_outcome(token, LIMIT, NULL);
}

int run_command(const char *command) {
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } scenarios[] = {
        {"contract", scenario_contract}, {"wire", scenario_wire},
        {"text", scenario_text},         {"limits", scenario_limits},
        {"events", scenario_events},     {"stale", scenario_stale},
        {"refusals", scenario_refusals},
        {"silent", scenario_silent},     {"late", scenario_late},
        {"stuck-stop", scenario_stuck_stop}, {"many", scenario_many},
        {"no-server", scenario_no_server}, {"no-bus", scenario_no_bus},
        {"bus-dies", scenario_bus_dies}, {"shared-bus-dies", scenario_shared_bus_dies},
        {"other-calls", scenario_other_calls}, {"dunst", scenario_dunst},
    };
    for (size_t i = 0; argc == 2 && i < sizeof scenarios / sizeof *scenarios; i++) {
        if (strcmp(argv[1], scenarios[i].name) != 0) continue;
        int64_t begin = now_ms();
        scenarios[i].run();
        printf("ok %s (%lld ms)\n", argv[1], (long long)(now_ms() - begin));
        return 0;
    }
    fprintf(stderr, "usage: libnotify_contract SCENARIO\n");
    return 64;
}
