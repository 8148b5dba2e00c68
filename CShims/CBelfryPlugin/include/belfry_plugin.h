/*
 * belfry_plugin.h: the contract between Belfry (the host) and a delivery plug-in.
 *
 * A delivery plug-in shows notices somewhere and says what the user did with them. This header is the whole
 * contract: Belfry's own libnotify plug-in is written against it alone. It is C99, C11 and C++11, and Swift imports it.
 * A complete plug-in to copy from, with how to build it, is in Plugins/CExample.
 *
 *
 * 1. Life of a plug-in
 *
 *   descriptor          static data of the plug-in: reached by belfry_plugin_entry() in a shared object, by a function
 *                       of a name of its own where it is linked in (two linked plug-ins can't both export the entry).
 *   start               makes an instance. Returns fast: anything outside (a bus, a server) is contacted later.
 *   capabilities,       calls. Each takes a token and returns at once. Its outcome comes through the host's
 *   deliver, withdraw   `complete` with that token.
 *   stop                ends the instance. No callback comes after it has returned.
 *   destroy             frees the instance's memory. Called exactly once, after stop; no call follows it.
 *
 *
 * 2. Tokens
 *
 *   - The host chooses tokens; a token is in use from the call until its completion, and 0 is never used.
 *   - The plug-in completes each token exactly once, from any thread, possibly before the call returns. The host
 *     ignores a second or unknown completion, and reports it as an error of the plug-in.
 *   - A plug-in keeps a timeout (belfry_start_options.call_timeout_ms) on every call. When it passes, the plug-in
 *     completes with BELFRY_STATUS_TIMED_OUT, or with the status that names what was missing. The host has a longer
 *     timeout.
 *   - When a delivery fails, no notice of it stays on the screen. If the notice is shown after all, the plug-in
 *     withdraws it. So the host may try again, and the user never sees a notice twice.
 *   - The host's own timeouts are 10 s for a call, counted from when it is queued, 5 s for start, and 5 s for stop and
 *     destroy together. A call that waits longer in the queue is never made. If a delivery succeeds after the timeout,
 *     the host withdraws the notice, unless its receipt is that of the notice it replaces. A start or stop that takes
 *     longer is abandoned and reported. An instance that a late start returns is stopped and destroyed at once.
 *   - A delivery's completion comes before the first event that carries its receipt.
 *
 *
 * 3. Threads and reentrancy
 *
 *   - The host may call capabilities, deliver and withdraw from any thread, several at a time. They never block: no
 *     I/O, no waiting for another thread's work. Deliveries are shown in the order in which they were called.
 *   - The plug-in may call `complete` and `event` from any thread, several at a time.
 *   - Inside a callback the host may call capabilities, deliver and withdraw, but not stop or destroy. So a plug-in
 *     must hold no lock while it calls back.
 *   - A callback of the host returns soon and doesn't wait for the plug-in.
 *   - stop may be called once, from any thread that isn't inside a callback. Every token in use is completed with
 *     BELFRY_STATUS_STOPPED before it returns. A call that races with stop may find no way back any more: the host
 *     takes every token that is open when stop has returned for stopped.
 *   - stop returns within belfry_start_options.stop_timeout_ms plus the time that host callbacks already under way
 *     take. Where the plug-in's own thread is stuck for longer in a library, the plug-in leaves it behind, silenced, to
 *     clean up when it comes loose; until then a further start may be refused with BELFRY_STATUS_BUSY.
 *   - What stands on the screen at stop stays there. Who wants it gone withdraws it first.
 *   - Belfry's command line ignores SIGPIPE; an app may not. A plug-in that writes to a socket or a pipe keeps the
 *     signal away itself (MSG_NOSIGNAL, or the signal blocked in its thread) and changes no disposition of the process.
 *   - A plug-in doesn't write to standard output, which scripts read. What the user should know is a BELFRY_EVENT_LOG.
 *
 *
 * 4. Ownership
 *
 *   - Everything that a pointer argument reaches, in either direction, is borrowed for that call only: the receiver
 *     copies what it keeps. Neither side frees memory that the other has allocated.
 *   - belfry_host and its `context` stay valid until stop has returned.
 *   - The descriptor and everything it points to stay valid and unchanged for the life of the process. A plug-in's file
 *     is never unloaded.
 *
 *
 * 5. Strings
 *
 *   UTF-8 with a length in bytes, not necessarily NUL-terminated. `bytes` may be NULL if length is 0. An absent string
 *   is empty, unless a flag says otherwise. The host passes valid UTF-8 without NUL and without control characters
 *   except newline and tab. It replaces invalid bytes in strings from a plug-in.
 *
 *
 * 6. Growing without breaking
 *
 *   - Every struct but belfry_string begins with `struct_size`, the sizeof of the side that filled it in. The reader
 *     uses the smaller of that and its own sizeof. Fields beyond it are absent: zero, NULL, empty. BELFRY_HAS checks
 *     that. Fields are only added at the end, never moved or given another meaning. belfry_string never grows.
 *   - Lists are arrays of pointers to structs, with a count, so that a struct may grow inside a list. (Lists of strings
 *     are plain arrays.)
 *   - Enumerations are uint32_t. A value that the reader doesn't know is never an error: each enumeration says how it
 *     is interpreted. Unknown flags are ignored.
 *   - An addition is a new minor version; any other change is a new major one. A host refuses a descriptor of another
 *     major version. belfry_plugin_entry gets the host's major and returns NULL when it can't serve it.
 *
 *
 * 7. The host prepares, the plug-in shows
 *
 *   - The host asks for capabilities and prepares each notice for them. Texts are valid and cut to the limits, and
 *     files can be read. Markup, links, actions, reply fields and pictures that are not among the features are removed.
 *     The host reports what it removed. A plug-in need not repeat or report any of this.
 *   - If the features lack progress, sound or body, the host reports it and still passes the value: the plug-in ignores
 *     it, and doesn't report it again.
 *   - A plug-in reports as lost what it could not show although its features include it, such as pixels of an
 *     unsupported size.
 *   - A plug-in for a desktop notification server sets belfry_server.spec_version. The host knows where servers of this
 *     name differ from what they report: it corrects features and limits and adapts each notice. An image file becomes
 *     the icon if the server draws only that. The click on the notice becomes an action if no button is drawn for it.
 *     At most one reply remains, and hints that the server doesn't support are removed.
 *   - Limits count extended grapheme clusters (UAX #29): a cut never splits one. 0 means no limit but the host's own of
 *     8 KiB a text.
 *   - belfry_notice.replaces has exactly one of two outcomes. The notice replaced the old one: BELFRY_RESULT_REPLACED
 *     is set. Or it is a new notice: the flag is not set, and the losses include BELFRY_LOST_REPLACEMENT.
 *
 *
 * 8. Settings, and trying a plug-in
 *
 *   Settings are for one plug-in alone and use its own names: `--backend-option key=value` on the command line,
 *   `settings` of PluginBackend in Swift. They are passed in belfry_start_options, sorted by key.
 *
 *   `belfry plugin check FILE` loads a plug-in in a separate process, checks the rules of every backend and prints the
 *   results. It shows notices, and exits with 1 if a rule is broken.
 *
 *
 * 9. Receipts
 *
 *   A receipt identifies one notice on the screen: the server's number for it, and the run of the server that assigned
 *   it. Numbers end with the server: a receipt is void unless its `server_instance` is running. Replacing a void one
 *   shows a new notice; withdrawing a void one succeeds at once. A receipt may outlive the plug-in's instance: the host
 *   may store it and pass it to a later instance.
 */
