import Belfry
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "An app that has ended is started by an answer",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentAppStartTests {
    @Test(
        "a click starts it, by its command or by the bus, and it gets the response and the token",
        arguments: ["command", "bus"]
    )
    func started(by way: String) async throws {
        let programs = try await Programs()
        try programs.home.write(
            ".local/share/dbus-1/services/org.example.Tea.service",
            "[D-BUS Service]\nName=org.example.Tea\nExec=\(programs.folder)/AgentTestApp answer bus\n"
        )
        try await programs.belfry(["apps", "allow", "org.example.Tea"])
        try await programs.app("ask", way)
        let shown = try #require(await programs.server.call(titled: "Tea?"))
        programs.server.press(shown.id, "more")
        let thanks = try #require(await programs.server.call(titled: "Thanks"))
        let token = try #require(ServerProfile.kde.activationToken)
        #expect(thanks.body.hasPrefix("more, started by \(way), tokens: \(token) and \(token), "))
        // Nothing is left for the next start to take.
        #expect(try await programs.app("waiting").contains("nothing waits"))
        try await programs.killAgent()
    }

    @Test("it gets the limit of descriptors that the agent was started with, which raises its own")
    func descriptorLimit() async throws {
        let programs = try await Programs()
        // Starts the agent.
        let allow = "ulimit -S -n 512 && exec \(programs.folder)/belfry apps allow org.example.Tea"
        try await programs.run(["/bin/sh", "-c", allow])
        try await programs.app("ask", "command")
        let shown = try #require(await programs.server.call(titled: "Tea?"))
        programs.server.press(shown.id, "more")
        let thanks = try #require(await programs.server.call(titled: "Thanks"))
        #expect(thanks.body.hasSuffix(", descriptors: 512"), "\(thanks.body)")
        try await programs.killAgent()
    }
}
