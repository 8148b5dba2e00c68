import ArgumentParser
import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

/// `--backend plugin:PATH` with a plug-in that is compiled for the test.
@Suite(
    "Settings and texts of plug-ins on the command line",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: PluginFolder.isPossible, "\(PluginFolder.reason)")
)
struct PluginSettingsTests {
    /// Starts only to say its settings, the last one first, with a text that a terminal would obey behind them.
    private static let complaining = #"""
        #include "belfry_plugin.h"
        #include <stdio.h>
        #include <string.h>
        static belfry_status start(const belfry_host *host, const belfry_start_options *options,
                                   belfry_plugin_instance **instance) {
            char text[512] = "";
            for (size_t index = options->setting_count; index > 0; index--) {
                const belfry_setting *setting = options->settings[index - 1];
                size_t used = strlen(text);
                snprintf(text + used, sizeof text - used, "[%.*s is %.*s]", (int)setting->key.length, setting->key.bytes,
                         (int)setting->value.length, setting->value.bytes);
            }
            strcat(text, " \x1b[2J\a\xc2\x9b" "1m");
            belfry_event event = {.struct_size = sizeof event, .kind = BELFRY_EVENT_LOG, .text = {text, strlen(text)},
                                  .log_level = BELFRY_LOG_ERROR};
            host->event(host->context, &event);
            *instance = NULL;
            return BELFRY_STATUS_FAILED;
        }
        static void call(belfry_plugin_instance *instance, uint64_t token) {}
        static void deliver(belfry_plugin_instance *instance, uint64_t token, const belfry_notice *notice) {}
        static void withdraw(belfry_plugin_instance *instance, uint64_t token, const belfry_receipt *receipt) {}
        static void end(belfry_plugin_instance *instance) {}
        static const belfry_plugin_descriptor descriptor = {
            .struct_size = sizeof descriptor, .abi_major = BELFRY_PLUGIN_ABI_MAJOR, .abi_minor = BELFRY_PLUGIN_ABI_MINOR,
            .name = {"complaining", 11}, .version = {"1", 1}, .summary = {"complains", 9}, .start = start,
            .capabilities = call, .deliver = deliver, .withdraw = withdraw, .stop = end, .destroy = end};
        BELFRY_PLUGIN_EXPORT const belfry_plugin_descriptor *belfry_plugin_entry(uint32_t major) { return &descriptor; }
        """#

    @Test("Settings reach it, and what it says is cleaned before a terminal sees it")
    func settingsAndTexts() async throws {
        let folder = try PluginFolder()
        let path = try folder.compile("complaining", source: Self.complaining)
        let options = ["--backend-option", "colour=blue", "--backend-option", "empty="]
        let outcome = try await BuiltProgram.run(["send", "T", "--backend", "plugin:\(path)"] + options)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("[colour is blue]") && outcome.errors.contains("[empty is ]"))
        let told = outcome.output + outcome.errors
        #expect(!told.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" }, "\(told)")
    }

    @Test("A name with the ending of a file is not given a second one")
    func names() async throws {
        let folder = try PluginFolder()
        _ = try folder.compile("complaining", source: Self.complaining)
        var environment = BuiltProgram.environment
        environment["BELFRY_PLUGIN_PATH"] = folder.path
        for name in ["complaining", "complaining.so"] {
            let outcome = try await BuiltProgram.run(
                ["send", "T", "--backend", "plugin:\(name)"],
                environment: environment
            )
            #expect(outcome.errors.contains("could not be started"), "\(outcome.errors)")
        }
    }

    @Test("A setting is KEY=VALUE, given once, and belongs to a plug-in")
    func settings() throws {
        func name(_ arguments: [String]) throws -> BackendName { try BackendOptions.parse(arguments).name() }
        let plugin = ["--backend", "plugin:mine"]
        #expect(
            try name(plugin + ["--backend-option", "a=b=c", "--backend-option", "d="])
                == .plugin("mine", settings: ["a": "b=c", "d": ""])
        )
        for bad in [
            ["--backend-option", "a=b"], plugin + ["--backend-option", "a"], plugin + ["--backend-option", "=b"],
            plugin + ["--backend-option", "a=1", "--backend-option", "a=2"],
        ] {
            let failure = #expect(throws: NoticeError.self, "\(bad)") { try name(bad) }
            #expect(failure?.status == .usage)
        }
    }

    @Test("Everything that is printed is made printable, for eyes and for programs")
    func output() throws {
        let text = "a\u{1B}[2J\u{7}\u{9B}1m\nb ü\u{202E}"
        let eyes = try CapturedOutput()
        try eyes.output.line(text)
        try eyes.output.plain(text)
        eyes.output.note(text)
        #expect(try eyes.lines == Array(repeating: "a\u{FFFD}[2J\u{FFFD}\u{FFFD}1m b ü\u{FFFD}", count: 2))
        #expect(try eyes.noteLines.count == 1)
        let programs = try CapturedOutput(json: true)
        try programs.output.object(["text": text])
        #expect(try programs.lines == [#"{"text":"a\u001b[2J\u0007\u009b1m\nb ü\#u{202E}"}"#])
    }
}
