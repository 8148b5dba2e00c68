public import Belfry
public import BelfryBus
public import FoundationEssentials

/// An app that the bus starts, for example when the user clicks a notice of an app that has ended.
///
/// It implements `org.freedesktop.Application` under the app's identifier (Desktop Entry Specification, "D-Bus
/// Activation"). The app's `.desktop` file has `DBusActivatable=true`, and a D-Bus service file names its program:
/// `belfry app install --activatable` writes both. An app whose toolkit already owns the name (`GApplication`,
/// `KDBusService`) needs none of this.
///
/// ```swift
/// try await center.run { center in
///     try await ActivatableApp(app, activate: { token in print("raise the window", token ?? "") }).run {
///         // … the app …
///     }
/// }
/// ```
///
/// Responses to notices still arrive as a ``Belfry/NoticeResponse`` of the center. With the agent, the center receives
/// them when it runs. With the portal, create the backend by ``PortalBackend/init(activating:bus:timeouts:)`` instead
/// of calling ``run(on:isolation:_:)``.
public struct ActivatableApp: Sendable {
    let identity: AppIdentity
    private let activate: @concurrent @Sendable (_ token: String?) async -> Void
    private let action:
        (@concurrent @Sendable (_ name: String, _ parameter: BusValue?, _ token: String?) async -> Void)?
    private let open: (@concurrent @Sendable (_ urls: [URL], _ token: String?) async -> Void)?

    /// Creates the app; nothing happens before it runs.
    ///
    /// Calls are acknowledged immediately and then handled one after the other, in the order in which they arrived. A
    /// token permits raising a window (xdg-activation, startup notification); it is nil if the caller sent none.
    ///
    /// - Parameters:
    ///   - identity: The app; its identifier is the name on the bus.
    ///   - activate: Shows the app; the default does nothing, since the app is running by then.
    ///   - action: Performs an action of the `.desktop` file, or one that another program calls. Without it, such calls
    ///     are refused.
    ///   - open: Opens files or URLs. Without it, such calls are refused.
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

    /// Owns the app's name on the bus while `body` runs, and handles the calls to it. Acknowledged calls are handled
    /// before this returns, unless the task is canceled. After a loss of the bus, the name is requested again.
    ///
    /// Call it inside of the center's run. A response that arrives while the app is ending then finds either the
    /// center, or a free name for which the bus starts the app again.
    ///
    /// Rethrows errors of `body`. Throws ``Belfry/NoticeError/Code/noBus`` (transient),
    /// ``Belfry/NoticeError/Code/appRuns`` if another process owns the name (permanent while it does; see
    /// ``forward(_:on:)``), and permanently ``Belfry/NoticeError/Code/unsupported`` if the bus denies it, and
    /// ``Belfry/NoticeError/Code/invalidIdentifier`` if the identifier is not a valid bus name.
    ///
    /// - Parameters:
    ///   - address: The bus; other buses than the session's are for tests.
    ///   - isolation: The isolation of `body`, which is the caller's.
    ///   - body: The app, with its center.
    @discardableResult
    public func run<Value: Sendable>(
        on address: BusAddress = .session,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        // As in the center's run: without this, awaits here would resume on Swift's default executor.
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
                "\(Self.taken(identity.id)): the app runs already. Call forward before the center runs, or end one of "
                    + "them."
            )
        }
        let result = await Result(catching: body)
        // Once this is acknowledged, no call is lost: the bus starts the app again for later ones.
        try? await bus.releaseName(identity.id)
        await service.end()
        await bus.close()
        return try result.get()
    }

    static func taken(_ id: String) -> String { "Another program has the name '\(id)' on the bus" }
}

extension ActivatableApp {
    /// The maximum number of calls that wait to be handled; further ones are refused.
    private static let waitingLimit = 256

    /// The exported object, and the task that handles its calls.
    struct Service {
        let subscription: BusSubscription
        let handling: Task<Void, Never>

        /// Returns when all received calls are handled; canceling the task cancels the handling.
        fileprivate func end() async {
            subscription.cancel()
            await withTaskCancellationHandler {
                await handling.value
            } onCancel: {
                handling.cancel()
            }
        }
    }

    /// Exports the object until the subscription is canceled or released. `own` receives each call first, on the
    /// connection's thread, and returns true if it has handled it.
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
                throw BusError.reply("org.freedesktop.DBus.Error.LimitsExceeded", "\(identity.id) is busy.")
            }
        }
        let export = try await bus.export([interface], at: try ApplicationInterface.path(of: identity.id))
        // On the threads for app code, because it may block.
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
    /// Another process owns the app's name on the bus, or refused a forwarded activation. Permanent while it runs.
    public static let appRuns = Self(rawValue: "appRuns")
}
