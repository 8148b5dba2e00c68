/* Scenarios that look at the wire: what the plug-in says to a server, and what it makes of what the server says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract.h"
#include "stub.h"

#define ALL "actions body body-markup body-hyperlinks icon-static sound inline-reply persistence"

static char *field(GVariant *notify, gsize index) {
    char *value = NULL;
    g_variant_get_child(notify, index, "s", &value);
    return value;
}

static GVariant *hint(GVariant *notify, const char *key) {
    GVariant *hints = g_variant_get_child_value(notify, 6);
    GVariant *value = g_variant_lookup_value(hints, key, NULL);
    g_variant_unref(hints);
    return value;
}

/* The hint in GVariant's text form; "-" where there is none. */
static void check_hint(GVariant *notify, const char *key, const char *expected) {
    GVariant *value = hint(notify, key);
    char *printed = value == NULL ? g_strdup("-") : g_variant_print(value, TRUE);
    if (strcmp(printed, expected) != 0) {
        char *detail = g_strdup_printf("%s is %s, not %s", key, printed, expected);
        fail_test(__FILE__, __LINE__, "a hint is wrong", detail);
    }
    g_free(printed);
    g_clear_pointer(&value, g_variant_unref);
}

static void check_field(GVariant *notify, gsize index, const char *expected) {
    char *value = field(notify, index);
    CHECK_TEXT(value, expected);
    g_free(value);
}

static belfry_action action(belfry_action_kind kind, const char *identifier, const char *title) {
    return (belfry_action){
        .struct_size = sizeof(belfry_action), .kind = kind, .identifier = text(identifier), .title = text(title)};
}

