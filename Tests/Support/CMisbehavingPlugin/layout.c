/*
 * Checks the offset of every field of version 1.0 as published, whenever the tests are built. A change that moves a
 * field breaks compiled plug-ins and requires a new major version.
 */
#include "belfry_plugin.h"

#if UINTPTR_MAX == UINT64_MAX
#define AT(type, field, place) BELFRY_LAYOUT(offsetof(type, field) == (place))
#define SIZE(type, size) BELFRY_LAYOUT(sizeof(type) >= (size))

SIZE(belfry_string, 16);
AT(belfry_string, bytes, 0);
AT(belfry_string, length, 8);

SIZE(belfry_loss, 24);
AT(belfry_loss, struct_size, 0);
AT(belfry_loss, kind, 4);
AT(belfry_loss, detail, 8);

SIZE(belfry_receipt, 32);
AT(belfry_receipt, struct_size, 0);
AT(belfry_receipt, flags, 4);
AT(belfry_receipt, server_id, 8);
AT(belfry_receipt, server_instance, 16);

SIZE(belfry_server, 128);
AT(belfry_server, struct_size, 0);
AT(belfry_server, flags, 4);
AT(belfry_server, instance, 8);
AT(belfry_server, name, 24);
AT(belfry_server, vendor, 40);
AT(belfry_server, version, 56);
AT(belfry_server, spec_version, 72);
AT(belfry_server, features, 88);
AT(belfry_server, raw_capabilities, 96);
AT(belfry_server, raw_capability_count, 104);
AT(belfry_server, title_limit, 112);
AT(belfry_server, body_limit, 116);
AT(belfry_server, action_limit, 120);
AT(belfry_server, reserved, 124);

SIZE(belfry_action, 72);
AT(belfry_action, struct_size, 0);
AT(belfry_action, kind, 4);
AT(belfry_action, identifier, 8);
AT(belfry_action, title, 24);
AT(belfry_action, icon_name, 40);
AT(belfry_action, placeholder, 56);

SIZE(belfry_hint, 56);
AT(belfry_hint, struct_size, 0);
AT(belfry_hint, type, 4);
AT(belfry_hint, key, 8);
AT(belfry_hint, string, 24);
AT(belfry_hint, integer, 40);
AT(belfry_hint, real, 48);

SIZE(belfry_pixels, 40);
AT(belfry_pixels, struct_size, 0);
AT(belfry_pixels, flags, 4);
AT(belfry_pixels, width, 8);
AT(belfry_pixels, height, 12);
AT(belfry_pixels, row_stride, 16);
AT(belfry_pixels, reserved, 20);
AT(belfry_pixels, bytes, 24);
AT(belfry_pixels, length, 32);

SIZE(belfry_notice, 256);
AT(belfry_notice, struct_size, 0);
AT(belfry_notice, flags, 4);
AT(belfry_notice, request_identifier, 8);
AT(belfry_notice, app_name, 24);
AT(belfry_notice, desktop_entry, 40);
AT(belfry_notice, title, 56);
AT(belfry_notice, subtitle, 72);
AT(belfry_notice, body, 88);
AT(belfry_notice, icon, 104);
AT(belfry_notice, image_path, 120);
AT(belfry_notice, image_pixels, 136);
AT(belfry_notice, sound_kind, 144);
AT(belfry_notice, level, 148);
AT(belfry_notice, sound, 152);
AT(belfry_notice, category, 168);
AT(belfry_notice, thread_identifier, 184);
AT(belfry_notice, actions, 200);
AT(belfry_notice, action_count, 208);
AT(belfry_notice, progress, 216);
AT(belfry_notice, expire_after_ms, 224);
AT(belfry_notice, reserved, 228);
AT(belfry_notice, replaces, 232);
AT(belfry_notice, hints, 240);
AT(belfry_notice, hint_count, 248);

SIZE(belfry_result, 64);
AT(belfry_result, struct_size, 0);
AT(belfry_result, status, 4);
AT(belfry_result, message, 8);
AT(belfry_result, flags, 24);
AT(belfry_result, reserved, 28);
AT(belfry_result, receipt, 32);
AT(belfry_result, server, 40);
AT(belfry_result, lost, 48);
AT(belfry_result, lost_count, 56);

SIZE(belfry_event, 104);
AT(belfry_event, struct_size, 0);
AT(belfry_event, kind, 4);
AT(belfry_event, receipt, 8);
AT(belfry_event, request_identifier, 16);
AT(belfry_event, action_identifier, 32);
AT(belfry_event, activation_token, 48);
AT(belfry_event, text, 64);
AT(belfry_event, close_reason, 80);
AT(belfry_event, raw_close_reason, 84);
AT(belfry_event, server, 88);
AT(belfry_event, status, 96);
AT(belfry_event, log_level, 100);

SIZE(belfry_host, 32);
AT(belfry_host, struct_size, 0);
AT(belfry_host, abi_minor, 4);
AT(belfry_host, context, 8);
AT(belfry_host, complete, 16);
AT(belfry_host, event, 24);

SIZE(belfry_setting, 40);
AT(belfry_setting, struct_size, 0);
AT(belfry_setting, reserved, 4);
AT(belfry_setting, key, 8);
AT(belfry_setting, value, 24);

SIZE(belfry_start_options, 64);
AT(belfry_start_options, struct_size, 0);
AT(belfry_start_options, flags, 4);
AT(belfry_start_options, app_name, 8);
AT(belfry_start_options, desktop_entry, 24);
AT(belfry_start_options, call_timeout_ms, 40);
AT(belfry_start_options, stop_timeout_ms, 44);
AT(belfry_start_options, settings, 48);
AT(belfry_start_options, setting_count, 56);

SIZE(belfry_plugin_descriptor, 112);
AT(belfry_plugin_descriptor, struct_size, 0);
AT(belfry_plugin_descriptor, abi_major, 4);
AT(belfry_plugin_descriptor, abi_minor, 8);
AT(belfry_plugin_descriptor, flags, 12);
AT(belfry_plugin_descriptor, name, 16);
AT(belfry_plugin_descriptor, version, 32);
AT(belfry_plugin_descriptor, summary, 48);
AT(belfry_plugin_descriptor, start, 64);
AT(belfry_plugin_descriptor, capabilities, 72);
AT(belfry_plugin_descriptor, deliver, 80);
AT(belfry_plugin_descriptor, withdraw, 88);
AT(belfry_plugin_descriptor, stop, 96);
AT(belfry_plugin_descriptor, destroy, 104);

BELFRY_LAYOUT(sizeof(belfry_string) == 16); /* the only struct that never grows: lists of strings are plain arrays */
#endif
