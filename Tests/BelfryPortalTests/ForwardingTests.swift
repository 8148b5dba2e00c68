import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryPortal
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "A second start of an app",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct ForwardingTests {
    private static let app = AppIdentity(id: "org.example.Tea", name: "Tea")

    /// The start of another process; `variables` are those of env(1).
    private func start(_ files: [String], _ variables: [String], on bus: TestBus) async throws -> String {
        try await output(
            of: "/usr/bin/env",
            variables + ["DBUS_SESSION_BUS_ADDRESS=\(bus.address)", BuildFolder.path + "/AgentTestApp", "open"] + files
        )
    }

    @Test("forwards what it was started for, and the running one gets each in order")
    func everyActivation() async throws {
        let bus = try await TestBus()
        let address = BusAddress.address(bus.address)
        let (log, noted) = AsyncStream.makeStream(of: String.self)
        let running = ActivatableApp(
            Self.app,
            activate: { _ in noted.yield("activate") },
            action: { name, parameter, _ in noted.yield("\(name) \(parameter?.string ?? "-")") },
            open: { urls, _ in noted.yield("open \(urls.map(\.absoluteString))") }
        )
        let second = ActivatableApp(Self.app)
        #expect(try await second.forward(on: address) == false)
        try await running.run(on: address) {
            #expect(try await second.forward(on: address))
            #expect(try await second.forward(.action("stop"), on: address))
            #expect(try await second.forward(.action("brew", parameter: .string("green")), on: address))
            let urls = [URL(filePath: "/tmp/a b"), try #require(URL(string: "https://example.org"))]
            #expect(try await second.forward(.open(urls), on: address))
            #expect(try await second.forward(.open([]), on: address))
        }
        #expect(try await second.forward(on: address) == false)
        noted.finish()
        var all: [String] = []
        for await line in log { all.append(line) }
        #expect(
            all == [
                "activate", "stop -", "brew green", #"open ["file:///tmp/a%20b", "https://example.org"]"#, "activate",
            ]
        )
    }

    @Test("of a process brings the token it was started with, and files from where it was started")
    func process() async throws {
        let bus = try await TestBus()
        let folder = try TemporaryFolder()
        let (log, noted) = AsyncStream.makeStream(of: String.self)
        let running = ActivatableApp(
            Self.app,
            activate: { noted.yield("activate \($0 ?? "-")") },
            open: { urls, token in noted.yield("open \(urls.map(\.path)) \(token ?? "-")") }
        )
        try await running.run(on: .address(bus.address)) {
            let starts: [(files: [String], variables: [String])] = [
                (["a b"], ["-C", folder.path, "XDG_ACTIVATION_TOKEN=wayland-1", "DESKTOP_STARTUP_ID=x-2"]),
                ([], ["-u", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID=x-3"]),
                ([], ["-u", "XDG_ACTIVATION_TOKEN", "-u", "DESKTOP_STARTUP_ID"]),
            ]
            for (files, variables) in starts {
                let printed = try await start(files, variables, on: bus)
                #expect(printed == "forwarded\n")
            }
        }
        noted.finish()
        var all: [String] = []
        for await line in log { all.append(line) }
        #expect(all == [#"open ["\#(folder.path)/a b"] wayland-1"#, "activate x-3", "activate -"])
    }

    @Test("by the bus finds no other process, and is the app") func startedByTheBus() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "org.example.Tea.service",
            "[D-BUS Service]\nName=\(Self.app.id)\nExec=\(BuildFolder.path)/AgentTestApp open\n"
        )
        let bus = try await TestBus(services: folder.path)
        let desktop = try await bus.connection()
        // Where the process called itself, or ended, the bus would answer this with an error.
        try await desktop.call(
            .application(Self.app.id, "/org/example/Tea", "Activate", [.options([:])], startsService: true)
        )
        await desktop.close()
    }

    @Test("reports what the running one does not handle, and what can't be forwarded") func refused() async throws {
        let bus = try await TestBus()
        let address = BusAddress.address(bus.address)
        let app = ActivatableApp(Self.app)
        try await app.run(on: address) {
            let error = await #expect(throws: NoticeError.self) {
                try await app.forward(.open([URL(filePath: "/tmp")]), on: address)
            }
            #expect(error?.code == .appRuns)
            #expect(error?.cause == "org.example.Tea opens nothing.")
        }
        let other = try await bus.connection()
        try await other.requestName(Self.app.id)
        let mute = await #expect(throws: NoticeError.self) { try await app.forward(on: address) }
        #expect(mute?.code == .appRuns)
        await other.close()
        let relative = try #require(URL(string: "notes.txt"))
        let url = await #expect(throws: NoticeError.self) { try await app.forward(.open([relative]), on: address) }
        #expect(url?.code == .invalidContent && url?.message.contains("'notes.txt'") == true)
        let wrong = ActivatableApp(AppIdentity(id: "tea"))
        let error = await #expect(throws: NoticeError.self) { try await wrong.forward(on: address) }
        #expect(error?.code == .invalidIdentifier)
        let nowhere = BusAddress.address("unix:path=/nonexistent/bus")
        let lost = await #expect(throws: NoticeError.self) { try await app.forward(on: nowhere) }
        #expect(lost?.code == .noBus)
    }
}