void scenario_wire(void) {
    stub *server = stub_start("stub", ALL);
    belfry_plugin_instance *instance = start(0, 0);
    CHECK_TEXT(wait_for_event(BELFRY_EVENT_SERVER_CHANGED, LIMIT).server_name, "stub");

    uint64_t asked = new_token();
    plugin()->capabilities(instance, asked);
    outcome known = wait_for_outcome(asked, LIMIT, NULL);
    CHECK(known.status == BELFRY_STATUS_OK);
    CHECK((known.features & BELFRY_FEATURE_REPLY) != 0 && (known.features & BELFRY_FEATURE_MARKUP) != 0);
    CHECK((known.features & BELFRY_FEATURE_BODY_IMAGES) == 0);

    char path[] = "/tmp/belfry-contract-XXXXXX";
    int descriptor = mkstemp(path);
    CHECK(descriptor >= 0 && dprintf(descriptor, "not empty") > 0);
    belfry_action actions[] = {
        action(BELFRY_ACTION_BUTTON, "later", "Later"), action(BELFRY_ACTION_DEFAULT, "open it", "Open"),
        action(BELFRY_ACTION_REPLY, "answer", "Send"), action(BELFRY_ACTION_BUTTON, "default", "Odd")};
    actions[2].placeholder = text("Your answer");
    const belfry_action *list[] = {&actions[0], &actions[1], &actions[2], &actions[3]};
    belfry_hint extra = {
        .struct_size = sizeof extra, .type = BELFRY_HINT_INT32, .key = text("x-test"), .integer = -7};
    belfry_hint clashing = {
        .struct_size = sizeof clashing, .type = BELFRY_HINT_BYTE, .key = text("urgency"), .integer = 0};
    belfry_hint tag = {
        .struct_size = sizeof tag, .type = BELFRY_HINT_STRING, .key = text("x-dunst-stack-tag"), .string = text("v")};
    const belfry_hint *hints[] = {&extra, &clashing, &tag};
    belfry_notice notice = simple_notice("A < B & C", "1 < 2 & <b>3</b>");
    notice.subtitle = text("sub & title");
    notice.flags = BELFRY_NOTICE_TRANSIENT | BELFRY_NOTICE_RESIDENT | BELFRY_NOTICE_HAS_PROGRESS;
    notice.progress = 0.424;
    notice.level = BELFRY_LEVEL_CRITICAL;
    notice.category = text("im.received");
    notice.icon = text("mail-unread");
    notice.image_path = text(path);
    notice.sound_kind = BELFRY_SOUND_NAME;
    notice.sound = text("message-new-instant");
    notice.app_name = text("Other name");
    notice.expire_after_ms = 1234;
    notice.actions = list;
    notice.action_count = 4;
    notice.hints = hints;
    notice.hint_count = 3;
    outcome shown = deliver_ok(instance, &notice);
    CHECK(shown.lost_mask == 1u << BELFRY_LOST_HINT);
    GVariant *notify = stub_last_notify(server);
    check_field(notify, 0, "Other name");
    check_field(notify, 2, "mail-unread");
    check_field(notify, 3, "A < B & C");
    check_field(notify, 4, "sub &amp; title\n1 &lt; 2 &amp; &lt;b&gt;3&lt;/b&gt;");
    GVariant *sent_actions = g_variant_get_child_value(notify, 5);
    char *printed = g_variant_print(sent_actions, FALSE);
    CHECK_TEXT(
        printed, "['later', 'Later', 'default', 'Open', 'inline-reply', 'Send', 'belfry-action-3', 'Odd']");
    g_free(printed);
    g_variant_unref(sent_actions);
    gint32 timeout = 0;
    g_variant_get_child(notify, 7, "i", &timeout);
    CHECK(timeout == 1234);
    check_hint(notify, "urgency", "byte 0x02");
    check_hint(notify, "category", "'im.received'");
    check_hint(notify, "desktop-entry", "'org.example.Contract'");
    check_hint(notify, "transient", "true");
    check_hint(notify, "resident", "true");
    check_hint(notify, "value", "42");
    check_hint(notify, "sound-name", "'message-new-instant'");
    check_hint(notify, "suppress-sound", "-");
    check_hint(notify, "x-kde-reply-placeholder-text", "'Your answer'");
    check_hint(notify, "x-test", "-7");
    check_hint(notify, "x-dunst-stack-tag", "'v'");
    GVariant *image = hint(notify, "image-path");
    CHECK_TEXT(g_variant_get_string(image, NULL), path);
    g_variant_unref(image);
    g_variant_unref(notify);
    unlink(path);

    /* In place: the old number goes out, and comes back. */
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = shown.server_id, .server_instance = text(shown.server_instance)};
    uint8_t pixels[2 * 8 + 6];
    memset(pixels, 200, sizeof pixels);
    belfry_pixels picture = {
        .struct_size = sizeof picture, .width = 2, .height = 3, .row_stride = 8, .bytes = pixels,
        .length = sizeof pixels};
    notice = simple_notice("Second", "");
    notice.replaces = &receipt;
    notice.image_pixels = &picture;
    notice.sound_kind = BELFRY_SOUND_SUPPRESSED;
    notice.level = BELFRY_LEVEL_PASSIVE;
    outcome replaced = deliver_ok(instance, &notice);
    CHECK(replaced.server_id == shown.server_id && (replaced.flags & BELFRY_RESULT_REPLACED) != 0);
    CHECK(replaced.lost_mask == 0);
    notify = stub_last_notify(server);
    guint32 replaces = 0;
    g_variant_get_child(notify, 1, "u", &replaces);
    CHECK(replaces == shown.server_id);
    check_field(notify, 0, "Contract");
    check_hint(notify, "urgency", "byte 0x00");
    check_hint(notify, "suppress-sound", "true");
    check_hint(notify, "category", "-");
    GVariant *data = hint(notify, "image-data");
    CHECK(data != NULL && g_variant_is_of_type(data, G_VARIANT_TYPE("(iiibiiay)")));
    g_variant_unref(data);
    g_variant_unref(notify);

    CHECK(withdraw(instance, shown.server_id, shown.server_instance).status == BELFRY_STATUS_OK);
    CHECK(stub_wait_for_close(server, 1) == shown.server_id);
    seen_event closed = wait_for_event(BELFRY_EVENT_CLOSED, LIMIT);
    CHECK(closed.server_id == shown.server_id && closed.reason == BELFRY_CLOSED_WITHDRAWN && closed.raw_reason == 3);
    CHECK_TEXT(closed.server_instance, shown.server_instance);
    stop_and_destroy(instance);
    stub_stop(server);
}

