import Belfry
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "An app in a sandbox: a process whose root folder, in a mount namespace of its own, has a .flatpak-info",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentSandboxTests {
    /// Runs its arguments after the first, the application's identifier, as flatpak would, as far as the agent can see.
    private static let sandbox = """
        set -e
        PATH=$PATH:/usr/sbin:/sbin
        app=$1
        shift
        mount -t tmpfs sandbox /mnt
        for entry in /*; do
            if [ -L "$entry" ]; then
                cp -P "$entry" "/mnt$entry"
            elif [ -d "$entry" ] && [ "$entry" != /mnt ]; then
                mkdir "/mnt$entry"
                mount --rbind "$entry" "/mnt$entry"
            fi
        done
        printf '[Application]\\nname=%s\\n' "$app" >/mnt/.flatpak-info
        mkdir /mnt/mnt /mnt/.old
        cd /mnt
        pivot_root . .old
        cd /
        umount -l /.old
        exec "$@"
        """

    private func tool(_ app: String) -> [String] {
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", Self.sandbox, "sandbox", app]
    }

    @Test(
        "it is recognised: no command, no path, no other identifier, nobody else's responses, no say in its permission"
    )
    func confined() async throws {
        let programs = try await Programs()
        do { try await programs.run(tool("org.example.Boxed") + ["true"]) } catch {
            try Test.cancel("a mount namespace needs root, and a kernel and container that allow it: \(error)")
        }
        for app in ["org.example.Tea", "org.example.Boxed"] { try await programs.belfry(["apps", "allow", app]) }
        // An answer to another app, which waits for that one.
        try await programs.app("ask", "nothing")
        let shown = try #require(await programs.server.call(titled: "Tea?"))
        programs.server.press(shown.id, "more")

        let tried = try await programs.app("try", "org.example.Boxed", "org.example.Tea", by: tool("org.example.Boxed"))
        let outcomes = Dictionary(
            uniqueKeysWithValues: tried.split(separator: "\n").map { line in
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                return (words[0], words.last ?? "")
            }
        )
        #expect(
            outcomes == [
                "own": "done", "named-icon": "done", "command": "accessDenied", "path": "accessDenied",
                "other": "accessDenied", "responses": "accessDenied", "permission": "accessDenied",
                "apps": "org.example.Boxed",
            ]
        )
        // The very same program, outside: what is refused is refused to the sandbox.
        let outside = try await programs.app("try", "org.example.Boxed", "org.example.Tea")
        #expect(outside.contains("other done") && outside.contains("responses taken"), "\(outside)")
        try await programs.killAgent()
    }

    @Test("an answer to another app is still that app's after a sandbox has asked for it")
    func responseKept() async throws {
        let programs = try await Programs()
        do { try await programs.run(tool("org.example.Boxed") + ["true"]) } catch {
            try Test.cancel("a mount namespace needs root, and a kernel and container that allow it: \(error)")
        }
        try await programs.belfry(["apps", "allow", "org.example.Tea"])
        try await programs.app("ask", "nothing")
        let shown = try #require(await programs.server.call(titled: "Tea?"))
        programs.server.press(shown.id, "more")
        #expect(
            try await programs.app("take", "org.example.Tea", by: tool("org.example.Boxed")).contains("accessDenied")
        )
        try await programs.app("answer", "hand")
        #expect(await programs.server.call(titled: "Thanks")?.body.hasPrefix("more, started by hand") == true)
        try await programs.killAgent()
    }
}
