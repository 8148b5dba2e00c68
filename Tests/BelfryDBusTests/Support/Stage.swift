import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTesting
import Foundation

@testable import BelfryDBus

/// A bus, a scripted server and a backend.
struct Stage: Sendable {
    static let app = AppIdentity(id: "org.example.Stage", name: "Stage")

    let bus: TestBus
    let server: ScriptedServer
    let backend: DBusBackend

    /// A server that lists these, and is unknown to the table unless it is named.
    static func profile(
        _ capabilities: [String],
        _ name: String = "stub",
        _ vendor: String = "Belfry",
        _ version: String = "1"
    ) -> ServerProfile { ServerProfile(name, vendor, version, capabilities) }

    static func delivery(
        _ title: String,
        replaces: DeliveryReceipt? = nil,
        _ change: (inout NoticeContent) -> Void = { _ in }
    ) -> Delivery {
        var content = NoticeContent(title: title)
        change(&content)
        return Delivery(
            id: "\(title)#1",
            requestID: title,
            app: app,
            content: content,
            dueDate: Date(timeIntervalSince1970: 1_800_000_000),
            replaces: replaces
        )
    }

    /// Runs a backend while `body` does; its events come in the stream. The server is started where `isThere`.
    static func run(
        _ profile: ServerProfile,
        isThere: Bool = true,
        call: Duration = .seconds(25),
        settingsProgram: String? = nil,
        configFolders: [String] = [],
        _ body: (Stage, inout AsyncStream<BackendEvent>.Iterator) async throws -> Void
    ) async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(profile, at: bus.address)
        if isThere { try await server.start() }
        let backend = DBusBackend(
            bus: .address(bus.address),
            timeouts: .init(call: call),
            settingsPlaces: DesktopSettings.Places(settingsProgram: settingsProgram, configFolders: configFolders)
        )
        let (events, continuation) = AsyncStream.makeStream(of: BackendEvent.self)
        let run = Task { try await backend.run { continuation.yield($0) } }
        var iterator = events.makeAsyncIterator()
        do { try await body(Stage(bus: bus, server: server, backend: backend), &iterator) } catch {
            run.cancel()
            _ = await run.result
            await server.stop()
            throw error
        }
        run.cancel()
        try await run.value
        await server.stop()
    }

    /// A whole center on a server of the test's own.
    static func center(
        _ profile: ServerProfile,
        isThere: Bool = true,
        call: Duration = .seconds(25),
        store: any RequestStore = MemoryRequestStore(),
        clock: any TriggerClock = SystemTriggerClock(),
        _ body: @escaping @Sendable (Stage, NoticeCenter) async throws -> Void
    ) async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(profile, at: bus.address)
        if isThere { try await server.start() }
        try await center(Stage.on(bus, server, call: call), store: store, clock: clock, body)
        await server.stop()
    }

    /// Another run of the app on the same desktop.
    static func center(
        _ stage: Stage,
        store: any RequestStore,
        clock: any TriggerClock = SystemTriggerClock(),
        _ body: @escaping @Sendable (Stage, NoticeCenter) async throws -> Void
    ) async throws {
        let center = NoticeCenter(
            app: app,
            backend: stage.backend,
            store: NoticeStore(store),
            clock: NoticeCenter.Clock(clock)
        )
        try await center.run { center in try await body(stage, center) }
    }

    static func on(_ bus: TestBus, _ server: ScriptedServer, call: Duration = .seconds(25)) -> Stage {
        let backend = DBusBackend(
            bus: .address(bus.address),
            timeouts: .init(call: call),
            settingsPlaces: DesktopSettings.Places(settingsProgram: nil, configFolders: [])
        )
        return Stage(bus: bus, server: server, backend: backend)
    }
}

extension NoticeContent {
    /// With some fields set.
    static func made(_ title: String = "T", _ change: (inout NoticeContent) -> Void) -> NoticeContent {
        var content = NoticeContent(title: title)
        change(&content)
        return content
    }
}