static void check_body(const char *capabilities, bool is_markup, const char *body, const char *expected) {
    stub *server = stub_start("stub", capabilities);
    belfry_plugin_instance *instance = start(0, 0);
    belfry_notice notice = simple_notice("Title", body);
    if (is_markup) notice.flags = BELFRY_NOTICE_BODY_IS_MARKUP;
    outcome shown = deliver_ok(instance, &notice);
    GVariant *notify = stub_last_notify(server);
    check_field(notify, 4, expected);
    g_variant_unref(notify);
    if (shown.lost_mask != 0) fail_test(__FILE__, __LINE__, "something else was lost", shown.lost_text);
    stop_and_destroy(instance);
    stub_stop(server);
}

void scenario_text(void) {
    const char *link = "<b>x</b> &lt; <a href=\"https://a.example/?b&amp;c\">y</a>";
    check_body("body", false, "a < b & <i>c</i>", "a < b & <i>c</i>");
    check_body("body body-markup", false, "a < b & <i>c</i>", "a &lt; b &amp; &lt;i&gt;c&lt;/i&gt;");
    check_body("body body-markup body-hyperlinks", true, link, link);
    check_body("body", false, "two\nlines\tand a tab", "two\nlines\tand a tab");
    check_body("actions", false, "no body here", "no body here");
    /* What no host passes: libnotify would send something else without a word. */
    check_body("body", false, "a\xff\xc3(", "a\xEF\xBF\xBD\xEF\xBF\xBD(");

    stub *server = stub_start("stub", ALL);
    belfry_plugin_instance *instance = start(0, 0);
    belfry_notice notice = simple_notice("", "");
    notice.subtitle = text("only a subtitle");
    deliver_ok(instance, &notice);
    GVariant *notify = stub_last_notify(server);
    check_field(notify, 3, "only a subtitle");
    check_field(notify, 4, "");
    g_variant_unref(notify);
    notice = simple_notice("", "only a body");
    deliver_ok(instance, &notice);
    notify = stub_last_notify(server);
    check_field(notify, 3, "Contract");
    g_variant_unref(notify);
    notice = simple_notice("", "");
    outcome nothing = deliver(instance, &notice);
    CHECK(nothing.status == BELFRY_STATUS_INVALID);
    CHECK_IN(nothing.message, "no text");
    stop_and_destroy(instance);
    stub_stop(server);
}

/* What is within the limits arrives as it is. */
void scenario_limits(void) {
    stub *server = stub_start("stub", "body actions");
    belfry_plugin_instance *instance = start(0, 0);
    char title[257] = {0}, body[2001] = {0};
    memset(title, 't', 256);
    memset(body, 'b', 2000);
    static char identifiers[32][16];
    static belfry_action actions[32];
    const belfry_action *list[32];
    for (int i = 0; i < 32; i++) {
        snprintf(identifiers[i], sizeof identifiers[i], "a%d", i);
        actions[i] = action(BELFRY_ACTION_BUTTON, identifiers[i], i == 3 ? "" : "Do");
        list[i] = &actions[i];
    }
    belfry_notice notice = simple_notice(title, body);
    notice.actions = list;
    notice.action_count = 32;
    outcome shown = deliver_ok(instance, &notice);
    if (shown.lost_mask != 0) fail_test(__FILE__, __LINE__, "something was lost", shown.lost_text);
    GVariant *notify = stub_last_notify(server);
    check_field(notify, 3, title);
    check_field(notify, 4, body);
    GVariant *sent_actions = g_variant_get_child_value(notify, 5);
    CHECK(g_variant_n_children(sent_actions) == 2 * 32);
    char *label = NULL;
    g_variant_get_child(sent_actions, 7, "s", &label);
    CHECK_TEXT(label, "a3"); /* libnotify refuses an empty one */
    g_free(label);
    g_variant_unref(sent_actions);
    g_variant_unref(notify);

    /* What no host hands over: thousands of actions would take libnotify seconds. */
    static const belfry_action *many[10000];
    for (size_t i = 0; i < 10000; i++) many[i] = &actions[0];
    notice.actions = many;
    notice.action_count = 10000;
    outcome crowded = deliver(instance, &notice);
    CHECK(crowded.status == BELFRY_STATUS_INVALID);
    CHECK_IN(crowded.message, "10000 actions");

    for (int i = 0; i < 3; i++) {
        const double wrong[] = {1.5, -0.1, NAN};
        notice = simple_notice("t", "b");
        notice.flags = BELFRY_NOTICE_HAS_PROGRESS;
        notice.progress = wrong[i];
        outcome refused = deliver(instance, &notice);
        CHECK(refused.status == BELFRY_STATUS_INVALID);
        CHECK_IN(refused.message, "is not between 0 and 1");
    }
    stop_and_destroy(instance);
    stub_stop(server);
}