#ifndef BELFRY_PLUGIN_H
#define BELFRY_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BELFRY_PLUGIN_ABI_MAJOR 1u
#define BELFRY_PLUGIN_ABI_MINOR 0u

/* The name that the host looks up in a plug-in's file. */
#define BELFRY_PLUGIN_ENTRY_SYMBOL "belfry_plugin_entry"

#if defined(__GNUC__)
#define BELFRY_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define BELFRY_PLUGIN_EXPORT
#endif

/* Whether the struct at `pointer`, of type `type`, was filled in far enough to have `field`. */
#define BELFRY_HAS(pointer, type, field) \
    ((size_t)(pointer)->struct_size >= offsetof(type, field) + sizeof((pointer)->field))

/* UTF-8, borrowed, with its length in bytes. Frozen: the one struct that never grows. */
typedef struct belfry_string {
    const char *bytes;
    size_t length;
} belfry_string;

/* ---- Outcomes -------------------------------------------------------------------------------------------------- */

/*
 * The outcome of a call. 1 to 99 are transient: the same call may succeed later. 100 and above are permanent: the same
 * call would fail again. This applies to values of later versions too, so a reader can handle unknown values.
 */
typedef uint32_t belfry_status;
#define BELFRY_STATUS_OK 0u
#define BELFRY_STATUS_FAILED_FOR_NOW 1u /* transient, and none of the following */
#define BELFRY_STATUS_NO_BUS 2u         /* no session bus, or it went away */
#define BELFRY_STATUS_NO_SERVER 3u      /* a bus, but no notification server, and none could be started */
#define BELFRY_STATUS_TIMED_OUT 4u      /* the server doesn't reply in time */
#define BELFRY_STATUS_BUSY 5u           /* the server's or the plug-in's queue is full, or the plug-in is in use */
#define BELFRY_STATUS_STOPPED 6u        /* the instance was stopped before the call was done */
#define BELFRY_STATUS_FAILED 100u       /* permanent, and none of the following */
#define BELFRY_STATUS_REJECTED 101u     /* the server refused this notice */
#define BELFRY_STATUS_UNSUPPORTED 102u  /* the plug-in can't do this at all */
#define BELFRY_STATUS_INVALID 103u      /* an argument breaks this contract; the message names it */
#define BELFRY_STATUS_INTERNAL 104u     /* an error inside the plug-in (no memory, no thread) */

