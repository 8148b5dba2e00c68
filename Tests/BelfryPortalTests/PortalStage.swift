import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryPortal
import Foundation

/// A bus, a scripted portal on it, and a backend that runs.
enum PortalStage {
    static let app = AppIdentity(id: "org.example.Stage", name: "Stage")

    static func delivery(
        _ title: String,
        _ id: String = "1",
        replaces: DeliveryReceipt? = nil,
        _ change: (inout NoticeContent) -> Void = { _ in }
    ) -> Delivery {
        var content = NoticeContent(title: title)
        change(&content)
        return Delivery(
            id: "\(title)#\(id)",
            requestID: title,
            app: app,
            content: content,
            dueDate: Date(timeIntervalSince1970: 1_800_000_000),
            replaces: replaces
        )
    }

    /// Runs a backend while `body` does; its events come in the stream.
    static func withBackend(
        _ address: String,
        limit: Duration = .seconds(25),
        isActivatable: Bool = false,
        _ body: (PortalBackend, inout AsyncStream<BackendEvent>.Iterator) async throws -> Void
    ) async throws {
        let backend =
            if isActivatable {
                PortalBackend(activating: ActivatableApp(app), bus: .address(address), timeouts: .init(call: limit))
            } else {
                PortalBackend(for: app, bus: .address(address), timeouts: .init(call: limit))
            }
        let (events, continuation) = AsyncStream.makeStream(of: BackendEvent.self)
        let run = Task { try await backend.run { continuation.yield($0) } }
        var iterator = events.makeAsyncIterator()
        do { try await body(backend, &iterator) } catch {
            run.cancel()
            _ = await run.result
            throw error
        }
        run.cancel()
        try await run.value
    }

    static func withPortal(
        _ profile: ScriptedPortal.Profile = .init(),
        limit: Duration = .seconds(25),
        passesDescriptors: Bool = true,
        _ body: (TestBus, ScriptedPortal, PortalBackend, inout AsyncStream<BackendEvent>.Iterator) async throws -> Void
    ) async throws {
        let bus = try await TestBus(passesDescriptors: passesDescriptors)
        let portal = ScriptedPortal(at: bus.address, profile)
        try await portal.start()
        do {
            try await withBackend(bus.address, limit: limit) { backend, events in
                try await body(bus, portal, backend, &events)
            }
        } catch {
            await portal.stop()
            throw error
        }
        await portal.stop()
    }
}

extension BusMethodCall {
    /// A call of an app's `org.freedesktop.Application`, as a desktop makes it.
    static func application(
        _ id: String,
        _ path: BusObjectPath,
        _ method: String,
        _ arguments: [BusValue],
        startsService: Bool = false
    ) -> BusMethodCall {
        BusMethodCall(to: id, path, "org.freedesktop.Application", method, arguments, startsService: startsService)
    }
}