void scenario_events(void) {
    stub *server = stub_start("first", ALL);
    belfry_plugin_instance *instance = start(0, 0);
    belfry_action actions[] = {
        action(BELFRY_ACTION_BUTTON, "later", "Later"), action(BELFRY_ACTION_REPLY, "answer", "Send")};
    const belfry_action *list[] = {&actions[0], &actions[1]};
    belfry_notice notice = simple_notice("One", "");
    notice.request_identifier = text("first request");
    notice.actions = list;
    notice.action_count = 2;
    outcome one = deliver_ok(instance, &notice);
    outcome two = deliver_ok(instance, &notice);
    CHECK(one.server_id != two.server_id);
    guint32 id = (guint32)one.server_id;

    stub_emit(server, "ActivationToken", g_variant_new("(us)", id, "token-1"));
    stub_emit(server, "ActionInvoked", g_variant_new("(us)", id, "later"));
    stub_emit(server, "NotificationClosed", g_variant_new("(uu)", id, 2));
    seen_event invoked = wait_for_event(BELFRY_EVENT_ACTION, LIMIT);
    CHECK(invoked.server_id == id);
    CHECK_TEXT(invoked.action, "later");
    CHECK_TEXT(invoked.token, "token-1");
    CHECK_TEXT(invoked.request, "first request");
    seen_event closed = wait_for_event(BELFRY_EVENT_CLOSED, LIMIT);
    CHECK(closed.server_id == id && closed.reason == BELFRY_CLOSED_DISMISSED);

    /* Twice, or for a number that nobody has: nothing. Then the other one, with a reason of its own. */
    stub_emit(server, "NotificationClosed", g_variant_new("(uu)", id, 3));
    stub_emit(server, "NotificationClosed", g_variant_new("(uu)", 999999, 3));
    stub_emit(server, "NotificationReplied", g_variant_new("(us)", id, "too late"));
    stub_emit(server, "NotificationReplied", g_variant_new("(us)", (guint32)two.server_id, "Gr\u00fc\u00dfe"));
    stub_emit(server, "NotificationClosed", g_variant_new("(uu)", (guint32)two.server_id, 17));
    seen_event replied = wait_for_event(BELFRY_EVENT_REPLY, LIMIT);
    CHECK(replied.server_id == two.server_id);
    CHECK_TEXT(replied.action, "answer");
    CHECK_TEXT(replied.text, "Gr\u00fc\u00dfe");
    closed = wait_for_event(BELFRY_EVENT_CLOSED, LIMIT);
    CHECK(closed.server_id == two.server_id && closed.reason == BELFRY_CLOSED_UNDEFINED && closed.raw_reason == 17);

    /* The server goes: receipts are void, and no number of the old one reaches the new one. */
    outcome three = deliver_ok(instance, &notice);
    stub_stop(server);
    CHECK(wait_for_event(BELFRY_EVENT_SERVER_GONE, LIMIT).status == BELFRY_STATUS_NO_SERVER);
    CHECK(!has_event(BELFRY_EVENT_CLOSED));
    CHECK(withdraw(instance, three.server_id, three.server_instance).status == BELFRY_STATUS_OK);
    server = stub_start("second", ALL);
    CHECK_TEXT(wait_for_event(BELFRY_EVENT_SERVER_CHANGED, LIMIT).server_name, "second");
    belfry_receipt stale = {
        .struct_size = sizeof stale, .server_id = three.server_id, .server_instance = text(three.server_instance)};
    notice.replaces = &stale;
    outcome anew = deliver_ok(instance, &notice);
    CHECK(anew.lost_mask == 1u << BELFRY_LOST_REPLACEMENT && (anew.flags & BELFRY_RESULT_REPLACED) == 0);
    CHECK(strcmp(anew.server_instance, three.server_instance) != 0);
    GVariant *notify = stub_last_notify(server);
    guint32 replaces = 1;
    g_variant_get_child(notify, 1, "u", &replaces);
    CHECK(replaces == 0);
    g_variant_unref(notify);

    /* A receipt of the same server that an earlier instance of the plug-in got: replaced, and withdrawn. */
    stop_and_destroy(instance);
    instance = start(0, 0);
    belfry_receipt stored = {
        .struct_size = sizeof stored, .server_id = anew.server_id, .server_instance = text(anew.server_instance)};
    notice.replaces = &stored;
    outcome kept = deliver_ok(instance, &notice);
    CHECK(kept.server_id == anew.server_id && (kept.flags & BELFRY_RESULT_REPLACED) != 0);
    stop_and_destroy(instance);
    instance = start(0, 0);
    CHECK(withdraw(instance, anew.server_id, anew.server_instance).status == BELFRY_STATUS_OK);
    CHECK(stub_wait_for_close(server, 1) == anew.server_id);
    stop_and_destroy(instance);
    stub_stop(server);
}