/* A feature that was lost. An unknown value is interpreted as BELFRY_LOST_OTHER; its detail still applies. */
typedef uint32_t belfry_loss_kind;
#define BELFRY_LOST_OTHER 0u
#define BELFRY_LOST_TITLE_CUT 1u     /* title longer than the limit: cut at a character boundary */
#define BELFRY_LOST_BODY_CUT 2u      /* body (with the subtitle before it) longer than the limit: cut likewise */
#define BELFRY_LOST_TEXT_REPAIRED 3u /* bytes that may not be shown were removed or replaced */
#define BELFRY_LOST_BODY 4u          /* the server shows no body */
#define BELFRY_LOST_MARKUP 5u        /* no markup supported, or markup that isn't allowed: tags stripped */
#define BELFRY_LOST_LINKS 6u         /* the server shows no links: the address follows the text in parentheses */
#define BELFRY_LOST_ICON 7u          /* the icon can't be read or shown */
#define BELFRY_LOST_IMAGE 8u         /* the image can't be read or shown */
#define BELFRY_LOST_SOUND 9u         /* the sound can't be read or played */
#define BELFRY_LOST_ACTIONS 10u      /* the server shows no actions: all of them are missing */
#define BELFRY_LOST_ACTIONS_CUT 11u  /* more actions than the limit: only the first ones are shown */
#define BELFRY_LOST_ACTION 12u       /* one action is missing: no identifier, or a duplicate one */
#define BELFRY_LOST_ACTION_ICON 13u  /* an action is shown without its icon */
#define BELFRY_LOST_REPLY 14u        /* a reply action is a plain button */
#define BELFRY_LOST_PROGRESS 15u     /* the progress can't be shown */
#define BELFRY_LOST_REPLACEMENT 16u  /* the notice to replace is gone or couldn't be replaced: this is a new one */
#define BELFRY_LOST_HINT 17u         /* an extra hint of an unknown type or with a bad key isn't sent */
#define BELFRY_LOST_EXPIRY 18u       /* the expiry time can't be passed on */
#define BELFRY_LOST_LEVEL 19u        /* the interruption level can't be passed on */

typedef struct belfry_loss {
    uint32_t struct_size;
    belfry_loss_kind kind;
    belfry_string detail; /* for the user: names the value and why, such as `/tmp/a.png: No such file or directory` */
} belfry_loss;

typedef struct belfry_receipt {
    uint32_t struct_size;
    uint32_t flags;                /* none defined; 0 */
    uint64_t server_id;            /* never 0 */
    belfry_string server_instance; /* identifies a run of a server: on D-Bus the bus and the owner: `5f3c…e1:1.42` */
} belfry_receipt;

/* ---- The server ------------------------------------------------------------------------------------------------ */

