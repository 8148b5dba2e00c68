public import Belfry
public import BelfryBus
public import FoundationEssentials

/// An app that the bus starts, as for a click on a notice of an app that has ended.
///
/// It answers `org.freedesktop.Application` under the app's identifier (Desktop Entry Specification, "D-Bus
/// Activation"). The app's `.desktop` file says `DBusActivatable=true`, and a D-Bus service file names its program:
/// `belfry app install --activatable` writes both. An app whose toolkit has the name already (`GApplication`,
/// `KDBusService`) needs none of this.
///
/// ```swift
/// try await center.run { center in
///     try await ActivatableApp(app, activate: { token in await window.raise(with: token) }).run { … }
/// }
/// ```
///
/// What the user did with a notice is a ``Belfry/NoticeResponse`` of the center, as ever: over the agent the center
/// receives it when it runs; with the portal, make the backend by
/// ``PortalBackend/init(answering:bus:limits:)`` instead of calling ``run(on:isolation:_:)``.
public struct ActivatableApp: Sendable {
    let identity: AppIdentity
    private let activate: @concurrent @Sendable (_ token: String?) async -> Void
    private let action:
        (@concurrent @Sendable (_ name: String, _ parameter: BusValue?, _ token: String?) async -> Void)?
    private let open: (@concurrent @Sendable (_ urls: [URL], _ token: String?) async -> Void)?

    /// Creates the app; nothing happens before it runs.
    ///
    /// Each call is answered at once, and then handled: one after the other, in the order in which they came. A token is
    /// the right to raise a window (xdg-activation, startup notification); nil where the caller gave none.
    ///
    /// - Parameters:
    ///   - identity: Its identifier is the name on the bus.
    ///   - activate: The app is to show itself; the default does nothing, since the app runs then.
    ///   - action: An action of the `.desktop` file, or one that another program calls. Without it such a call is
    ///     refused.
    ///   - open: Files or addresses to open. Without it such a call is refused.
    public init(
        _ identity: AppIdentity,
        activate: @escaping @concurrent @Sendable (_ token: String?) async -> Void = { _ in },
        action: (@concurrent @Sendable (_ name: String, _ parameter: BusValue?, _ token: String?) async -> Void)? = nil,
        open: (@concurrent @Sendable (_ urls: [URL], _ token: String?) async -> Void)? = nil
    ) {
        self.identity = identity
        self.activate = activate
        self.action = action
        self.open = open
    }

    /// Has the app's name on the bus while `body` runs, and handles what comes for it. A call that was answered is
    /// handled before this returns, unless the task is cancelled. After a loss of the bus the name is asked for again.
    ///
    /// Call it inside of the center's run: a response that comes as the app ends then finds either the center or a free
    /// name, for which the app is started anew.
    ///
    /// Rethrows what `body` throws. Throws ``Belfry/NoticeError/Code/noBus`` (transient),
    /// ``Belfry/NoticeError/Code/appRuns`` where another process has the name (see ``handOver(_:on:)``),
    /// ``Belfry/NoticeError/Code/unsupported`` where the bus refuses it, and
    /// ``Belfry/NoticeError/Code/invalidIdentifier`` where the identifier is no name for the bus.
    ///
    /// - Parameters:
    ///   - address: Another bus than the session's is for tests.
    ///   - isolation: Where `body` runs: with the caller.
    ///   - body: The app, with its center.
    @discardableResult
    public func run<Value: Sendable>(
        on address: BusAddress = .session,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        // As the center's run does: what waits here would go on in the pool of Swift's tasks.
        try await withTaskExecutorPreference(AppThreads.preference, isolation: isolation) {
            try await runHere(on: address, isolation: isolation, body)
        }
    }

    private func runHere<Value: Sendable>(
        on address: BusAddress,
        isolation: isolated (any Actor)?,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let bus = BusConnection(to: address, on: CenterThread.shared.loop)
        let service: Service
        let outcome: BusNameOutcome
        do throws(BusError) {
            try await bus.connect()
            service = try await serve(on: bus)
            outcome = try await bus.requestName(identity.id, .doNotQueue)
        } catch {
            await bus.close()
            throw NoticeError(activation: error)
        }
        guard outcome != .taken else {
            await bus.close()
            throw NoticeError(
                .appRuns,
                "\(Self.taken(identity.id)): the app runs already. Call handOver before the center runs, or end one of "
                    + "them."
            )
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        // From its reply on no call comes that would be lost: the bus starts the app anew.
        try? await bus.releaseName(identity.id)
        await service.end()
        await bus.close()
        return try result.get()
    }

    static func taken(_ id: String) -> String { "Another program has the name '\(id)' on the bus" }
}

extension ActivatableApp {
    /// Calls that wait to be handled; further ones are refused.
    private static let waitingLimit = 256

    /// The object on a connection, and the task that handles what it receives.
    struct Service {
        let subscription: BusSubscription
        fileprivate let handling: Task<Void, Never>

        /// Returns when what has come is handled; a cancelled task does not wait for that.
        fileprivate func end() async {
            subscription.cancel()
            await withTaskCancellationHandler {
                await handling.value
            } onCancel: {
                handling.cancel()
            }
        }
    }

    /// Exports the object, until the subscription is cancelled or let go. `own` sees each call first, on the
    /// connection's queue: true where it has received it.
    func serve(
        on bus: BusConnection,
        own: @escaping @Sendable (ApplicationInterface.Call) throws -> Bool = { _ in false }
    ) async throws(BusError) -> Service {
        let (calls, waiting) = AsyncStream.makeStream(
            of: ApplicationInterface.Call.self,
            bufferingPolicy: .bufferingOldest(Self.waitingLimit)
        )
        let interface = ApplicationInterface.interface { call in
            guard try !own(call) else { return }
            try check(call)
            guard case .enqueued = waiting.yield(call) else {
                throw BusError.answer("org.freedesktop.DBus.Error.LimitsExceeded", "\(identity.id) is busy.")
            }
        }
        let export = try await bus.export([interface], at: try ApplicationInterface.path(of: identity.id))
        // On the threads of the app's other code: it may block.
        let handling = Task(executorPreference: AppThreads.shared) { for await call in calls { await handle(call) } }
        let subscription = BusSubscription {
            export.cancel()
            waiting.finish()
        }
        return Service(subscription: subscription, handling: handling)
    }

    private func check(_ call: ApplicationInterface.Call) throws(BusError) {
        switch call {
        case .action(let name, _, _) where action == nil:
            throw ApplicationInterface.refusal("\(identity.id) has no action '\(name.prefix(200))'.")
        case .open where open == nil: throw ApplicationInterface.refusal("\(identity.id) opens nothing.")
        default: break
        }
    }

    private func handle(_ call: ApplicationInterface.Call) async {
        switch call {
        case .activate(let token): await activate(token)
        case .action(let name, let parameters, let token): await action?(name, parameters.first, token)
        case .open(let urls, let token): await open?(urls, token)
        }
    }
}

extension NoticeError {
    init(activation error: BusError) {
        switch error.code {
        case .accessDenied: self.init(.unsupported, error.message, cause: error.cause)
        case .invalidName: self.init(.invalidIdentifier, error.message, cause: error.cause)
        default: self.init(.noBus, error.message, cause: error.cause)
        }
    }
}

extension NoticeError.Code {
    /// Another process has the app's name on the bus, or has refused what was handed over to it. Permanent while it runs.
    public static let appRuns = Self(rawValue: "appRuns")
}