/* A closing that the server sends before it shows another notice under the same number is the old notice's. */
void scenario_stale(void) {
    stub *server = stub_start("stub", ALL);
    belfry_plugin_instance *instance = start(0, 0);
    belfry_action later = action(BELFRY_ACTION_BUTTON, "later", "Later");
    const belfry_action *list[] = {&later};
    belfry_notice notice = simple_notice("One", "");
    notice.request_identifier = text("old");
    notice.actions = list;
    notice.action_count = 1;
    outcome old = deliver_ok(instance, &notice);
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = old.server_id, .server_instance = text(old.server_instance)};
    notice.request_identifier = text("new");
    notice.replaces = &receipt;
    stub_close_before_answer(server, 0);
    outcome new = deliver_ok(instance, &notice);
    CHECK(new.server_id == old.server_id && (new.flags & BELFRY_RESULT_REPLACED) != 0);
    guint32 id = (guint32)new.server_id;
    stub_emit(server, "ActionInvoked", g_variant_new("(us)", id, "later"));
    stub_emit(server, "NotificationClosed", g_variant_new("(uu)", id, 1));
    seen_event closed = wait_for_event(BELFRY_EVENT_CLOSED, LIMIT);
    CHECK_TEXT(closed.request, "old");
    CHECK(closed.server_id == id && closed.reason == BELFRY_CLOSED_DISMISSED);
    seen_event invoked = wait_for_event(BELFRY_EVENT_ACTION, LIMIT);
    CHECK(invoked.server_id == id);
    CHECK_TEXT(invoked.request, "new");
    closed = wait_for_event(BELFRY_EVENT_CLOSED, LIMIT);
    CHECK_TEXT(closed.request, "new");
    CHECK(closed.reason == BELFRY_CLOSED_EXPIRED);

    /* Of a new number there is no old notice: one that goes at once is told of after its receipt. */
    notice.replaces = NULL;
    stub_close_before_answer(server, 0);
    outcome brief = deliver_ok(instance, &notice);
    closed = wait_for_event(BELFRY_EVENT_CLOSED, LIMIT);
    CHECK(brief.server_id != id && closed.server_id == brief.server_id);
    stop_and_destroy(instance);

    /* In a burst the reply to an earlier Notify comes before that closing. The calls wait for the server together. */
    stub_be_silent(server, true, true);
    stub_close_before_answer(server, 1);
    instance = start(0, 0);
    uint64_t first = new_token(), second = new_token();
    plugin()->deliver(instance, first, &notice);
    notice.replaces = &receipt;
    plugin()->deliver(instance, second, &notice);
    stub_be_silent(server, false, false);
    CHECK(wait_for_outcome(first, LIMIT, NULL).status == BELFRY_STATUS_OK);
    CHECK(wait_for_outcome(second, LIMIT, NULL).server_id == id);
    stub_emit(server, "ActionInvoked", g_variant_new("(us)", id, "later"));
    CHECK(wait_for_event(BELFRY_EVENT_ACTION, LIMIT).server_id == id);
    stop_and_destroy(instance);
    stub_stop(server);
}