/* What the plug-in and the server together support; the flags of belfry_server.features. */
#define BELFRY_FEATURE_BODY (1ull << 0)
#define BELFRY_FEATURE_MARKUP (1ull << 1)
#define BELFRY_FEATURE_LINKS (1ull << 2)
#define BELFRY_FEATURE_BODY_IMAGES (1ull << 3)
#define BELFRY_FEATURE_ICON (1ull << 4)
#define BELFRY_FEATURE_IMAGE (1ull << 5)
#define BELFRY_FEATURE_ACTIONS (1ull << 6)
#define BELFRY_FEATURE_ACTION_ICONS (1ull << 7)
#define BELFRY_FEATURE_REPLY (1ull << 8)
#define BELFRY_FEATURE_SOUND (1ull << 9)
#define BELFRY_FEATURE_PERSISTENCE (1ull << 10) /* notices stay readable after they left the screen */
#define BELFRY_FEATURE_PROGRESS (1ull << 11)    /* sent; servers don't say whether they draw it */
#define BELFRY_FEATURE_REPLACEMENT (1ull << 12)
#define BELFRY_FEATURE_WITHDRAWAL (1ull << 13)
#define BELFRY_FEATURE_EXPIRY (1ull << 14)
#define BELFRY_FEATURE_CLOSE_EVENTS (1ull << 15)

typedef struct belfry_server {
    uint32_t struct_size;
    uint32_t flags;                /* none defined; 0 */
    belfry_string instance;        /* as in belfry_receipt.server_instance */
    belfry_string name;            /* `dunst` */
    belfry_string vendor;          /* `knopwob` */
    belfry_string version;         /* `1.9.0` */
    belfry_string spec_version;    /* of desktop notifications, `1.2`: see 7; empty for another kind of server */
    uint64_t features;             /* BELFRY_FEATURE_… */
    const belfry_string *raw_capabilities; /* as the server names them, in its order */
    size_t raw_capability_count;
    uint32_t title_limit;  /* characters that are shown (see 7); 0: no limit */
    uint32_t body_limit;   /* the same for the body */
    uint32_t action_limit; /* actions that are shown; 0: no limit */
    uint32_t reserved;     /* 0 */
} belfry_server;

/* ---- A notice -------------------------------------------------------------------------------------------------- */

/* An unknown level is interpreted as BELFRY_LEVEL_ACTIVE. */
typedef uint32_t belfry_level;
#define BELFRY_LEVEL_ACTIVE 0u         /* urgency normal */
#define BELFRY_LEVEL_PASSIVE 1u        /* urgency low */
#define BELFRY_LEVEL_TIME_SENSITIVE 2u /* urgency normal; the host has exempted it from quiet hours */
#define BELFRY_LEVEL_CRITICAL 3u       /* urgency critical */

/* An unknown kind is interpreted as BELFRY_ACTION_BUTTON. */
typedef uint32_t belfry_action_kind;
#define BELFRY_ACTION_BUTTON 0u
#define BELFRY_ACTION_DEFAULT 1u /* a click on the notice itself; the first of them counts */
#define BELFRY_ACTION_REPLY 2u   /* a text field, where the server has one; else a button */

typedef struct belfry_action {
    uint32_t struct_size;
    belfry_action_kind kind;
    belfry_string identifier;  /* comes back in the event; unique within the notice */
    belfry_string title;       /* the button's label; for a reply, the label of its send button */
    belfry_string icon_name;   /* of the icon theme; may be empty */
    belfry_string placeholder; /* in the empty text field of a reply; may be empty */
} belfry_action;

/* An unknown kind is interpreted as BELFRY_SOUND_DEFAULT. */
typedef uint32_t belfry_sound_kind;
#define BELFRY_SOUND_DEFAULT 0u    /* the server's default */
#define BELFRY_SOUND_NAME 1u       /* `sound` is a name of the sound theme, such as `message-new-instant` */
#define BELFRY_SOUND_FILE 2u       /* `sound` is an absolute path */
#define BELFRY_SOUND_SUPPRESSED 3u /* no sound */

/* A hint of an unknown type isn't sent and is reported as lost. */
typedef uint32_t belfry_hint_type;
#define BELFRY_HINT_STRING 0u  /* `string` */
#define BELFRY_HINT_BOOLEAN 1u /* `integer`, 0 or not */
#define BELFRY_HINT_BYTE 2u    /* `integer`, 0 to 255 */
#define BELFRY_HINT_INT32 3u   /* `integer` */
#define BELFRY_HINT_UINT32 4u  /* `integer` */
#define BELFRY_HINT_INT64 5u   /* `integer` */
#define BELFRY_HINT_DOUBLE 6u  /* `real` */

typedef struct belfry_hint {
    uint32_t struct_size;
    belfry_hint_type type;
    belfry_string key;
    belfry_string string;
    int64_t integer;
    double real;
} belfry_hint;

