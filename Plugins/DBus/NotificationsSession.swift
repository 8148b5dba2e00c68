import Belfry
import BelfryBus
import Synchronization

/// One run of the backend: its connection, the server of the moment, and what that shows of ours.
///
/// What the bus brings comes on the connection's queue in the order in which the server sent it: the answer to `Notify`
/// always before the signals about that notice. So an identifier that isn't known here is another program's.
final class NotificationsSession: Sendable {
    let bus: BusConnection
    private let report: @Sendable (BackendEvent) -> Void
    private let state = Mutex(State())
    /// Open while answers are listened for: nothing is shown before.
    private let listening = StartGate()

    private struct State {
        /// The unique name of the server of the moment.
        var owner: String?
        /// That server on that bus: a bus that is started again gives the same names to others.
        var instance: String?
        var server: NotificationServer?
        var shown: [UInt32: Shown] = [:]
    }

    private struct Shown {
        var replyIdentifier: String?
        var isResident: Bool
        var isAnswered = false
        var activationToken: String?
    }

    static let name = "org.freedesktop.Notifications"
    static let path: BusObjectPath = "/org/freedesktop/Notifications"

    init(_ address: BusAddress, _ report: @escaping @Sendable (BackendEvent) -> Void) {
        bus = BusConnection(to: address)
        self.report = report
    }

    /// Listens until the task is cancelled.
    func run() async {
        var registrations: [BusSubscription] = []
        let states = bus.states()
        bus.start()
        for await state in states {
            if case .disconnected = state { listening.refuse() }
            guard case .connected = state, registrations.isEmpty else { continue }
            do throws(BusError) {
                // Signals before the owner: nothing of a server that is just known is missed.
                let signals = try await bus.subscribe(
                    BusMatch(sender: Self.name, path: Self.path, interface: Self.name)
                ) { [weak self] in self?.received($0) }
                let owner = try await bus.watchOwner(of: Self.name) { [weak self] in self?.ownerChanged($0) }
                registrations = [signals, owner]
                listening.open()
            } catch  where error.isTransient {
                // The bus went away meanwhile; its return is another state.
                continue
            } catch {
                report(.problem(Self.error(error)))
                listening.refuse()
            }
        }
        listening.close()
        listening.refuse()
        withExtendedLifetime(registrations) {}
        await bus.close()
    }

    private func ownerChanged(_ owner: String?) {
        let instance = owner.map(instance)
        let before = state.withLock { state in
            let before = state.instance
            // Identifiers die with the server that gave them.
            if before != instance { state = State(owner: owner, instance: instance) }
            return before
        }
        guard before != instance else { return }
        if let before { report(.serverGone(server: before)) }
        if let instance { report(.serverCame(server: instance)) }
    }

    /// What a receipt names a server by.
    func instance(of owner: String) -> String { "\(owner)@\(bus.busID ?? "")" }

    // MARK: calls

    private func call(
        _ method: String,
        _ arguments: [BusValue] = [],
        to owner: String,
        expects: BusSignature,
        limit: Duration
    ) -> BusMethodCall {
        BusMethodCall(
            to: owner,
            Self.path,
            Self.name,
            method,
            arguments,
            expects: expects,
            timeLimit: limit
        )
    }

    /// Who shows notices now, with what it can. Starts one that the bus can start.
    func server(within limit: Duration) async throws(NoticeError) -> (owner: String, NotificationServer) {
        // Without a bus nobody is kept waiting.
        if case .disconnected(let error, _) = bus.state { throw Self.error(error) }
        guard await listening.wait(within: limit) else {
            if case .disconnected(let error, _) = bus.state { throw Self.error(error) }
            throw NoticeError(.noBus, "The session bus is not there yet: try again later.")
        }
        do throws(BusError) {
            let owner: String
            if let known = state.withLock({ $0.owner }) {
                owner = known
            } else if let found = try await bus.owner(of: Self.name) {
                owner = found
            } else {
                _ = try await bus.startService(Self.name, timeLimit: limit)
                guard let started = try await bus.owner(of: Self.name) else {
                    throw BusError(.noOwner, "The notification server ended as soon as it was started.")
                }
                owner = started
            }
            if let server = state.withLock({ $0.owner == owner ? $0.server : nil }) { return (owner, server) }
            let identity = try await bus.call(
                call("GetServerInformation", to: owner, expects: "ssss", limit: limit)
            )
            let listed = try await bus.call(call("GetCapabilities", to: owner, expects: "as", limit: limit))
            let texts = identity.map { $0.string ?? "" }
            let server = NotificationServer(
                name: texts[0],
                vendor: texts[1],
                version: texts[2],
                capabilities: listed.first?.strings ?? []
            )
            state.withLock { if $0.owner == owner { $0.server = server } }
            return (owner, server)
        } catch { throw Self.error(error) }
    }

