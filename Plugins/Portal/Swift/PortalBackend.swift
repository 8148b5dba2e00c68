public import Belfry
public import BelfryBus
import Synchronization

/// Shows notices through the desktop portal (org.freedesktop.portal.Notification, versions 1 and 2): the way out of a
/// sandbox, and the one whose notices survive the program that sent them.
///
/// What the portal can't do, by its interface, and what capabilities and receipts say of it:
///
/// - It never tells that a notice was closed or was shown at all: ``Belfry/DeliveryCapabilities/reportsClosing`` is
///   false, and a receipt means that the portal has taken the notice.
/// - It has no time on the screen, no progress, no badge, one picture (the icon, 512 pixels at most), and no hints.
/// - Version 1 has no markup, no sound and no reply field.
///
/// A notice is named by a text of Belfry's own, which stays good when the portal, the bus or this program is started
/// anew: a receipt has no server.
public final class PortalBackend: NonblockingBackend {
    /// How long the parts may take.
    public struct Limits: Sendable, Hashable {
        /// Until the backend runs, for calls that are made while it is being started.
        public var start: Duration
        /// For each answer of the portal, its being started included.
        public var call: Duration

        /// Creates limits; each default suits a desktop.
        public init(start: Duration = .seconds(5), call: Duration = .seconds(10)) {
            self.start = start
            self.call = call
        }
    }

    public let name = "portal"
    private let app: AppIdentity
    private let address: BusAddress
    private let limits: Limits
    private let activatable: ActivatableApp?
    private let gate = StartGate<PortalSession>(on: CenterThread.shared.loop)

    /// - Parameters:
    ///   - app: Outside of a sandbox the portal is told this identifier, where it can be (1.19.4 and later); its
    ///     `.desktop` file has to be installed. In a sandbox the portal knows who calls.
    ///   - address: The bus that the portal is on; another one than the session's is for tests.
    ///   - limits: How long the portal is waited for.
    public init(for app: AppIdentity, bus address: BusAddress = .session, limits: Limits = Limits()) {
        self.app = app
        self.address = address
        self.limits = limits
        activatable = nil
    }

    /// Creates a backend whose responses start the app where it doesn't run.
    ///
    /// The backend has the app's name on the bus while it runs. Responses go to the center, and everything else that the
    /// app is called for to `app`, which is not run beside it.
    ///
    /// - Parameters:
    ///   - app: What the bus starts; its `.desktop` file and its D-Bus service file have to be installed.
    ///   - address: The bus that the portal is on; another one than the session's is for tests.
    ///   - limits: How long the portal is waited for.
    public init(answering app: ActivatableApp, bus address: BusAddress = .session, limits: Limits = Limits()) {
        self.app = app.identity
        self.address = address
        self.limits = limits
        activatable = app
    }

    public func capabilities() async throws(NoticeError) -> DeliveryCapabilities {
        try await running().profile(within: limits.call).capabilities
    }

    public func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let session = try await running()
        let profile = try await session.profile(within: limits.call)
        var handle = Self.handle(of: delivery)
        // The name is ours: what stands under it is replaced, and where nothing does it is shown anew.
        if let replaced = delivery.replaces, replaced.backend == name, replaced.handle.hasPrefix(Self.handlePrefix) {
            handle = replaced.handle
        }
        let message = PortalMessage(delivery, for: profile, calledHandle: session.isCallable ? handle : nil)
        let lost = try await session.add(message, as: handle, within: limits.call)
        return DeliveryReceipt(backend: name, handle: handle, lost: lost)
    }

    /// What the portal may refuse is not known before.
    public func preview(_ delivery: Delivery) async throws(NoticeError) -> Delivery.Preview {
        let profile = try await running().profile(within: limits.call)
        return Delivery.Preview(
            content: delivery.content,
            backend: name,
            server: profile.capabilities.server,
            lost: PortalMessage(delivery, for: profile).lost
        )
    }

    public func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {
        // Programs outside of a sandbox share one space of names: nothing is removed that isn't Belfry's.
        guard receipt.handle.hasPrefix(Self.handlePrefix) else { return }
        try await running().remove(receipt.handle, within: limits.call)
    }

    public func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        let session = PortalSession(address, app, activatable: activatable, report)
        guard await gate.runAlone(session, session.run) else {
            throw NoticeError(.unsupported, "This backend is running already: make one for each center.")
        }
    }

    static let handlePrefix = "belfry-"

    /// The portal's name for a delivery: the same whenever it is given, so that one that was begun before a crash, and
    /// is shown once more after it, takes its own place. FNV-1a (RFC 9923) of 128 bits over what makes it unique.
    private static func handle(of delivery: Delivery) -> String {
        let identity = [delivery.app.id, delivery.requestID, delivery.id].joined(separator: "\0")
        let hash = identity.utf8.reduce(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D as UInt128) { hash, byte in
            (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
        return handlePrefix + String(hash, radix: 16)
    }

    /// A center starts its backend and its deliveries at the same time: one waits for the other.
    private func running() async throws(NoticeError) -> PortalSession {
        guard let session = await gate.wait(within: limits.start) else {
            throw NoticeError(.backendStopped, "The portal backend is not running: run the center first.")
        }
        return session
    }
}