/* 8 bits per sample, RGB or RGBA, not premultiplied, the top row first. */
#define BELFRY_PIXELS_HAVE_ALPHA (1u << 0)
typedef struct belfry_pixels {
    uint32_t struct_size;
    uint32_t flags;
    uint32_t width;      /* pixels, 1 or more */
    uint32_t height;     /* pixels, 1 or more */
    uint32_t row_stride; /* bytes from one row to the next, width × 3 or 4 at least */
    uint32_t reserved;   /* 0 */
    const uint8_t *bytes;
    size_t length; /* row_stride × (height - 1) + width × 3 or 4 at least: the last row may lack its padding */
} belfry_pixels;

#define BELFRY_NOTICE_BODY_IS_MARKUP (1u << 0)    /* body is the markup described at `body`; else plain text */
#define BELFRY_NOTICE_TRANSIENT (1u << 1)         /* not kept in a notification history */
#define BELFRY_NOTICE_RESIDENT (1u << 2)          /* stays when an action is invoked */
#define BELFRY_NOTICE_POSSIBLY_REPEATED (1u << 3) /* may have been shown before, just before a crash */
#define BELFRY_NOTICE_HAS_PROGRESS (1u << 4)      /* `progress` is set */

#define BELFRY_EXPIRE_DEFAULT (-1) /* the server's default */
#define BELFRY_EXPIRE_NEVER 0

typedef struct belfry_notice {
    uint32_t struct_size;
    uint32_t flags;                   /* BELFRY_NOTICE_… */
    belfry_string request_identifier; /* comes back in events */
    belfry_string app_name;           /* empty: as in belfry_start_options */
    belfry_string desktop_entry;      /* without `.desktop`; empty: as in belfry_start_options */
    belfry_string title;              /* plain text; at least one of title, subtitle and body isn't empty */
    belfry_string subtitle;           /* plain text; a server without subtitles gets it as the first line of the body */
    /*
     * Plain text: the plug-in escapes it if the server interprets markup. With BELFRY_NOTICE_BODY_IS_MARKUP: the
     * elements b, i, u and a (with href alone), nested properly; the entities amp, lt, gt, quot and apos and numeric
     * references; line breaks as newlines. The host has removed everything else.
     */
    belfry_string body;
    belfry_string icon;       /* name in the icon theme, or absolute path; may be empty */
    belfry_string image_path; /* absolute path, file: address or name in the icon theme; may be empty */
    const belfry_pixels *image_pixels; /* or NULL; takes precedence over image_path */
    belfry_sound_kind sound_kind;
    belfry_level level;
    belfry_string sound;
    belfry_string category;          /* of the freedesktop specification, such as `im.received`; may be empty */
    belfry_string thread_identifier; /* groups related notices; may be empty */
    const belfry_action *const *actions;
    size_t action_count;
    double progress;                /* 0 to 1, with BELFRY_NOTICE_HAS_PROGRESS */
    int32_t expire_after_ms;        /* or BELFRY_EXPIRE_DEFAULT, BELFRY_EXPIRE_NEVER; other negatives as the default */
    uint32_t reserved;              /* 0 */
    const belfry_receipt *replaces; /* the notice that this one replaces, or NULL */
    const belfry_hint *const *hints; /* passed on unchanged; the fields above take precedence */
    size_t hint_count;
} belfry_notice;

/* ---- What comes back ------------------------------------------------------------------------------------------- */

#define BELFRY_RESULT_REPLACED (1u << 0) /* of a delivery: it replaced the notice in `replaces` */
typedef struct belfry_result {
    uint32_t struct_size;
    belfry_status status;
    belfry_string message; /* unless OK: a full sentence that names the bad value or what is missing */
    uint32_t flags;        /* BELFRY_RESULT_… */
    uint32_t reserved;     /* 0 */
    const belfry_receipt *receipt; /* of a delivery that is OK; else NULL */
    const belfry_server *server;   /* of capabilities that are OK; else NULL */
    const belfry_loss *const *lost; /* of a delivery that is OK */
    size_t lost_count;
} belfry_result;

