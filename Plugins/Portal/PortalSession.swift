import Belfry
import BelfryBus
import BelfryBusBackend
import Dispatch
import Synchronization

/// One run of the backend: its connection, the current portal, and the notices that it was given.
final class PortalSession: Sendable {
    let bus: BusConnection
    let app: AppIdentity
    /// The app that the desktop starts for a response; nil to start none.
    private let activatable: ActivatableApp?
    /// The timeout of each reply of the portal.
    let limit: Duration
    /// A queue for reading the files of notices. A file system that doesn't reply blocks it, and nothing else.
    let files = DispatchQueue(label: "org.belfry.portal")
    let report: @Sendable (BackendEvent) -> Void
    let state = Mutex(State())

    struct State {
        /// The portal's unique name.
        var owner: String?
        /// Whether that portal knows the app. It refuses a second registration over the same connection.
        var isRegistered = false
        /// The query of the profile, made once for each run of the portal and shared by concurrent callers.
        var asking: Task<Result<PortalProfile, NoticeError>, Never>?
        /// By handle; bounded, because the portal never reports that a notice was closed.
        var shown = NewestEntries<String, Shown>()
        /// The number of the latest sending of each handle.
        var sendings = NewestEntries<String, Int>()
        var lastSending = 0
        /// How many messages are being made on the queue for files.
        var queuedMessages = 0
        var hasReportedUnknownApp = false
        /// Receives the desktop's calls of the app.
        var service: ActivatableApp.Service?
        /// Whether the desktop can call the app's actions: the app owns its name on the bus.
        var isCallable = false
    }

    struct Shown {
        var deliveryID: String
        var isResident: Bool
        var hasResponse = false
    }

    static let name = "org.freedesktop.portal.Desktop"
    static let path: BusObjectPath = "/org/freedesktop/portal/desktop"
    static let interface = "org.freedesktop.portal.Notification"

    init(
        _ address: BusAddress,
        _ app: AppIdentity,
        activatable: ActivatableApp?,
        limit: Duration,
        _ report: @escaping @Sendable (BackendEvent) -> Void
    ) {
        self.activatable = activatable
        self.limit = limit
        bus = BusConnection(to: address, on: CenterThread.shared.loop)
        self.app = app
        self.report = report
    }

    /// Subscribes to what the session receives from the bus.
    func listen() async throws(BusError) -> [BusSubscription] {
        let subscription = try await bus.subscribe([
            .signals(BusMatch(sender: Self.name, path: Self.path, interface: Self.interface)) { [weak self] in
                self?.received($0)
            },
            .owner(of: Self.name) { [weak self] in self?.ownerChanged($0) },
        ])
        guard let activatable else { return [subscription] }
        return [subscription, try await exportActions(of: activatable)]
    }

    /// Handles a new owner. Notices may or may not survive a restart of the portal, so none are reported as gone.
    private func ownerChanged(_ owner: String?) {
        let isNew = state.withLock { state in
            guard state.owner != owner else { return false }
            // The first owner may be a portal that the query in progress has started.
            if state.owner != nil {
                state.isRegistered = false
                state.asking = nil
            }
            state.owner = owner
            return owner != nil
        }
        if isNew { report(.serverCame(server: nil)) }
    }

    // MARK: The current portal

    func profile() async throws(NoticeError) -> PortalProfile {
        let asking = state.withLock { state in
            if let asking = state.asking { return asking }
            let asking = Task(executorPreference: CenterThread.shared) { await self.ask() }
            state.asking = asking
            return asking
        }
        let result = await asking.value
        // Don't keep an error: the next call queries again.
        if case .failure = result { state.withLock { if $0.asking == asking { $0.asking = nil } } }
        return try result.get()
    }

    private func ask() async -> Result<PortalProfile, NoticeError> {
        do throws(BusError) {
            let owner = try await bus.owner(starting: Self.name, within: limit)
            // Before any other call: the portal accepts it only then.
            if !state.withLock({ $0.isRegistered }) {
                try await register()
                state.withLock { if $0.owner == owner { $0.isRegistered = true } }
            }
            guard let version = try await property("version").integer(UInt32.self) else {
                throw BusError(.unexpectedReply, "The portal's version is no number.")
            }
            guard version > 1 else { return .success(PortalProfile(version: version)) }
            let options = try await property("SupportedOptions")
            return .success(PortalProfile(version: version, options: options))
        } catch { return .failure(NoticeError(portal: error)) }
    }

