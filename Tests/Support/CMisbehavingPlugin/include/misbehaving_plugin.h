/*
 * A delivery plug-in that keeps or breaks its contract as it is told: by the title of the notice that is delivered, and by the
 * name of the app that starts it. Its instances are independent; what is asked of it later is asked by app name.
 */
#ifndef MISBEHAVING_PLUGIN_H
#define MISBEHAVING_PLUGIN_H

#include "belfry_plugin.h"

/* Descriptors: a good one, and ones that no host may take. */
const belfry_plugin_descriptor *misbehaving_descriptor(void);
const belfry_plugin_descriptor *misbehaving_descriptor_of_another_major(void);
const belfry_plugin_descriptor *misbehaving_descriptor_without_stop(void);
const belfry_plugin_descriptor *misbehaving_descriptor_that_is_short(void);
const belfry_plugin_descriptor *misbehaving_descriptor_without_size(void);

/* Completes the call that the app's instance holds back (title `hold`), that many times. */
void misbehaving_complete_held(const char *app_name, int times);

/* Whether a call is held back: 1 or 0. */
int misbehaving_held_count(const char *app_name);

/* Returns when the app's newest instance is being started. */
void misbehaving_wait_for_start(const char *app_name);

/* Lets a call, a start or a stop that blocks go on. */
void misbehaving_release(const char *app_name);

/* Calls back through a table whose instance was stopped. */
void misbehaving_call_after_stop(const char *app_name);

/* The timeout for each call, in ms, that the app's newest instance was started with. */
uint32_t misbehaving_call_timeout(const char *app_name);

/* How often the app's instances were stopped, and destroyed. */
int misbehaving_stop_count(const char *app_name);
int misbehaving_destroy_count(const char *app_name);

/* How many deliveries and withdrawals the app's newest instance was called for. */
int misbehaving_delivery_count(const char *app_name);
int misbehaving_withdrawal_count(const char *app_name);

/* The last notice with the title `record`, written out line by line. Borrowed, valid until the next one. */
const char *misbehaving_record(void);

#endif