/* A reader skips events of a kind that it doesn't know. */
typedef uint32_t belfry_event_kind;
#define BELFRY_EVENT_ACTION 1u         /* receipt, request_identifier, action_identifier, activation_token */
#define BELFRY_EVENT_REPLY 2u          /* the same, and text */
#define BELFRY_EVENT_CLOSED 3u         /* receipt, request_identifier, close_reason, raw_close_reason */
#define BELFRY_EVENT_SERVER_GONE 4u    /* status (NO_SERVER, NO_BUS), text; receipts are void, no CLOSED comes */
#define BELFRY_EVENT_SERVER_CHANGED 5u /* server: it started, came back, or was replaced by another */
#define BELFRY_EVENT_LOG 6u            /* log_level, text */

/* An unknown reason is interpreted as BELFRY_CLOSED_UNDEFINED. */
typedef uint32_t belfry_close_reason;
#define BELFRY_CLOSED_UNDEFINED 0u
#define BELFRY_CLOSED_EXPIRED 1u
#define BELFRY_CLOSED_DISMISSED 2u /* by the user */
#define BELFRY_CLOSED_WITHDRAWN 3u /* by withdraw, or by another program's request */

typedef uint32_t belfry_log_level;
#define BELFRY_LOG_DEBUG 0u
#define BELFRY_LOG_INFO 1u
#define BELFRY_LOG_WARNING 2u
#define BELFRY_LOG_ERROR 3u

/*
 * An action and the closing that often follows it are two events, in the server's order. Servers differ in whether the
 * second comes. The plug-in passes on the events it gets and leaves their interpretation to the host.
 */
typedef struct belfry_event {
    uint32_t struct_size;
    belfry_event_kind kind;
    const belfry_receipt *receipt;
    belfry_string request_identifier; /* of the notice as it was delivered last under this receipt; may be empty */
    belfry_string action_identifier;
    belfry_string activation_token; /* XDG activation token or X11 startup id; may be empty */
    belfry_string text;
    belfry_close_reason close_reason;
    uint32_t raw_close_reason; /* the server's own number */
    const belfry_server *server;
    belfry_status status;
    belfry_log_level log_level;
} belfry_event;

/* ---- The host -------------------------------------------------------------------------------------------------- */

typedef struct belfry_host {
    uint32_t struct_size;
    uint32_t abi_minor; /* of the host: BELFRY_PLUGIN_ABI_MINOR of its header */
    void *context;      /* the host's; passed back with each callback */
    void (*complete)(void *context, uint64_t token, const belfry_result *result);
    void (*event)(void *context, const belfry_event *event);
} belfry_host;

/* A setting of this plug-in alone: see 8. Unknown keys are ignored and logged. */
typedef struct belfry_setting {
    uint32_t struct_size;
    uint32_t reserved; /* 0 */
    belfry_string key;
    belfry_string value;
} belfry_setting;

typedef struct belfry_start_options {
    uint32_t struct_size;
    uint32_t flags;               /* none defined; 0 */
    belfry_string app_name;       /* for the user; not empty */
    belfry_string desktop_entry;  /* application identifier, without `.desktop`; may be empty */
    uint32_t call_timeout_ms;     /* timeout for each call; 0: the plug-in's default, which is 4000 or less */
    uint32_t stop_timeout_ms;     /* timeout for stop; 0: the plug-in's default, which is 2000 or less */
    const belfry_setting *const *settings;
    size_t setting_count;
} belfry_start_options;

/* ---- The plug-in ----------------------------------------------------------------------------------------------- */

/* One running plug-in. Opaque to the host, which only passes it back. */
typedef struct belfry_plugin_instance belfry_plugin_instance;

/* A second start in one process is refused with BELFRY_STATUS_BUSY until the first instance has been stopped. */
#define BELFRY_PLUGIN_ONE_INSTANCE (1u << 0)

