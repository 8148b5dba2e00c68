#include "wording.h"

#include <string.h>

#include "losses.h"
#include "markup.h"
#include "text.h"

/* A body of markup for this server. NULL where it isn't the markup that is allowed. */
static char *render_markup(ln_notice *notice, const ln_server *server, size_t limit) {
    ln_markup_options options = {
        .keeps_tags = belfry_libnotify_server_can(server, "body-markup"),
        .keeps_links = belfry_libnotify_server_can(server, "body-hyperlinks"), .limit = limit};
    ln_markup_outcome outcome;
    char *body = belfry_libnotify_markup_render(notice->body, options, &outcome);
    if (body == NULL) {
        belfry_libnotify_losses_add(
            notice->losses, BELFRY_LOST_MARKUP,
            "The body is not well-formed markup of b, i, u and a; it is shown as plain text.");
        return NULL;
    }
    if (outcome.had_tags && !options.keeps_tags)
        belfry_libnotify_losses_add(notice->losses, BELFRY_LOST_MARKUP, "The server shows no markup.");
    if (outcome.had_links && !(options.keeps_tags && options.keeps_links))
        belfry_libnotify_losses_add(
            notice->losses, BELFRY_LOST_LINKS, "The server shows no links; the address follows in parentheses.");
    if (outcome.cut)
        belfry_libnotify_losses_add(
            notice->losses, BELFRY_LOST_BODY_CUT, "The body is longer than %u characters and was cut.",
            LN_BODY_LIMIT);
    return body;
}

static char *plain_for(const char *text, const ln_server *server) {
    return belfry_libnotify_server_can(server, "body-markup") ? belfry_libnotify_text_escape(text) : g_strdup(text);
}

static char *render_plain(ln_notice *notice, const ln_server *server, size_t limit) {
    bool cut = false;
    char *text = belfry_libnotify_text_cut(g_strdup(notice->body), limit, &cut);
    if (cut)
        belfry_libnotify_losses_add(
            notice->losses, BELFRY_LOST_BODY_CUT, "The body is longer than %u characters and was cut.",
            LN_BODY_LIMIT);
    char *body = plain_for(text, server);
    g_free(text);
    return body;
}

ln_wording belfry_libnotify_wording(ln_notice *notice, const ln_server *server, const char *app_name) {
    const char *title = notice->title, *subtitle = notice->subtitle;
    if (*title == '\0' && *subtitle != '\0') {
        title = subtitle;
        subtitle = "";
    } else if (*title == '\0') {
        title = *notice->app_name != '\0' ? notice->app_name : app_name;
    }
    size_t limit = LN_BODY_LIMIT;
    if (*subtitle != '\0') limit -= (size_t)g_utf8_strlen(subtitle, -1) + 1;
    char *body = notice->body_is_markup ? render_markup(notice, server, limit) : NULL;
    if (body == NULL) body = render_plain(notice, server, limit);
    if (*subtitle != '\0') {
        char *first = plain_for(subtitle, server);
        char *joined = *body == '\0' ? g_strdup(first) : g_strconcat(first, "\n", body, NULL);
        g_free(first);
        g_free(body);
        body = joined;
    }
    if (*body != '\0' && !belfry_libnotify_server_can(server, "body"))
        belfry_libnotify_losses_add(notice->losses, BELFRY_LOST_BODY, "The server shows no body text.");
    return (ln_wording){g_strdup(title), body};
}

void belfry_libnotify_wording_clear(ln_wording *wording) {
    g_clear_pointer(&wording->summary, g_free);
    g_clear_pointer(&wording->body, g_free);
}

/* Whether an identifier can be its own key: short, and none of those that servers give a meaning to. */
static bool can_be_key(const char *identifier) {
    static const char *const special[] = {"default", "settings", "inline-reply"};
    for (size_t i = 0; i < G_N_ELEMENTS(special); i++)
        if (g_ascii_strcasecmp(identifier, special[i]) == 0) return false;
    return strlen(identifier) <= 64 && strpbrk(identifier, "\n\t") == NULL
        && !g_str_has_prefix(identifier, "belfry-action-");
}

/* The click on the notice itself is an answer too, asked for or not; see belfry_libnotify_server_hides_default. */
static void add_default_action(GPtrArray *actions) {
    ln_action *action = g_new0(ln_action, 1);
    action->kind = BELFRY_ACTION_DEFAULT;
    action->identifier = g_strdup("default");
    action->title = g_strdup("default");
    action->placeholder = g_strdup("");
    g_ptr_array_insert(actions, 0, action);
}

/* Some servers draw it as a button after all: "default" says nothing there. */
static void label_default_action(ln_action *action, const char *app_name) {
    if (strcmp(action->title, "default") != 0 || *app_name == '\0') return;
    g_free(action->title);
    action->title = g_strdup(app_name);
}

bool belfry_libnotify_actions_prepare(ln_notice *notice, const ln_server *server, const char *app_name) {
    GPtrArray *actions = notice->actions;
    if (!belfry_libnotify_server_can(server, "actions")) {
        if (actions->len > 0)
            belfry_libnotify_losses_add(
                notice->losses, BELFRY_LOST_ACTIONS, "The server shows no buttons: %u are missing.", actions->len);
        return false;
    }
    bool may_reply = belfry_libnotify_server_can(server, "inline-reply"), has_default = false;
    for (guint i = 0; i < actions->len; i++)
        has_default |= ((const ln_action *)g_ptr_array_index(actions, i))->kind == BELFRY_ACTION_DEFAULT;
    if (!has_default && belfry_libnotify_server_hides_default(server)) add_default_action(actions);
    has_default = false;
    for (guint i = 0; i < actions->len; i++) {
        ln_action *action = g_ptr_array_index(actions, i);
        if (action->kind == BELFRY_ACTION_DEFAULT && !has_default) {
            has_default = true;
            action->key = g_strdup("default");
            label_default_action(action, *notice->app_name != '\0' ? notice->app_name : app_name);
        } else if (action->kind == BELFRY_ACTION_REPLY && may_reply) {
            may_reply = false; /* servers have one text field */
            action->key = g_strdup("inline-reply");
        } else {
            action->key = can_be_key(action->identifier) ? g_strdup(action->identifier)
                                                         : g_strdup_printf("belfry-action-%u", i);
            if (action->kind == BELFRY_ACTION_REPLY)
                belfry_libnotify_losses_add(
                    notice->losses, BELFRY_LOST_REPLY, "The reply `%s` is a button: the server has no text field%s.",
                    action->identifier, belfry_libnotify_server_can(server, "inline-reply") ? " for a second" : "");
        }
    }
    return actions->len > 0;
}