    private func property(_ name: String) async throws(BusError) -> BusValue {
        try await bus.property(name, of: Self.interface, at: Self.path, on: Self.name, within: limit)
    }

    /// Registers the app with the portal. Three errors are ignored: an older portal has no such call, in a sandbox the
    /// portal already knows the app, and a portal that doesn't know the app shows its notices without a name.
    private func register() async throws(BusError) {
        let registry = BusObject(Self.name, Self.path, "org.freedesktop.host.portal.Registry", timeout: limit)
        do throws(BusError) {
            try await bus.call(registry.call("Register", [.string(app.id), .options([:])]))
        } catch {
            switch error.code {
            case .unknownMember: return
            case .remoteError, .accessDenied, .unexpectedReply:
                if error.name == "org.freedesktop.portal.Error.NotAllowed" { return }
                reportUnknownApp(error)
            default: throw error
            }
        }
    }

    private func reportUnknownApp(_ error: BusError) {
        let isNews = state.withLock { state in
            defer { state.hasReportedUnknownApp = true }
            return !state.hasReportedUnknownApp
        }
        guard isNews else { return }
        let text =
            "The portal does not know the app '\(app.id)' and shows its notices without name: install "
            + "\(app.id).desktop in ~/.local/share/applications."
        report(.error(NoticeError(.backendMessage, text, cause: error.message)))
    }

    // MARK: showing

    /// Sends a notice and returns the lost features. If the portal refuses it, it is sent again without the entries
    /// that may be the cause. So is one with an image or sound if the bus passes no descriptors.
    func add(
        _ message: PortalMessage,
        as handle: String
    ) async throws(NoticeError) -> [DeliveryReceipt.LostFeature] {
        do throws(BusError) {
            try await send(message.full, message, handle)
            return message.lost
        } catch {
            let isRefused = error.code == .remoteError && error.name != "org.freedesktop.portal.Error.NotAllowed"
            guard isRefused || error.code == .unsupported, let plain = message.plain else {
                throw NoticeError(portal: error)
            }
            do throws(BusError) { try await send(plain, message, handle) } catch {
                throw NoticeError(portal: error)
            }
            let reason = isRefused ? "the portal refused it" : "the bus passes no files to the portal"
            return message.lost
                + message.lostWhenPlain.map { DeliveryReceipt.LostFeature($0.feature, reason + $0.detail) }
        }
    }

    /// If the reply arrives after the timeout, the caller has already counted the delivery as failed. The late notice
    /// is therefore removed, unless it was sent again since, or has replaced the former one, which counts as delivered.
    private func send(
        _ notification: BusValue,
        _ message: PortalMessage,
        _ handle: String
    ) async throws(BusError) {
        let call = portal.call("AddNotification", [.string(handle), notification], expects: "")
        let shown = Shown(deliveryID: message.delivery.id, isResident: message.content.desktop.isResident)
        let isReplacing = message.delivery.replaces?.handle == handle
        let sending = state.withLock { state in
            state.lastSending += 1
            state.sendings.insert(state.lastSending, for: handle)
            return state.lastSending
        }
        let result = await bus.callToTheEnd(call) { result in
            // Runs before the next signal is processed: from now on, responses to the former notice are too late.
            if case .success = result { self.state.withLock { $0.shown.insert(shown, for: handle) } }
        } late: { [self] late in
            guard case .success = late, state.withLock({ $0.sendings[handle] == sending }) else { return }
            if isReplacing {
                state.withLock { $0.shown.insert(shown, for: handle) }
            } else {
                // If sending fails, the bus is gone: nobody else can remove the notice.
                try? bus.send(removal(of: handle))
            }
        }
        _ = try result.get()
    }

    func remove(_ handle: String) async throws(NoticeError) {
        // Also removes notices of an earlier run of this program.
        _ = try await profile()
        do throws(BusError) {
            try await bus.call(removal(of: handle))
        } catch { throw NoticeError(portal: error) }
        state.withLock { $0.shown[handle] = nil }
    }

    private func removal(of handle: String) -> BusMethodCall {
        portal.call("RemoveNotification", [.string(handle)], expects: "")
    }

    private var portal: BusObject { BusObject(Self.name, Self.path, Self.interface, timeout: limit) }
}
