import Belfry
public import BelfryBus
import Synchronization

/// A notification server of the project's own, on a bus of a test's own.
///
/// It does what its ``ServerProfile`` says, and what it is told to:
///
/// - a user: ``press(_:_:)``, ``reply(_:_:)``, ``close(_:_:)``;
/// - lies: ``answerNext(_:)`` for the next `Notify` (an identifier such as 0, twice the same or 2³²−1, an error,
///   nothing at all), ``lie(about:_:)`` for answers of another signature, ``emit(_:_:to:)`` for any signal,
///   ``flood(_:)`` for many of others;
/// - a bad day: ``stall()`` and ``resume()``, ``stop()`` and ``start()`` (a restart: identifiers begin anew).
///
/// What it got is in ``calls``; ``call(titled:)`` waits for it. Nothing in it waits for time to pass.
public final class ScriptedServer: Sendable {
    public static let busName = "org.freedesktop.Notifications"
    public static let path: BusObjectPath = "/org/freedesktop/Notifications"

    /// What the next `Notify` is answered.
    public enum Answer: Sendable {
        case id(UInt32)
        case error(String)
        /// Nothing, until the caller's limit.
        case never
    }

    public let profile: ServerProfile
    private let address: String
    let state = AwaitedState(State())
    private let connections = Mutex(Connections())

    struct State: Sendable {
        var calls: [NotifyCall] = []
        /// How many of them have been answered as the script says.
        var answered = 0
        var answers: [Answer] = []
        var lies: [String: [BusValue]] = [:]
        /// What stands, by identifier; `order` is that of their first showing.
        var standing: [UInt32: NotifyCall] = [:]
        var order: [UInt32] = []
        var shownAt: [UInt32: ContinuousClock.Instant] = [:]
        var nextID: UInt32 = 1
        var isStalled = false
        var held: [@Sendable () -> Void] = []
        var isInhibited = false
        var lastText: String?
    }

    private struct Connections {
        var bus: BusConnection?
        /// The shell's own, beside the one that has the name.
        var other: BusConnection?
        var exports: [BusSubscription] = []
    }

    public init(_ profile: ServerProfile, at address: String) {
        self.profile = profile
        self.address = address
    }

    // MARK: life

    /// Takes the name, on a new connection. After ``stop()`` this is another run of the server, which has forgotten
    /// all.
    public func start() async throws {
        let bus = BusConnection(to: .address(address), configuration: .quick)
        try await bus.connect()
        var other: BusConnection?
        if case .both = profile.audience {
            other = BusConnection(to: .address(address), configuration: .quick)
            try await other?.connect()
        }
        let started = other
        connections.withLock { $0 = Connections(bus: bus, other: started) }
        state.withLock { state in
            state.nextID = profile.firstID
            state.standing = [:]
            state.order = []
            state.lastText = nil
        }
        try await export()
        try await bus.requestName(Self.busName)
    }

    /// The server is gone, and its name with it.
    public func stop() async {
        let (bus, other) = connections.withLock { connections in
            defer { connections = Connections() }
            return (connections.bus, connections.other)
        }
        state.withLock { state in
            state.isStalled = false
            state.held = []
        }
        await bus?.close()
        await other?.close()
    }

    /// The connection of the moment; nil while the server is stopped.
    public var bus: BusConnection? { connections.withLock { $0.bus } }
    var otherBus: BusConnection? { connections.withLock { $0.other } }

    /// What Belfry's receipts call this run of the server.
    public var instance: String { "\(bus?.uniqueName ?? "")@\(bus?.busID ?? "")" }

    private func export() async throws {
        guard let bus else { return }
        connections.withLock { connections in
            for export in connections.exports { export.cancel() }
            connections.exports = []
        }
        let export = try await bus.export([notifications], at: Self.path)
        connections.withLock { $0.exports = [export] }
    }

    // MARK: lies and bad days

    /// Answers the next calls of `Notify` so, one after the other.
    public func answerNext(_ answers: Answer...) { state.withLock { $0.answers += answers } }

    /// From now on this method is answered with these values, whatever their types; nil is the truth again.
    public func lie(about method: String, _ values: [BusValue]?) async throws {
        state.withLock { $0.lies[method] = values }
        try await export()
    }

    /// Keeps its name and answers nothing, until ``resume()``.
    public func stall() { state.withLock { $0.isStalled = true } }

    /// Does what was asked of it meanwhile, in order.
    public func resume() {
        let held = state.withLock { state in
            defer {
                state.held = []
                state.isStalled = false
            }
            return state.held
        }
        for work in held { work() }
    }

    // MARK: what it got

    public var calls: [NotifyCall] { state.withLock { $0.calls } }

    /// The identifiers of what stands, oldest first.
    public var standing: [UInt32] { state.withLock { $0.order } }

    /// The latest call with this title; waits for it where there was none. Nil when the waiting task is canceled.
    public func call(titled title: String) async -> NotifyCall? { await call { $0.title == title } }

    public func call(where wanted: @escaping @Sendable (NotifyCall) -> Bool) async -> NotifyCall? {
        _ = await state.waitUnlessCancelled { $0.calls.prefix($0.answered).contains(where: wanted) }
        return state.current.calls.last(where: wanted)
    }
}
