import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryPortal
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "An app that the bus starts",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct ActivatableAppTests {
    /// With a part of the identifier that is written otherwise in the path of the object.
    private static let app = AppIdentity(id: "org.example.Tea-Time", name: "Tea")

    private func call(_ method: String, _ arguments: [BusValue], on bus: BusConnection) async throws(BusError) {
        try await bus.call(.application(Self.app.id, "/org/example/Tea_Time", method, arguments))
    }

    /// An app that notes what it is called for.
    private func noting(_ log: AsyncStream<String>.Continuation) -> ActivatableApp {
        ActivatableApp(
            Self.app,
            activate: { log.yield("activate \($0 ?? "-")") },
            action: { log.yield("\($0) \($1?.string ?? "-") \($2 ?? "-")") },
            open: { urls, token in log.yield("open \(urls.map(\.absoluteString)) \(token ?? "-")") }
        )
    }

    @Test("Each call reaches its closure, in order, with what is opened, the parameter and the token")
    func calls() async throws {
        let bus = try await TestBus()
        let (log, noted) = AsyncStream.makeStream(of: String.self)
        let desktop = try await bus.connection()
        try await noting(noted).run(on: .address(bus.address)) {
            try await call("Activate", [.options([:])], on: desktop)
            try await call("Activate", [.options(["activation-token": .string("a")])], on: desktop)
            try await call(
                "ActivateAction",
                [
                    .string("brew"), .array(of: .variant, [.variant(.string("green"))]),
                    .options(["activation-token": .string(""), "desktop-startup-id": .string("b")]),
                ],
                on: desktop
            )
            try await call(
                "ActivateAction",
                [.string("stop"), .array(of: .variant, []), .options([:])],
                on: desktop
            )
            let files: BusValue = .strings(["file:///tmp/a%20b", "https://example.org"])
            try await call("Open", [files, .options(["activation-token": .string("c")])], on: desktop)
        }
        noted.finish()
        var all: [String] = []
        for await line in log { all.append(line) }
        #expect(
            all == [
                "activate -", "activate a", "brew green b", "stop - -",
                #"open ["file:///tmp/a%20b", "https://example.org"] c"#,
            ]
        )
        await desktop.close()
    }

    @Test("What the app does not handle is refused, and so is what is no address")
    func refusing() async throws {
        let bus = try await TestBus()
        let desktop = try await bus.connection()
        let (_, noted) = AsyncStream.makeStream(of: String.self)
        try await ActivatableApp(Self.app).run(on: .address(bus.address)) {
            try await call("Activate", [.options([:])], on: desktop)
            let action: [BusValue] = [.string("brew"), .array(of: .variant, []), .options([:])]
            await #expect(throws: BusError.self) { try await call("ActivateAction", action, on: desktop) }
            let file: [BusValue] = [.strings(["file:///tmp"]), .options([:])]
            await #expect(throws: BusError.self) { try await call("Open", file, on: desktop) }
        }
        try await noting(noted).run(on: .address(bus.address)) {
            let none: [BusValue] = [.strings([""]), .options([:])]
            await #expect(throws: BusError.self) { try await call("Open", none, on: desktop) }
        }
        await desktop.close()
    }

    @Test("It has the name while it runs; a second one is told, and an identifier that is no name too")
    func name() async throws {
        struct Broken: Error {}
        let bus = try await TestBus()
        let address = BusAddress.address(bus.address)
        let desktop = try await bus.connection()
        let app = ActivatableApp(Self.app)
        let value = try await app.run(on: address) {
            let owner = try await desktop.owner(of: Self.app.id)
            #expect(owner != nil)
            let second = await #expect(throws: NoticeError.self) { try await app.run(on: address) {} }
            #expect(second?.code == .appRuns)
            return 7
        }
        #expect(value == 7)
        await #expect(throws: Broken.self) { try await app.run(on: address) { throw Broken() } }
        #expect(try await desktop.owner(of: Self.app.id) == nil)
        let wrong = ActivatableApp(AppIdentity(id: "tea"))
        let error = await #expect(throws: NoticeError.self) { try await wrong.run(on: address) {} }
        #expect(error?.code == .invalidIdentifier)
        let nowhere = BusAddress.address("unix:path=/nonexistent/bus")
        let lost = await #expect(throws: NoticeError.self) { try await app.run(on: nowhere) {} }
        #expect(lost?.code == .noBus)
        await desktop.close()
    }

    /// Runs an app that takes long for each call, and calls it twice. Returns what it has handled by the end of the
    /// run.
    private func handledCount(
        _ bus: TestBus,
        _ run: (ActivatableApp, _ callTwice: @escaping @Sendable () async throws -> Void) async throws -> Void
    ) async throws -> Int {
        let desktop = try await bus.connection()
        let (handled, noted) = AsyncStream.makeStream(of: Void.self)
        let app = ActivatableApp(
            Self.app,
            activate: { _ in
                // Takes longer than giving the name back does, which is one such call.
                for _ in 1...100 { _ = try? await desktop.owner(of: Self.app.id) }
                noted.yield()
            }
        )
        try await run(app) { for _ in 1...2 { try await call("Activate", [.options([:])], on: desktop) } }
        noted.finish()
        var count = 0
        for await _ in handled { count += 1 }
        await desktop.close()
        return count
    }

    @Test("What was answered is handled before the end")
    func ending() async throws {
        let bus = try await TestBus()
        let count = try await handledCount(bus) { app, callTwice in
            try await app.run(on: .address(bus.address)) { try await callTwice() }
        }
        #expect(count == 2)
    }

    @Test("What was answered is handled before the end of a center's run, too")
    func endingCenter() async throws {
        try await PortalStage.withPortal { bus, _, _, _ in
            let count = try await handledCount(bus) { app, callTwice in
                let backend = PortalBackend(activating: app, bus: .address(bus.address))
                try await NoticeCenter(app: Self.app, backend: backend).run { center in
                    _ = try await center.show(NoticeRequest(id: "tea", title: "Tea"))
                    try await callTwice()
                }
            }
            #expect(count == 2)
        }
    }

    @Test("Through the portal responses go to the center, and everything else to the app")
    func portal() async throws {
        try await PortalStage.withPortal { bus, portal, _, _ in
            let (log, noted) = AsyncStream.makeStream(of: String.self)
            let backend = PortalBackend(activating: noting(noted), bus: .address(bus.address))
            let desktop = try await bus.connection()
            try await NoticeCenter(app: Self.app, backend: backend).run { center in
                let responses = await center.responses()
                let content = NoticeContent(title: "Tea?", actions: [NoticeAction("more", title: "More")])
                _ = try await center.show(NoticeRequest(id: "tea", content: content))
                let target = try #require(portal.added.first?.buttons.first?["target"])
                try await call("Activate", [.options(["activation-token": .string("a")])], on: desktop)
                try await call(
                    "ActivateAction",
                    [
                        .string("belfry-answer"), .array(of: .variant, [.variant(target)]),
                        .options(["activation-token": .string("b")]),
                    ],
                    on: desktop
                )
                let response = await responses.first { _ in true }
                #expect(response?.actionID == "more" && response?.activationToken == "b")
                #expect(await log.first { _ in true } == "activate a")
            }
            await desktop.close()
        }
    }
}