void scenario_refusals(void) {
    stub *server = stub_start("stub", "body");
    belfry_plugin_instance *instance = start(0, 0);
    belfry_notice notice = simple_notice("t", "b");
    static const struct {
        const char *name;
        belfry_status status;
    } refusals[] = {
        {"org.freedesktop.Notifications.MaxNotificationsExceeded", BELFRY_STATUS_BUSY},
        {"org.freedesktop.Notifications.Error.ExcessNotificationGeneration", BELFRY_STATUS_BUSY},
        {"org.gtk.GDBus.UnmappedGError.Quark._notify_2ddaemon_2derror.Code1", BELFRY_STATUS_BUSY},
        {"org.freedesktop.DBus.Error.InvalidArgs", BELFRY_STATUS_REJECTED},
        {"org.example.Whatever", BELFRY_STATUS_REJECTED},
        {"org.freedesktop.DBus.Error.NoReply", BELFRY_STATUS_TIMED_OUT},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        stub_refuse_next(server, refusals[i].name);
        outcome refused = deliver(instance, &notice);
        CHECK(refused.status == refusals[i].status);
        CHECK_IN(refused.message, "The stub refuses.");
    }
    stop_and_destroy(instance);
    stub_stop(server);
}

void scenario_many(void) {
    stub *server = stub_start("stub", ALL);
    belfry_plugin_instance *instance = start(60000, 0);
    enum { COUNT = 3000 };
    static uint64_t tokens[COUNT];
    belfry_notice notice = simple_notice("many", "");
    for (int i = 0; i < COUNT; i++) plugin()->deliver(instance, tokens[i] = new_token(), &notice);
    uint64_t last = 0;
    for (int i = 0; i < COUNT; i++) {
        outcome shown = wait_for_outcome(tokens[i], LIMIT, NULL);
        CHECK(shown.status == BELFRY_STATUS_OK && shown.server_id > last);
        last = shown.server_id;
    }
    for (int i = 0; i < COUNT; i++) CHECK(completions_of(tokens[i]) == 1);
    CHECK(stub_notify_count(server) == COUNT);
    stop_and_destroy(instance);
    stub_stop(server);
}

