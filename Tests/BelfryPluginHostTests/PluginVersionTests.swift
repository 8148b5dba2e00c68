import Belfry
import BelfryPluginHost
import BelfryTestSupport
import Foundation
import Testing

/// Plug-ins compiled against other versions of the header: an older one, whose structs end earlier, and a newer one,
/// whose structs have more at their end.
@Suite(
    "A plug-in's header may be older or newer",
    .takesTurns,
    .enabled(if: PluginFolder.isPossible, "\(PluginFolder.reason)")
)
struct PluginVersionTests {
    /// Answers with the title as a loss, which reads from the notice and writes a list.
    private static let source = """
        #include <string.h>
        #include "belfry_plugin.h"
        #define TEXT(literal) {literal, sizeof(literal) - 1}
        struct belfry_plugin_instance { belfry_host host; };
        static belfry_plugin_instance only;
        static belfry_status start(const belfry_host *host, const belfry_start_options *options, belfry_plugin_instance **made) {
            (void)options;
            memset(&only, 0, sizeof only);
            memcpy(&only.host, host, host->struct_size < sizeof only.host ? host->struct_size : sizeof only.host);
            *made = &only;
            return BELFRY_STATUS_OK;
        }
        static void capabilities(belfry_plugin_instance *self, uint64_t token) {
            belfry_server server;
            memset(&server, 0xFF, sizeof server); /* what the host doesn't know, it must not read */
            memset(&server, 0, offsetof(belfry_server, body_limit) + 4);
            server.struct_size = sizeof server;
            server.name = (belfry_string)TEXT("Other");
            server.features = BELFRY_FEATURE_BODY;
            server.title_limit = 9;
            belfry_result result;
            memset(&result, 0, sizeof result);
            result.struct_size = sizeof result;
            result.server = &server;
            self->host.complete(self->host.context, token, &result);
        }
        static void deliver(belfry_plugin_instance *self, uint64_t token, const belfry_notice *notice) {
            belfry_receipt receipt;
            memset(&receipt, 0, sizeof receipt);
            receipt.struct_size = sizeof receipt;
            receipt.server_id = notice->struct_size == sizeof *notice ? 1 : notice->struct_size > sizeof *notice ? 2 : 3;
            receipt.server_instance = notice->title;
            belfry_result result;
            memset(&result, 0, sizeof result);
            result.struct_size = sizeof result;
            result.receipt = &receipt;
            self->host.complete(self->host.context, token, &result);
        }
        static void withdraw(belfry_plugin_instance *self, uint64_t token, const belfry_receipt *receipt) {
            (void)receipt;
            belfry_result result;
            memset(&result, 0, sizeof result);
            result.struct_size = sizeof result;
            self->host.complete(self->host.context, token, &result);
        }
        static void nothing(belfry_plugin_instance *self) { (void)self; }
        static const belfry_plugin_descriptor descriptor = {
            .struct_size = sizeof descriptor, .abi_major = BELFRY_PLUGIN_ABI_MAJOR, .abi_minor = BELFRY_PLUGIN_ABI_MINOR,
            .name = TEXT("other"), .start = start, .capabilities = capabilities, .deliver = deliver, .withdraw = withdraw,
            .stop = nothing, .destroy = nothing};
        const belfry_plugin_descriptor *belfry_plugin_entry(uint32_t major) {
            return major == BELFRY_PLUGIN_ABI_MAJOR ? &descriptor : 0;
        }
        """

    /// Every struct but belfry_string gets more at its end, as a later minor version may do.
    private static func newer(_ header: String) -> String {
        header.replacing(/\n} (belfry_(?!string)\w+);/) { "\n    uint64_t of_a_later_version[5];\n} \($0.output.1);" }
            .replacing("#define BELFRY_PLUGIN_ABI_MINOR 0u", with: "#define BELFRY_PLUGIN_ABI_MINOR 1u")
    }

    /// The last fields of some structs are not there yet, and nothing is said of the layout.
    private static func older(_ header: String) -> String {
        var header = header
        for field in [
            "size_t hint_count;", "const belfry_hint *const *hints;", "size_t lost_count;",
            "const belfry_loss *const *lost;",
        ] {
            if let place = header.range(of: "    " + field) { header.replaceSubrange(place, with: "    ") }
        }
        return header.replacing(/BELFRY_LAYOUT\(.*\);\n/, with: "")
    }

    @Test("It is loaded and understood all the same", arguments: ["older", "newer"])
    func otherHeaders(_ version: String) async throws {
        let folder = try PluginFolder()
        let header = try String(contentsOfFile: PluginFolder.header + "/belfry_plugin.h", encoding: .utf8)
        let other = version == "older" ? Self.older(header) : Self.newer(header)
        #expect(other != header)
        let include = folder.path + "/include"
        try FileManager.default.createDirectory(atPath: include, withIntermediateDirectories: false)
        try other.write(toFile: include + "/belfry_plugin.h", atomically: false, encoding: .utf8)
        let file = try folder.compile(version, source: Self.source, header: include)
        let backend = try PluginBackend(loading: file, for: AppIdentity(id: "org.example.Stage"))
        let run = Task { try await backend.run { _ in } }
        let known = try await backend.capabilities()
        #expect(known.server == "Other" && known.titleLimit == 9)
        let receipt = try await backend.deliver(delivery("a title"))
        // The plug-in has seen a notice that is longer (2) or shorter (3) than its own.
        #expect(receipt.handle == (version == "older" ? "2" : "3"))
        #expect(receipt.server == "a title" && receipt.lost.isEmpty)
        try await backend.withdraw(receipt)
        run.cancel()
        try await run.value
    }

    @Test("A link that is swapped while it is loaded never brings in what it must not")
    func swappedLink() async throws {
        let folder = try PluginFolder()
        let mark = folder.path + "/mark"
        let good = try folder.compile("good", flags: ["-DMISBEHAVING_PLUGIN_NAME=\"good\""])
        let bad = try folder.compile(
            "bad",
            flags: ["-DMISBEHAVING_PLUGIN_NAME=\"bad\"", "-DMISBEHAVING_PLUGIN_MARK=\"\(mark)\""]
        )
        #expect(chmod(bad, 0o777) == 0)
        let link = folder.path + "/link.so"
        let swapper = Thread {
            while !Thread.current.isCancelled {
                for target in [bad, good] {
                    let next = link + ".next"
                    symlink(target, next)
                    rename(next, link)
                }
            }
        }
        #expect(symlink(good, link) == 0)
        swapper.start()
        defer { swapper.cancel() }
        var loaded = 0
        var refused = 0
        // Each one that is loaded stays so, with its descriptor: not too many.
        for _ in 0..<2000 where loaded < 40 || refused < 40 {
            do {
                let backend = try PluginBackend(loading: link, for: AppIdentity(id: "org.example.Stage"))
                #expect(backend.name == "good")
                loaded += 1
            } catch {
                #expect(error.code == .pluginRefused)
                refused += 1
            }
            if loaded >= 200 { break }
        }
        #expect(loaded > 0)
        #expect(!FileManager.default.fileExists(atPath: mark), "Code of the refused file has run")
    }
}
