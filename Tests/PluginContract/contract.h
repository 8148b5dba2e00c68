/* What the scenarios of the contract share. Each scenario is a process of its own: see run.sh. */
#ifndef CONTRACT_H
#define CONTRACT_H

#include "belfry_plugin.h"
#include "host.h"

/* The plug-in under test: linked in, or loaded from the file in BELFRY_CONTRACT_PLUGIN. */
const belfry_plugin_descriptor *plugin(void);

/* A C string as the header wants it. */
belfry_string text(const char *bytes);

/* A notice with this title and body and nothing else. */
belfry_notice simple_notice(const char *title, const char *body);

/* Starts the plug-in, which must succeed. 0: the plug-in's own time limits. */
belfry_plugin_instance *start(uint32_t call_timeout_ms, uint32_t stop_timeout_ms);

void stop_and_destroy(belfry_plugin_instance *instance);

/* Delivers and waits for the outcome. */
outcome deliver(belfry_plugin_instance *instance, const belfry_notice *notice);

/* The same, which must succeed. */
outcome deliver_ok(belfry_plugin_instance *instance, const belfry_notice *notice);

outcome withdraw(belfry_plugin_instance *instance, uint64_t server_id, const char *server_instance);

/* Runs a command line and waits for it; its exit status. */
int run_command(const char *command);

/* Scenarios with the in-process stub. */
void scenario_wire(void);
void scenario_text(void);
void scenario_limits(void);
void scenario_events(void);
void scenario_stale(void);
void scenario_refusals(void);
void scenario_silent(void);
void scenario_late(void);
void scenario_stuck_stop(void);
void scenario_many(void);

/* Scenarios about who is there. */
void scenario_no_server(void);
void scenario_no_bus(void);
void scenario_bus_dies(void);
void scenario_shared_bus_dies(void);
void scenario_other_calls(void);
void scenario_contract(void);

/* With a real dunst on $DISPLAY. */
void scenario_dunst(void);

#endif