void scenario_silent(void) {
    stub *server = stub_start("deaf", ALL);
    stub_be_silent(server, true, true);
    belfry_plugin_instance *instance = start(1500, 1000);
    belfry_notice notice = simple_notice("t", "b");
    uint64_t first = new_token(), second = new_token(), asked = new_token();
    int took = 0;
    plugin()->deliver(instance, first, &notice);
    plugin()->deliver(instance, second, &notice);
    plugin()->capabilities(instance, asked);
    outcome failed = wait_for_outcome(first, LIMIT, &took);
    CHECK(failed.status == BELFRY_STATUS_TIMED_OUT && took >= 1400 && took < 3800);
    CHECK_IN(failed.message, "doesn't reply");
    CHECK(wait_for_outcome(second, LIMIT, NULL).status == BELFRY_STATUS_TIMED_OUT);
    CHECK(wait_for_outcome(asked, LIMIT, NULL).status == BELFRY_STATUS_TIMED_OUT);
    CHECK(stub_notify_count(server) == 0);
    /* It comes to: the plug-in is fine, and what had failed isn't shown. */
    stub_be_silent(server, false, false);
    outcome shown = deliver_ok(instance, &notice);
    CHECK(shown.server_id == 1 && stub_notify_count(server) == 1);
    CHECK(completions_of(first) == 1 && completions_of(second) == 1 && completions_of(asked) == 1);
    /* And deaf again, with a server that is known by now. */
    stub_be_silent(server, true, true);
    failed = deliver(instance, &notice);
    CHECK(failed.status == BELFRY_STATUS_TIMED_OUT);
    CHECK_IN(failed.message, "deaf");
    stop_and_destroy(instance);
    stub_stop(server);
}

void scenario_late(void) {
    stub *server = stub_start("slow", ALL);
    belfry_plugin_instance *instance = start(1500, 1000);
    belfry_notice notice = simple_notice("t", "b");
    deliver_ok(instance, &notice);
    stub_be_silent(server, false, true); /* answers the question whether it lives, and then sits on the notice */
    uint64_t stuck = new_token(), behind = new_token();
    int took = 0;
    plugin()->deliver(instance, stuck, &notice);
    plugin()->deliver(instance, behind, &notice);
    CHECK(wait_for_outcome(stuck, LIMIT, &took).status == BELFRY_STATUS_TIMED_OUT && took < 3800);
    CHECK(wait_for_outcome(behind, LIMIT, NULL).status == BELFRY_STATUS_TIMED_OUT);
    stub_wait_for_notify(server, 2);
    stub_be_silent(server, false, false);
    /* The late notice is taken back, the one behind it never sent, and neither token completed again. */
    CHECK(stub_wait_for_close(server, 1) == 2);
    outcome next = deliver_ok(instance, &notice);
    CHECK(next.server_id == 3 && stub_notify_count(server) == 3);
    CHECK(completions_of(stuck) == 1 && completions_of(behind) == 1);
    CHECK(!has_event(BELFRY_EVENT_CLOSED) && !has_event(BELFRY_EVENT_ACTION));
    stop_and_destroy(instance);
    stub_stop(server);
}

void scenario_stuck_stop(void) {
    stub *server = stub_start("slow", ALL);
    belfry_plugin_instance *instance = start(0, 400);
    belfry_notice notice = simple_notice("t", "b");
    deliver_ok(instance, &notice);
    stub_be_silent(server, false, true);
    uint64_t stuck = new_token();
    plugin()->deliver(instance, stuck, &notice);
    stub_wait_for_notify(server, 2);
    int64_t begin = now_ms();
    plugin()->stop(instance);
    int64_t took = now_ms() - begin;
    CHECK(took >= 350 && took < 1900);
    CHECK(completions_of(stuck) == 1 && wait_for_outcome(stuck, 0, NULL).status == BELFRY_STATUS_STOPPED);
    unsigned callbacks = callback_count();
    plugin()->destroy(instance);
    /* Its thread still sits in libnotify: nobody else may go in there. */
    belfry_start_options options = {.struct_size = sizeof options, .app_name = text("Contract")};
    belfry_plugin_instance *second = NULL;
    CHECK(plugin()->start(&recording_host, &options, &second) == BELFRY_STATUS_BUSY && second == NULL);
    CHECK(callback_count() == callbacks + 1); /* the line that explains it */
    stub_be_silent(server, false, false);
    CHECK(stub_wait_for_close(server, 1) == 2); /* what came through after all is taken back */
    begin = now_ms();
    while (plugin()->start(&recording_host, &options, &second) == BELFRY_STATUS_BUSY) CHECK(now_ms() - begin < LIMIT);
    CHECK(second != NULL);
    deliver_ok(second, &notice);
    CHECK(completions_of(stuck) == 1);
    stop_and_destroy(second);
    stub_stop(server);
}
