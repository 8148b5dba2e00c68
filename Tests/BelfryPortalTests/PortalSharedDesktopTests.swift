import Belfry
import BelfryBus
import BelfryPortal
import BelfryTestSupport
import Foundation
import Testing

private let environment = ProcessInfo.processInfo.environment
private let programs = ["/usr/libexec/xdg-desktop-portal-gtk", "/usr/libexec/xdg-desktop-portal"]

/// What keeps these tests from running here; nil for nothing.
private let obstacle: Comment? =
    if environment["BELFRY_TEST_DESKTOP"] != "1" || environment["DISPLAY"] == nil {
        "no private desktop with a screen: run the tests with make test, or in .ci/desktop"
    } else if !programs.allSatisfy({ FileManager.default.isExecutableFile(atPath: $0) }) {
        "no desktop portal here: apt-get install xdg-desktop-portal xdg-desktop-portal-gtk"
    } else {
        nil
    }

@Suite(
    "The portal backend against xdg-desktop-portal, its GTK part and dunst",
    .sharesDesktop,
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: obstacle == nil, obstacle ?? "")
)
struct PortalSharedDesktopTests {
    /// Runs one of the desktop's tools.
    private func tool(_ name: String, _ arguments: String...) async throws -> String {
        try await output(of: "\(environment["BELFRY_TEST_DESKTOP_DIR"] ?? "")/\(name)", arguments)
    }

    /// Starts a program and returns when it has the name.
    private func start(_ program: String, owning name: String, on bus: BusConnection) async throws -> Foundation.Process
    {
        let owners = try await bus.owners(of: name)
        let process = Foundation.Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        for await owner in owners where owner != nil { break }
        return process
    }

    private static let portal = "org.freedesktop.portal.Desktop"
    private static let part = "org.freedesktop.impl.portal.desktop.gtk"

    private func withPortal(_ body: @escaping @Sendable (BusConnection) async throws -> Void) async throws {
        _ = try? await tool("server-stop")
        _ = try await tool("server-start")
        let bus = BusConnection()
        try await bus.connect()
        let part = try await start(programs[0], owning: Self.part, on: bus)
        let portal = try await start(programs[1], owning: Self.portal, on: bus)
        let result: Result<Void, any Error>
        do { result = .success(try await body(bus)) } catch { result = .failure(error) }
        for process in [portal, part] where process.isRunning {
            // Started from a thread of Dispatch's they have SIGTERM blocked.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        await bus.close()
        try result.get()
    }

    private func center() -> NoticeCenter {
        let app = AppIdentity(id: "org.example.Stage", name: "Stage")
        return NoticeCenter(app: app, backend: PortalBackend(for: app))
    }

    @Test("a notice is shown, replaced under its name, and taken down")
    func showing() async throws {
        try await withPortal { _ in
            try await center().run { center in
                let capabilities = try await center.capabilities()
                #expect(capabilities.server.hasPrefix("desktop portal, notifications version"))
                let first = try await center.show(NoticeRequest(id: "one", title: "Through the portal", body: "Body"))
                #expect(first.receipt.backend == "portal")
                try await waitUntilShown("Through the portal")
                let second = try await center.show(NoticeRequest(id: "one", title: "Second text", body: "Body"))
                #expect(second.receipt.handle == first.receipt.handle)
                try await waitUntilShown("Second text")
                try await center.removeDelivered(["one"])
                #expect(try await center.delivered().isEmpty)
            }
        }
    }

    @Test(
        "a button pressed on the server comes back with its action, and a click on the notice too",
        arguments: ["yes", "default"]
    )
    func answering(_ action: String) async throws {
        try await withPortal { _ in
            try await center().run { center in
                var content = NoticeContent(title: "Portal \(action)")
                content.actions = [NoticeAction("yes", title: "Yes")]
                if action == "default" { content.actions = [NoticeAction("default", title: "Open")] }
                let responses = await center.responses()
                try await center.add(NoticeRequest(id: "ask", content: content))
                // The portal names the buttons anew: by label.
                _ = try await tool(
                    "pick",
                    "--wait",
                    "60",
                    "--title",
                    content.title,
                    action == "yes" ? "Yes" : "default"
                )
                let response = await responses.first { _ in true }
                #expect(response?.kind == (action == "yes" ? .action("yes") : .opened))
            }
        }
    }

    @Test("a notice outlives the program that sent it, and the next one takes it down")
    func survival() async throws {
        try await withPortal { _ in
            let shown = try await center().run { center in
                try await center.show(NoticeRequest(id: "kept", title: "Kept"))
            }
            try await waitUntilShown("Kept")
            #expect(try await popups() == 1)
            let second = PortalBackend(for: AppIdentity(id: "org.example.Stage", name: "Stage"))
            let run = Task { try await second.run { _ in } }
            try await second.withdraw(shown.receipt)
            let end = ContinuousClock.now + .seconds(60)
            while try await popups() != 0, ContinuousClock.now < end {}
            #expect(try await popups() == 0)
            run.cancel()
            try await run.value
        }
    }

    /// How many the server shows now.
    private func popups() async throws -> Int? {
        Int(
            try await output(of: "/usr/bin/env", ["dunstctl", "count", "displayed"]).trimmingCharacters(
                in: .whitespacesAndNewlines
            )
        )
    }

    /// The portal answers before the server has been asked: what is shown is looked at until it is there.
    private func waitUntilShown(_ title: String) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try await !tool("shown").contains(title) {
            guard ContinuousClock.now < end else {
                Issue.record("'\(title)' was not shown within 60 s")
                return
            }
        }
    }
}
