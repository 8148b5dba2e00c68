public import Belfry
public import BelfryBus
import BelfryBusBackend

/// Shows notices through the desktop portal (org.freedesktop.portal.Notification, versions 1 and 2). It works inside a
/// sandbox, and its notices outlive the program that sent them.
///
/// The interface of the portal has limits, which capabilities and receipts report:
///
/// - It never reports that a notice was closed, or even shown: ``Belfry/DeliveryCapabilities/reportsClosing`` is false,
///   and a receipt means that the portal accepted the notice.
/// - It has no expiry, no progress, no badge, no hints, and one image (the icon, at most 512 pixels).
/// - Version 1 has no markup, no sound and no reply field.
///
/// Belfry itself names each notice. The name stays valid when the portal, the bus or this program restarts, so a
/// receipt has no server.
///
/// ```swift
/// let center = NoticeCenter(app: app, backend: PortalBackend(for: app))
/// try await center.run { center in try await center.show(content, id: "message-7") }
/// ```
public final class PortalBackend: DeliveryBackend {
    /// The timeouts of the backend.
    public struct Timeouts: Sendable, Hashable {
        /// The timeout of calls that wait for the backend to start.
        public var start: Duration
        /// The timeout of each reply of the portal, including the start of the portal.
        public var call: Duration

        /// Creates timeouts; each default suits a desktop.
        public init(start: Duration = .seconds(5), call: Duration = .seconds(10)) {
            self.start = start
            self.call = call
        }
    }

    public let name = "portal"
    public var mayBlock: Bool { false }
    private let app: AppIdentity
    private let address: BusAddress
    private let timeouts: Timeouts
    private let activatable: ActivatableApp?
    private let run = BackendRun<PortalSession>(of: "portal") { NoticeError(portal: $0) }

    /// Creates a backend whose responses arrive only while it runs.
    ///
    /// - Parameters:
    ///   - app: The app. Outside of a sandbox, its identifier is registered with the portal if that supports it (1.19.4
    ///     and later); its `.desktop` file has to be installed. In a sandbox the portal knows the caller.
    ///   - address: The bus of the portal; other buses than the session's are for tests.
    ///   - timeouts: The timeouts.
    public init(for app: AppIdentity, bus address: BusAddress = .session, timeouts: Timeouts = Timeouts()) {
        self.app = app
        self.address = address
        self.timeouts = timeouts
        activatable = nil
    }

    /// Creates a backend whose responses start the app if it doesn't run.
    ///
    /// The backend owns the app's name on the bus while it runs. The center receives the responses, and `app` receives
    /// all other calls; don't call the `run` of `app` in addition. The end of the run waits until acknowledged calls
    /// are handled, at most 5 s.
    ///
    /// - Parameters:
    ///   - app: The app that the bus starts; its `.desktop` file and its D-Bus service file have to be installed.
    ///   - address: The bus of the portal; other buses than the session's are for tests.
    ///   - timeouts: The timeouts.
    public init(activating app: ActivatableApp, bus address: BusAddress = .session, timeouts: Timeouts = Timeouts()) {
        self.app = app.identity
        self.address = address
        self.timeouts = timeouts
        activatable = app
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await running().profile().capabilities
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let session = try await running()
        let profile = try await session.profile()
        var handle = Self.handle(of: delivery)
        // The name is Belfry's own: it replaces the notice with that name, or shows a new one.
        if let replaced = delivery.replaces, replaced.backend == name, replaced.handle.hasPrefix(Self.handlePrefix) {
            handle = replaced.handle
        }
        let calledHandle = session.isCallable ? handle : nil
        let message = await session.message(of: delivery) {
            PortalMessage($0, for: profile, calledHandle: calledHandle)
        }
        let lost = try await session.add(message, as: handle)
        return DeliveryReceipt(backend: name, handle: handle, lost: lost)
    }

    /// Returns what the portal would be sent; what it may refuse is not predicted.
    ///
    /// - Throws: ``Belfry/NoticeError/Code/backendStopped`` if no center runs the backend,
    ///   ``Belfry/NoticeError/Code/noBus``, ``Belfry/NoticeError/Code/noServer`` and
    ///   ``Belfry/NoticeError/Code/serverTimedOut``; all transient.
    public func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview {
        let session = try await running()
        let profile = try await session.profile()
        let message = await session.message(of: delivery) { PortalMessage($0, for: profile) }
        return preview(of: delivery, on: profile.capabilities.server, lost: message.lost)
    }

    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        // Programs outside of a sandbox share one namespace: only Belfry's notices are removed.
        guard receipt.handle.hasPrefix(Self.handlePrefix) else { return }
        try await running().remove(receipt.handle)
    }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        let session = PortalSession(address, app, activatable: activatable, limit: timeouts.call, report)
        try await run.run(session, on: session.bus, session.listen, end: session.end) {
            report(.error($0))
        }
    }

    static let handlePrefix = "belfry-"

    /// Returns the portal's name for a delivery. It is deterministic, so that a delivery that is repeated after a crash
    /// replaces itself. FNV-1a (RFC 9923) of 128 bits over the delivery's identity.
    private static func handle(of delivery: Delivery) -> String {
        let identity = [delivery.app.id, delivery.requestID, delivery.id].joined(separator: "\0")
        let hash = identity.utf8.reduce(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D as UInt128) { hash, byte in
            (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
        return handlePrefix + String(hash, radix: 16)
    }

    private func running() async throws(NoticeError) -> PortalSession {
        try await run.session(within: timeouts.start, listening: timeouts.call)
    }
}
