/*
 * Tries Plugins/CExample as a host would, from its file: scenarios PLUGIN FOLDER NAME. The host that records what comes back is
 * Tests/PluginContract/host.c.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"

#define TEXT(literal) ((belfry_string){literal, sizeof(literal) - 1})

static const belfry_plugin_descriptor *plugin;
static belfry_plugin_instance *running;
static char file[512], pipe_path[600];

/* ---- A disk that hangs, or fills: what the plug-in writes to its file goes through here ------------------------- */

static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t disk_changed = PTHREAD_COND_INITIALIZER;
static bool disk_hangs, disk_is_waited_for, disk_is_full;

ssize_t write(int descriptor, const void *bytes, size_t length) {
    if (length > 20 && memcmp(bytes, "{\"notice\":", 10) == 0) {
        pthread_mutex_lock(&disk);
        disk_is_waited_for = true;
        pthread_cond_broadcast(&disk_changed);
        while (disk_hangs) pthread_cond_wait(&disk_changed, &disk);
        disk_is_waited_for = false;
        if (disk_is_full) length /= 2;
        pthread_mutex_unlock(&disk);
    }
    return syscall(SYS_write, descriptor, bytes, length);
}

static void set_disk(bool hangs, bool full) {
    pthread_mutex_lock(&disk);
    disk_hangs = hangs;
    disk_is_full = full;
    pthread_cond_broadcast(&disk_changed);
    pthread_mutex_unlock(&disk);
}

static void wait_for_hanging_disk(void) {
    pthread_mutex_lock(&disk);
    while (!disk_is_waited_for) pthread_cond_wait(&disk_changed, &disk);
    pthread_mutex_unlock(&disk);
}

/* ---- Short forms ----------------------------------------------------------------------------------------------- */

static belfry_status start_with(const char *path, uint32_t call_ms, uint32_t stop_ms) {
    belfry_setting setting = {.struct_size = sizeof setting, .key = TEXT("file"), .value = {path, strlen(path)}};
    const belfry_setting *settings[] = {&setting};
    belfry_start_options options = {
        .struct_size = sizeof options, .app_name = TEXT("Test"), .call_timeout_ms = call_ms, .stop_timeout_ms = stop_ms,
        .settings = settings, .setting_count = 1};
    return plugin->start(&recording_host, &options, &running);
}

static void end(void) {
    plugin->stop(running);
    plugin->destroy(running);
    running = NULL;
}

static outcome deliver(const belfry_notice *notice) {
    uint64_t token = new_token();
    plugin->deliver(running, token, notice);
    return wait_for_outcome(token, LIMIT, NULL);
}

static outcome withdraw(uint64_t id, const char *instance) {
    belfry_receipt receipt = {
        .struct_size = sizeof receipt, .server_id = id, .server_instance = {instance, strlen(instance)}};
    uint64_t token = new_token();
    plugin->withdraw(running, token, &receipt);
    return wait_for_outcome(token, LIMIT, NULL);
}

static belfry_notice plain(const char *title) {
    return (belfry_notice){
        .struct_size = sizeof(belfry_notice), .request_identifier = TEXT("tea"), .title = {title, strlen(title)},
        .expire_after_ms = BELFRY_EXPIRE_DEFAULT};
}

static const char *contents(void) {
    static char text[1 << 20];
    int input = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t length = input < 0 ? 0 : read(input, text, sizeof text - 1);
    if (input >= 0) close(input);
    text[length < 0 ? 0 : length] = '\0';
    return text;
}

static unsigned count_of(const char *part) {
    unsigned count = 0;
    for (const char *at = contents(); (at = strstr(at, part)) != NULL; at++) count++;
    return count;
}

