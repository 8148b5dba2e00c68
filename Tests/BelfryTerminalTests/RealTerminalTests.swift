import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

/// What runs in each terminal.
private let done = "'\(TerminalProgram.belfry)' done --title 'Tests ☕' -- sh -c 'exit 3'"

private func isInstalled(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
}

@Suite(
    "In foot itself",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(
        if: isInstalled("foot") && HeadlessSway.isInstalled,
        "foot or sway is not installed: .ci/setup desktop"
    )
)
struct FootTests {
    /// foot runs a command for each notice; this one writes down what it got.
    private func open(_ window: TerminalWindow) async throws {
        let note = try window.folder.writeScript("note", "printf '%s\\n' \"$@\" >'\(window.written)'")
        // The first two until version 1.17, the others since then; an unknown one is named in the log.
        let settings = """
            notify=\(note) ${title} ${body}
            notify-focus-inhibit=no
            [desktop-notifications]
            command=\(note) ${title} ${body}
            inhibit-when-focused=no
            """
        let sway = try await HeadlessSway()
        let file = try window.folder.write("foot.ini", settings)
        try await window.open("foot", ["--config", file], adding: ["WAYLAND_DISPLAY": sway.display])
    }

    @Test("'belfry done' shows its notice by foot's command, and leaves nothing to be read")
    func shows() async throws {
        let window = try TerminalWindow(running: done)
        try await open(window)
        let lines = window.left("notice").split(separator: "\n")
        #expect(lines.first == "Tests ☕", "\(window.said)")
        #expect(lines.last?.hasPrefix("Failed with status 3 after ") == true)
        #expect(window.left("status") == "3\n")
        #expect(window.left("unread").isEmpty)
    }
}

@Suite(
    "In kitty itself",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: isInstalled("kitty"), "kitty is not installed: .ci/setup desktop"),
    .enabled(
        if: ProcessInfo.processInfo.environment["DISPLAY"] != nil && TestBus.program != nil,
        "no private desktop with a screen: run the tests with make test, or in .ci/desktop"
    )
)
struct KittyTests {
    @Test("'belfry done' shows its notice by OSC 99, and leaves nothing to be read")
    func shows() async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(.kde, at: bus.address)
        try await server.start()
        let window = try TerminalWindow(running: done)
        let variables = [
            "DISPLAY": ProcessInfo.processInfo.environment["DISPLAY"] ?? "",
            "DBUS_SESSION_BUS_ADDRESS": bus.address,
            "LIBGL_ALWAYS_SOFTWARE": "1",
        ]
        async let run: Void = window.open("kitty", ["--config", "NONE"], adding: variables)
        let notice = try #require(await server.call(titled: "Tests ☕"), "\(window.said)")
        #expect(notice.appName == "kitty")
        #expect(notice.body.hasPrefix("Failed with status 3 after "))
        try await window.end()
        try await run
        #expect(window.left("status") == "3\n", "\(window.said)")
        #expect(window.left("unread").isEmpty)
        await server.stop()
    }
}