typedef struct belfry_plugin_descriptor {
    uint32_t struct_size;
    uint32_t abi_major; /* BELFRY_PLUGIN_ABI_MAJOR of the header that the plug-in was compiled with */
    uint32_t abi_minor;
    uint32_t flags;           /* BELFRY_PLUGIN_… */
    belfry_string name;       /* short, for the command line and for messages: `libnotify` */
    belfry_string version;
    belfry_string summary;    /* one line for the user */

    /*
     * Makes an instance, and its thread if it needs one, and sets *instance. On failure *instance stays NULL, and one
     * BELFRY_EVENT_LOG before the return may explain it; no callback follows. Doesn't wait for anything outside. The
     * plug-in may send events from its return at the latest.
     */
    belfry_status (*start)(
        const belfry_host *host, const belfry_start_options *options, belfry_plugin_instance **instance);

    /* Asks for the server's identity and capabilities. Completes with result.server. */
    void (*capabilities)(belfry_plugin_instance *instance, uint64_t token);

    /* Shows a notice. Completes with result.receipt and result.lost when the server has accepted it. */
    void (*deliver)(belfry_plugin_instance *instance, uint64_t token, const belfry_notice *notice);

    /*
     * Removes a notice from the screen. Also OK if the notice is already gone. BELFRY_EVENT_CLOSED may come for it,
     * before or after the completion.
     */
    void (*withdraw)(belfry_plugin_instance *instance, uint64_t token, const belfry_receipt *receipt);

    /* Ends the instance: see 3. */
    void (*stop)(belfry_plugin_instance *instance);

    /* Frees the instance: see 1. */
    void (*destroy)(belfry_plugin_instance *instance);
} belfry_plugin_descriptor;

/*
 * The only symbol that a plug-in's file exports. `host_abi_major` is BELFRY_PLUGIN_ABI_MAJOR of the host. Returns the
 * descriptor, or NULL when the plug-in can't serve that version. Does nothing else: no I/O, no thread.
 */
typedef const belfry_plugin_descriptor *(*belfry_plugin_entry_function)(uint32_t host_abi_major);
BELFRY_PLUGIN_EXPORT const belfry_plugin_descriptor *belfry_plugin_entry(uint32_t host_abi_major);

/* ---- Layout ---------------------------------------------------------------------------------------------------- */

#if defined(__cplusplus)
#define BELFRY_LAYOUT(condition) static_assert(condition, #condition)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define BELFRY_LAYOUT(condition) _Static_assert(condition, #condition)
#else /* C99: an array of -1 elements where it doesn't hold */
#define BELFRY_LAYOUT_NAME(line) belfry_layout_of_line_##line
#define BELFRY_LAYOUT_TYPE(condition, line) typedef char BELFRY_LAYOUT_NAME(line)[(condition) ? 1 : -1]
#define BELFRY_LAYOUT(condition) BELFRY_LAYOUT_TYPE(condition, __LINE__)
#endif

/*
 * Version 1.0 on 64-bit machines. A later minor version may enlarge a struct, and moves nothing. Belfry's own tests
 * check the offset of each field; these checks are for every compiler.
 */
#if UINTPTR_MAX == UINT64_MAX
BELFRY_LAYOUT(sizeof(belfry_string) == 16);
BELFRY_LAYOUT(sizeof(belfry_loss) >= 24 && offsetof(belfry_loss, detail) == 8);
BELFRY_LAYOUT(sizeof(belfry_receipt) >= 32 && offsetof(belfry_receipt, server_instance) == 16);
BELFRY_LAYOUT(sizeof(belfry_server) >= 128 && offsetof(belfry_server, features) == 88);
BELFRY_LAYOUT(offsetof(belfry_server, reserved) == 124);
BELFRY_LAYOUT(sizeof(belfry_action) >= 72 && offsetof(belfry_action, placeholder) == 56);
BELFRY_LAYOUT(sizeof(belfry_hint) >= 56 && offsetof(belfry_hint, real) == 48);
BELFRY_LAYOUT(sizeof(belfry_pixels) >= 40 && offsetof(belfry_pixels, length) == 32);
BELFRY_LAYOUT(sizeof(belfry_notice) >= 256 && offsetof(belfry_notice, image_pixels) == 136);
BELFRY_LAYOUT(offsetof(belfry_notice, actions) == 200 && offsetof(belfry_notice, hint_count) == 248);
BELFRY_LAYOUT(sizeof(belfry_result) >= 64 && offsetof(belfry_result, lost_count) == 56);
BELFRY_LAYOUT(sizeof(belfry_event) >= 104 && offsetof(belfry_event, log_level) == 100);
BELFRY_LAYOUT(sizeof(belfry_host) >= 32 && offsetof(belfry_host, event) == 24);
BELFRY_LAYOUT(sizeof(belfry_setting) >= 40 && offsetof(belfry_setting, value) == 24);
BELFRY_LAYOUT(sizeof(belfry_start_options) >= 64 && offsetof(belfry_start_options, setting_count) == 56);
BELFRY_LAYOUT(sizeof(belfry_plugin_descriptor) >= 112 && offsetof(belfry_plugin_descriptor, destroy) == 104);
#endif

#ifdef __cplusplus
}
#endif

#endif
