import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

private let environment = ProcessInfo.processInfo.environment

@Suite(
    "An app that has ended is started by a click on dunst's popup",
    .sharesDesktop,
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(
        if: TestBus.program != nil && environment["BELFRY_TEST_DESKTOP"] == "1" && environment["DISPLAY"] != nil,
        "no private desktop with a screen: run the tests with make test, or in .ci/desktop"
    )
)
struct AgentAppStartSharedDesktopTests {
    /// A dunst on the bus of `programs`, which starts services as a session's does, on the screen of the private
    /// desktop.
    private struct Screen {
        let programs: Programs
        var log: String { programs.home.path + "/desktop/server.log" }

        /// Runs one of the desktop's tools.
        @discardableResult
        func tool(_ name: String, _ arguments: String...) async throws -> String {
            let variables = [
                "BELFRY_TEST_DESKTOP=1", "BELFRY_TEST_DESKTOP_STATE=\(programs.home.path)/desktop",
                "DISPLAY=\(environment["DISPLAY"] ?? "")",
            ]
            let folder = environment["BELFRY_TEST_DESKTOP_DIR"] ?? ""
            return try await programs.run(variables + ["\(folder)/\(name)"] + arguments)
        }
    }

    private func withScreen(_ body: (Screen) async throws -> Void) async throws {
        let folder = environment["BELFRY_TEST_DESKTOP_DIR"] ?? ""
        // Nothing else is clicked.
        _ = try? await output(of: "\(folder)/server-stop", [])
        let screen = Screen(programs: try await Programs())
        await screen.programs.server.stop()
        try screen.programs.home.write("desktop/README", "of the tools")
        try await screen.tool("server-start")
        let result: Result<Void, any Error>
        do { result = .success(try await body(screen)) } catch { result = .failure(error) }
        try? await screen.programs.killAgent()
        try await screen.tool("server-stop")
        _ = try await output(of: "\(folder)/server-start", [])
        try result.get()
    }

    @Test("it has the name on the bus, and sees its response") func click() async throws {
        try await withScreen { screen in
            let programs = screen.programs
            // As an app's package does.
            try await programs.belfry([
                "app", "install", "--id", "org.example.Tea", "--name", "Tea",
                "--exec", "\(programs.folder)/AgentTestApp answer bus", "--activatable",
            ])
            try await programs.belfry(["apps", "allow", "org.example.Tea"])
            try await programs.app("ask", "bus")
            let bus = try await programs.bus.connection()
            #expect(try await bus.owner(of: "org.example.Tea") == nil)
            let owners = try await bus.owners(of: "org.example.Tea")
            try await screen.tool("hand", "open")
            for await owner in owners where owner != nil { break }
            for await owner in owners where owner == nil { break }
            await bus.close()
            // The app has ended, so the server has it.
            let log = try String(contentsOfFile: screen.log, encoding: .utf8)
            let tokens = try #require(log.firstMatch(of: /default, started by bus, tokens: (\S+) and (\S+), d/)?.output)
            // What the app was started with is the response's; dunst 1.9 gives none under X11.
            #expect(tokens.1 == tokens.2)
        }
    }
}