static void say(const char *line) {
    int output = open(pipe_path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    CHECK(output >= 0);
    CHECK(write(output, line, strlen(line)) == (ssize_t)strlen(line));
    close(output);
}

static outcome capabilities(void) {
    uint64_t token = new_token();
    plugin->capabilities(running, token);
    return wait_for_outcome(token, LIMIT, NULL);
}

/* ---- Scenarios ------------------------------------------------------------------------------------------------- */

static void whole(void) {
    CHECK(start_with(file, 0, 0) == BELFRY_STATUS_OK);
    outcome known = capabilities();
    CHECK(known.status == BELFRY_STATUS_OK && known.features & BELFRY_FEATURE_ACTIONS && known.features & BELFRY_FEATURE_CLOSE_EVENTS);
    CHECK_TEXT(known.server_name, "JSON lines");

    static char title[200], body[8000];
    memset(title, 'x', sizeof title);
    for (size_t i = 0; i + 1 < sizeof body; i += 2) memcpy(body + i, "\xC3\xA4", 2); /* ä, two bytes */
    belfry_action action = {.struct_size = sizeof action, .identifier = TEXT("yes"),
                            .title = TEXT("Yes \"now\"\\"), .icon_name = TEXT("ok")};
    const belfry_action *actions[] = {&action};
    uint8_t pixel[4] = {1, 2, 3, 4};
    belfry_pixels pixels = {.struct_size = sizeof pixels, .flags = BELFRY_PIXELS_HAVE_ALPHA, .width = 1, .height = 1,
                            .row_stride = 4, .bytes = pixel, .length = 4};
    belfry_hint hint = {.struct_size = sizeof hint, .key = TEXT("x"), .integer = 1, .type = BELFRY_HINT_INT32};
    const belfry_hint *hints[] = {&hint};
    belfry_notice notice = plain("");
    notice.title = (belfry_string){title, sizeof title};
    notice.body = (belfry_string){body, sizeof body};
    notice.subtitle = TEXT("a\n\tb");
    notice.flags = BELFRY_NOTICE_HAS_PROGRESS | BELFRY_NOTICE_POSSIBLY_REPEATED;
    notice.progress = 0.5;
    notice.actions = actions;
    notice.action_count = 1;
    notice.image_pixels = &pixels;
    notice.expire_after_ms = 100;
    notice.hints = hints;
    notice.hint_count = 1;
    outcome shown = deliver(&notice);
    CHECK(shown.status == BELFRY_STATUS_OK && shown.server_id == 1);
    CHECK(shown.lost_mask ==
          (1u << BELFRY_LOST_ACTION_ICON | 1u << BELFRY_LOST_IMAGE | 1u << BELFRY_LOST_EXPIRY |
           1u << BELFRY_LOST_HINT));
    CHECK_IN(contents(), "\"subtitle\":\"a\\n\\u0009b\"");
    CHECK_IN(contents(), "\xC3\xA4\xC3\xA4\",\"level\"");
    CHECK_IN(contents(), "\"action\":{\"id\":\"yes\",\"title\":\"Yes \\\"now\\\"\\\\\"}");
    CHECK_IN(contents(), "\"percent\":50,\"repeated\":true");
    end();
}

static void answers(void) {
    CHECK(start_with(file, 0, 0) == BELFRY_STATUS_OK);
    belfry_action action = {.struct_size = sizeof action, .identifier = TEXT("more"), .title = TEXT("More")};
    const belfry_action *actions[] = {&action};
    belfry_notice notice = plain("Answer me");
    notice.actions = actions;
    notice.action_count = 1;
    outcome first = deliver(&notice), second = deliver(&notice);
    CHECK(first.server_id == 1 && second.server_id == 2);
    struct stat status;
    CHECK(stat(pipe_path, &status) == 0 && S_ISFIFO(status.st_mode) && (status.st_mode & 0777) == 0600);
    say("  answer 2\n");
    seen_event answer = wait_for_event(BELFRY_EVENT_ACTION, LIMIT);
    CHECK(answer.server_id == 2);
    CHECK_TEXT(answer.action, "more");
    CHECK_TEXT(answer.request, "tea");
    CHECK_TEXT(answer.server_instance, second.server_instance);
    CHECK(wait_for_event(BELFRY_EVENT_CLOSED, LIMIT).server_id == 2);
    say("dismiss 1\n");
    seen_event closed = wait_for_event(BELFRY_EVENT_CLOSED, LIMIT);
    CHECK(closed.server_id == 1 && closed.reason == BELFRY_CLOSED_DISMISSED);
    CHECK(!has_event(BELFRY_EVENT_ACTION));
    const char *wrong[] = {"answer 2\n", "answer\n", "answer -1\n", "dance 1\n", "answer 1 2\n", "dismiss 99999999999999999999999\n",
                           "answer 0000000000000000000000000000000000000000000000000000000000000000000000000000000002\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        say(wrong[i]);
        wait_for_event(BELFRY_EVENT_LOG, LIMIT);
    }
    CHECK(count_of("\"answered\"") == 1 && count_of("\"dismissed\"") == 1);
    /* A second program with the same file: it writes, and says that it can't be answered. */
    belfry_plugin_instance *owner = running;
    CHECK(start_with(file, 0, 0) == BELFRY_STATUS_OK);
    CHECK_IN(wait_for_event(BELFRY_EVENT_LOG, LIMIT).text, "another program");
    CHECK(!(capabilities().features & (BELFRY_FEATURE_ACTIONS | BELFRY_FEATURE_CLOSE_EVENTS)));
    CHECK(deliver(&notice).status == BELFRY_STATUS_OK);
    end();
    running = owner;
    CHECK(stat(pipe_path, &status) == 0);
    end();
    CHECK(stat(pipe_path, &status) != 0); /* nobody writes into the void */
}

/* A line may come in parts, or be too long; neither disturbs the lines that follow. */
static void parts_of_lines(void) {
    CHECK(start_with(file, 0, 0) == BELFRY_STATUS_OK);
    belfry_notice notice = plain("In parts");
    CHECK(deliver(&notice).server_id == 1 && deliver(&notice).server_id == 2);
    char endless[1000];
    memset(endless, ' ', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    say("dismiss 1");
    say(endless);
    say("dismiss 1\n\r \n\ndism");
    CHECK_IN(wait_for_event(BELFRY_EVENT_LOG, LIMIT).text, "can't be read");
    say("iss 2\ndismiss 1\n");
    CHECK(wait_for_event(BELFRY_EVENT_CLOSED, LIMIT).server_id == 2);
    CHECK(wait_for_event(BELFRY_EVENT_CLOSED, LIMIT).server_id == 1);
    CHECK(!has_event(BELFRY_EVENT_LOG));
    end();
}

/* The newest thousand notices can be answered; an older one gets no response any more. */
static void too_old(void) {
    CHECK(start_with(file, 60000, 0) == BELFRY_STATUS_OK);
    belfry_notice notice = plain("One of many");
    outcome last = {0};
    for (int i = 0; i < 1001; i++) last = deliver(&notice);
    CHECK(last.server_id == 1001);
    say("dismiss 1\n");
    CHECK_IN(wait_for_event(BELFRY_EVENT_LOG, LIMIT).text, "no open notice 1.");
    say("answer 2\ndismiss 2\ndismiss 1001\n");
    CHECK_IN(wait_for_event(BELFRY_EVENT_LOG, LIMIT).text, "no open notice 2 with an action.");
    CHECK(wait_for_event(BELFRY_EVENT_CLOSED, LIMIT).server_id == 2);
    CHECK(wait_for_event(BELFRY_EVENT_CLOSED, LIMIT).server_id == 1001);
    CHECK(withdraw(1, last.server_instance).status == BELFRY_STATUS_OK);
    CHECK(count_of("\"withdrawn\"") == 0 && count_of("\"dismissed\"") == 2);
    end();
}

static belfry_status start_without_file(const belfry_setting *const *settings, size_t count) {
    belfry_start_options options = {
        .struct_size = sizeof options, .app_name = TEXT("Test"), .settings = settings, .setting_count = count};
    return plugin->start(&recording_host, &options, &running);
}

/* Without a setting the environment names the file. An unknown setting is logged and changes nothing. */
static void names_of_the_file(void) {
    char folder[400];
    snprintf(folder, sizeof folder, "%.399s", file);
    CHECK(mkdir(folder, 0700) == 0);
    snprintf(file, sizeof file, "%s/notices.jsonl", folder);
    belfry_notice notice = plain("Named by XDG_STATE_HOME");
    CHECK(unsetenv("BELFRY_JSON_LINES_FILE") == 0 && setenv("XDG_STATE_HOME", folder, 1) == 0);
    CHECK(start_without_file(NULL, 0) == BELFRY_STATUS_OK);
    CHECK(deliver(&notice).status == BELFRY_STATUS_OK);
    CHECK_IN(contents(), "Named by XDG_STATE_HOME");
    end();
    snprintf(file, sizeof file, "%s/other.jsonl", folder);
    CHECK(setenv("BELFRY_JSON_LINES_FILE", file, 1) == 0);
    belfry_setting wrong = {.struct_size = sizeof wrong, .key = TEXT("flie"), .value = TEXT("/nowhere")};
    belfry_setting short_one = {.struct_size = offsetof(belfry_setting, value), .key = TEXT("file")};
    const belfry_setting *settings[] = {&wrong, NULL, &short_one};
    CHECK(start_without_file(settings, 3) == BELFRY_STATUS_OK);
    CHECK_IN(wait_for_event(BELFRY_EVENT_LOG, LIMIT).text, "no setting \"flie\"");
    CHECK(deliver(&notice).status == BELFRY_STATUS_OK);
    CHECK(count_of("\"shown\"") == 1);
    end();
    CHECK(setenv("BELFRY_JSON_LINES_FILE", "", 1) == 0);
    CHECK(start_without_file(NULL, 0) == BELFRY_STATUS_INVALID && running == NULL);
    CHECK(unsetenv("BELFRY_JSON_LINES_FILE") == 0 && unsetenv("XDG_STATE_HOME") == 0);
}

static void replacing(void) {
    CHECK(start_with(file, 0, 0) == BELFRY_STATUS_OK);
    belfry_notice notice = plain("First");
    outcome first = deliver(&notice);
    belfry_receipt receipt = {.struct_size = sizeof receipt, .server_id = first.server_id,
                              .server_instance = {first.server_instance, strlen(first.server_instance)}};
    notice.replaces = &receipt;
    outcome second = deliver(&notice);
    CHECK(second.server_id == first.server_id && second.flags == BELFRY_RESULT_REPLACED && second.lost_mask == 0);
    CHECK(withdraw(first.server_id, first.server_instance).status == BELFRY_STATUS_OK);
    CHECK(wait_for_event(BELFRY_EVENT_CLOSED, LIMIT).reason == BELFRY_CLOSED_WITHDRAWN);
    CHECK(withdraw(first.server_id, first.server_instance).status == BELFRY_STATUS_OK);
    CHECK(withdraw(77, first.server_instance).status == BELFRY_STATUS_OK);
    outcome third = deliver(&notice);
    CHECK(third.server_id == 2 && third.flags == 0 && third.lost_mask == 1u << BELFRY_LOST_REPLACEMENT);
    receipt.server_id = 2;
    receipt.server_instance = TEXT("1-1.1");
    outcome fourth = deliver(&notice);
    CHECK(fourth.server_id == 3 && fourth.lost_mask == 1u << BELFRY_LOST_REPLACEMENT);
    CHECK(withdraw(2, "1-1.1").status == BELFRY_STATUS_OK);
    CHECK(count_of("\"withdrawn\"") == 1 && count_of("\"replaced\"") == 1 && count_of("\"shown\"") == 3);
    end();
}

static void other_versions(void) {
    CHECK(start_with(file, 0, 0) == BELFRY_STATUS_OK);
    belfry_notice older = plain("Older");
    older.struct_size = offsetof(belfry_notice, subtitle);
    older.body = TEXT("not there for a host of before");
    older.actions = (const belfry_action *const *)(uintptr_t)16;
    older.action_count = 3;
    CHECK(deliver(&older).status == BELFRY_STATUS_OK);
    CHECK(strstr(contents(), "not there") == NULL);
    struct {
        belfry_notice known;
        char more[256];
    } newer = {.known = plain("Newer")};
    memset(newer.more, 0xFF, sizeof newer.more);
    newer.known.struct_size = sizeof newer;
    CHECK(deliver(&newer.known).status == BELFRY_STATUS_OK);
    CHECK_IN(contents(), "\"title\":\"Newer\"");
    end();
    CHECK(start_with("relative.jsonl", 0, 0) == BELFRY_STATUS_INVALID && running == NULL);
    CHECK_IN(wait_for_event(BELFRY_EVENT_LOG, LIMIT).text, "absolute");
}

static void no_folder(void) {
    char missing[600];
    snprintf(missing, sizeof missing, "%s.folder/notices", file);
    CHECK(start_with(missing, 0, 0) == BELFRY_STATUS_OK);
    CHECK_IN(wait_for_event(BELFRY_EVENT_LOG, LIMIT).text, "No such file");
    belfry_notice notice = plain("Nowhere");
    outcome failed = deliver(&notice);
    CHECK(failed.status == BELFRY_STATUS_FAILED_FOR_NOW);
    CHECK_IN(failed.message, missing);
    snprintf(missing, sizeof missing, "%s.folder", file);
    CHECK(mkdir(missing, 0700) == 0);
    CHECK(deliver(&notice).status == BELFRY_STATUS_OK);
    end();
    /* Something else under the name of the file, or of the pipe. */
    CHECK(start_with(missing, 0, 0) == BELFRY_STATUS_OK);
    CHECK(deliver(&notice).status == BELFRY_STATUS_FAILED_FOR_NOW);
    end();
    CHECK(mkfifo(file, 0600) == 0);
    CHECK(start_with(file, 0, 0) == BELFRY_STATUS_OK);
    CHECK(deliver(&notice).status != BELFRY_STATUS_OK);
    end();
    CHECK(unlink(file) == 0);
}

static void bad_disk(void) {
    CHECK(start_with(file, 1000, 0) == BELFRY_STATUS_OK);
    belfry_notice notice = plain("Slow");
    uint64_t token = new_token();
    set_disk(true, false);
    plugin->deliver(running, token, &notice);
    wait_for_hanging_disk();
    uint64_t behind = new_token();
    plugin->deliver(running, behind, &notice);
    usleep(1200000); /* the plug-in's own limit, which is real time */
    set_disk(false, false);
    CHECK(wait_for_outcome(token, LIMIT, NULL).status == BELFRY_STATUS_TIMED_OUT);
    CHECK(wait_for_outcome(behind, LIMIT, NULL).status == BELFRY_STATUS_TIMED_OUT);
    CHECK(count_of("\"shown\"") == 1 && count_of("\"withdrawn\"") == 1);
    set_disk(false, true);
    CHECK(deliver(&notice).status == BELFRY_STATUS_FAILED_FOR_NOW);
    set_disk(false, false);
    notice = plain("Whole again");
    CHECK(deliver(&notice).status == BELFRY_STATUS_OK);
    CHECK_IN(strrchr(contents(), '{'), "Whole again"); /* no nested object in it: the last brace opens the line */
    CHECK(*(strrchr(contents(), '{') - 1) == '\n');
    end();
}

/* While the disk hangs, calls are queued up to a limit, and then refused for now. */
static void full_queue(void) {
    CHECK(start_with(file, 60000, 60000) == BELFRY_STATUS_OK);
    belfry_notice notice = plain("Waits");
    set_disk(true, false);
    uint64_t first = new_token(), refused = first;
    plugin->deliver(running, first, &notice);
    wait_for_hanging_disk();
    do plugin->capabilities(running, refused = new_token());
    while (completions_of(refused) == 0);
    outcome busy = wait_for_outcome(refused, LIMIT, NULL);
    CHECK(busy.status == BELFRY_STATUS_BUSY);
    CHECK_IN(busy.message, "too many calls");
    set_disk(false, false);
    CHECK(wait_for_outcome(refused - 1, LIMIT, NULL).status == BELFRY_STATUS_OK);
    CHECK(wait_for_outcome(first, LIMIT, NULL).status == BELFRY_STATUS_OK);
    CHECK(completions_of(refused) == 1 && deliver(&notice).status == BELFRY_STATUS_OK);
    end();
}

static void stuck_stop(void) {
    CHECK(start_with(file, 0, 300) == BELFRY_STATUS_OK);
    belfry_notice notice = plain("Stuck");
    uint64_t tokens[3];
    set_disk(true, false);
    for (int i = 0; i < 3; i++) plugin->deliver(running, tokens[i] = new_token(), &notice);
    wait_for_hanging_disk();
    int64_t begun = now_ms();
    plugin->stop(running);
    CHECK(now_ms() - begun < 2000);
    unsigned callbacks = callback_count();
    for (int i = 0; i < 3; i++) {
        CHECK(completions_of(tokens[i]) == 1);
        CHECK(wait_for_outcome(tokens[i], 0, NULL).status == BELFRY_STATUS_STOPPED);
    }
    plugin->destroy(running);
    set_disk(false, false);
    /* It comes loose and takes back what it wrote; the pipe goes last. */
    struct stat status;
    int64_t limit = now_ms() + LIMIT;
    while (stat(pipe_path, &status) == 0 && now_ms() < limit) usleep(1000);
    CHECK(stat(pipe_path, &status) != 0);
    CHECK(count_of("\"shown\"") == 1 && count_of("\"withdrawn\"") == 1);
    CHECK(callback_count() == callbacks);
}

static void *deliver_many(void *data) {
    (void)data;
    belfry_notice notice = plain("One of many");
    for (int i = 0; i < 500; i++) {
        outcome shown = deliver(&notice);
        CHECK(shown.status == BELFRY_STATUS_OK);
        if (i % 2 == 0) CHECK(withdraw(shown.server_id, shown.server_instance).status == BELFRY_STATUS_OK);
    }
    return NULL;
}

static void *ask_until_stopped(void *data) {
    bool *stopped = data;
    belfry_notice notice = plain("Until the end");
    while (!__atomic_load_n(stopped, __ATOMIC_SEQ_CST)) {
        plugin->deliver(running, new_token(), &notice);
        usleep(100);
    }
    return NULL;
}

static void many(void) {
    CHECK(start_with(file, 60000, 0) == BELFRY_STATUS_OK);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, deliver_many, NULL) == 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    CHECK(deliver(&(belfry_notice){.struct_size = sizeof(belfry_notice), .title = TEXT("x")}).server_id == 2001);
    /* Calls from several threads up to the very stop; the instance is destroyed when they have ended. */
    bool stopped = false;
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, ask_until_stopped, &stopped) == 0);
    usleep(20000);
    plugin->stop(running);
    unsigned callbacks = callback_count();
    __atomic_store_n(&stopped, true, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    CHECK(callback_count() == callbacks);
    plugin->destroy(running);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {{"whole", whole},
                 {"answers", answers},
                 {"parts-of-lines", parts_of_lines},
                 {"too-old", too_old},
                 {"names-of-the-file", names_of_the_file},
                 {"replacing", replacing},
                 {"other-versions", other_versions},
                 {"no-folder", no_folder},
                 {"bad-disk", bad_disk},
                 {"full-queue", full_queue},
                 {"stuck-stop", stuck_stop},
                 {"many", many}};

int main(int count, char **arguments) {
    if (count != 3) return 64;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail_test(__FILE__, __LINE__, "the plug-in can't be loaded", dlerror());
    belfry_plugin_entry_function entry;
    *(void **)&entry = dlsym(library, BELFRY_PLUGIN_ENTRY_SYMBOL);
    CHECK(entry != NULL && entry(BELFRY_PLUGIN_ABI_MAJOR + 1) == NULL);
    plugin = entry(BELFRY_PLUGIN_ABI_MAJOR);
    CHECK(plugin != NULL);
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        snprintf(file, sizeof file, "%s/%s", arguments[2], scenarios[i].name);
        snprintf(pipe_path, sizeof pipe_path, "%s.answers", file);
        forget_events();
        scenarios[i].run();
        printf("ok %s\n", scenarios[i].name);
    }
    return 0;
}