    func notify(
        _ message: NotifyMessage,
        isResident: Bool,
        to owner: String,
        within limit: Duration
    ) async throws(NoticeError) -> UInt32 {
        let call = call("Notify", message.arguments, to: owner, expects: "u", limit: limit)
        let result: Result<UInt32, BusError> = await withCheckedContinuation { continuation in
            do throws(BusError) {
                try bus.call(call) { result in
                    let id = result.map { values in values.first?.integer(UInt32.self) ?? 0 }
                    // Before the next message from the server is looked at: it may be the answer to this notice.
                    if case .success(let id) = id, id != 0 {
                        self.remember(
                            id,
                            Shown(replyIdentifier: message.replyIdentifier, isResident: isResident),
                            of: owner
                        )
                    }
                    continuation.resume(returning: id)
                }
            } catch { continuation.resume(returning: .failure(error)) }
        }
        do throws(BusError) { return try result.get() } catch { throw Self.error(error) }
    }

    private func remember(_ id: UInt32, _ shown: Shown, of owner: String) {
        let isNews = state.withLock { state in
            // Known to have gone meanwhile: what comes of it is not heard any more.
            let isNews = state.owner == nil
            if isNews {
                state.owner = owner
                state.instance = instance(of: owner)
            }
            if state.owner == owner { state.shown[id] = shown }
            return isNews
        }
        if isNews { report(.serverCame(server: instance(of: owner))) }
    }

    /// What isn't there any more is no error.
    func close(_ id: UInt32, of instance: String, within limit: Duration) async throws(NoticeError) {
        guard let owner = state.withLock({ $0.instance == instance && $0.shown[id] != nil ? $0.owner : nil }) else {
            return
        }
        do throws(BusError) {
            try await bus.call(call("CloseNotification", [.uint32(id)], to: owner, expects: "", limit: limit))
        } catch {
            switch error.code {
            case .remoteError, .noOwner, .noReply: return
            default: throw Self.error(error)
            }
        }
    }

    // MARK: signals

    private func received(_ signal: BusSignal) {
        guard let id = signal.arguments.first?.integer(UInt32.self), signal.arguments.count == 2 else { return }
        let event = state.withLock { state -> BackendEvent? in
            guard let owner = state.owner, owner == signal.sender, let shown = state.shown[id] else { return nil }
            let reference = ReceiptReference(handle: String(id), server: state.instance)
            switch (signal.member, signal.arguments[1]) {
            case ("NotificationClosed", .uint32(let reason)):
                state.shown[id] = nil
                return .closed(reference, CloseReason(rawValue: reason))
            case ("ActivationToken", .string(let token)):
                state.shown[id]?.activationToken = token
                return nil
            case ("ActionInvoked", .string(let key)):
                guard shown.isResident || !shown.isAnswered else { return nil }
                state.shown[id]?.isAnswered = true
                let action = key == NotifyMessage.replyKey ? shown.replyIdentifier ?? key : key
                return .answered(reference, action: action, text: nil, activationToken: shown.activationToken)
            case ("NotificationReplied", .string(let text)):
                guard shown.isResident || !shown.isAnswered else { return nil }
                state.shown[id]?.isAnswered = true
                return .answered(
                    reference,
                    action: shown.replyIdentifier ?? NotifyMessage.replyKey,
                    text: text,
                    activationToken: shown.activationToken
                )
            default: return nil
            }
        }
        if let event { report(event) }
    }

    // MARK: errors

    static func error(_ error: BusError) -> NoticeError {
        let code: NoticeError.Code =
            switch error.code {
            case .noBus, .disconnected, .invalidAddress, .authenticationFailed: .noBus
            case .noOwner, .noReply: .noServer
            case .timedOut, .peerOverdue: .serverTimedOut
            case .limitsExceeded, .outgoingFull, .outOfMemory: .serverBusy
            case .closed, .cancelled: .backendStopped
            case .invalidValue, .invalidName, .invalidSignature, .tooLarge: .invalidContent
            case .remoteError: isBusy(error.name) ? .serverBusy : .rejected
            default: .rejected
            }
        return NoticeError(code, error.message, cause: error.cause ?? error.name)
    }

    /// The names under which servers say that they show too many already.
    private static func isBusy(_ name: String?) -> Bool {
        [
            "org.freedesktop.Notifications.MaxNotificationsExceeded",
            "org.freedesktop.Notifications.Error.ExcessNotificationGeneration",
            "org.gtk.GDBus.UnmappedGError.Quark._notify_2ddaemon_2derror_2dquark.Code1",
            "org.freedesktop.DBus.GLib.UnmappedError.NotifyOsd.Code1",
        ].contains(name ?? "")
            || (name?.hasPrefix("org.gtk.GDBus.UnmappedGError") == true && name?.hasSuffix("Code1") == true)
    }
}
