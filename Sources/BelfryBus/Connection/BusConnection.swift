package import BelfryLoop
import Synchronization

/// One private connection to a bus.
///
/// All of it runs on one thread of its own, and never blocks that. Calls are sent in the order in which they
/// are made, at most ``BusConfiguration/window`` of them unanswered at a time. When the bus is lost, every open call
/// fails with ``BusError/Code/disconnected``, and the connection seeks the bus again; match rules, owned names and
/// exported objects are put back before anything else is sent.
///
/// It is closed with ``close()`` or with the last reference to it.
///
/// ```swift
/// let bus = BusConnection()
/// try await bus.connect()
/// let names = try await bus.call(BusMethodCall(to: "org.freedesktop.DBus", "/org/freedesktop/DBus",
///     "org.freedesktop.DBus", "ListNames", expects: "as"))
/// ```
public final class BusConnection: Sendable {
    let core: BusCore

    /// Nothing happens before ``connect()`` or ``start()``.
    ///
    /// - Parameters:
    ///   - address: The bus.
    ///   - configuration: Timeouts, limits, and whether a lost connection is made again.
    ///   - executor: Where calls to exported objects are answered; nil is the pool of Swift's tasks.
    public convenience init(
        to address: BusAddress = .session,
        configuration: BusConfiguration = BusConfiguration(),
        answeringOn executor: (any TaskExecutor)? = nil
    ) {
        self.init(to: address, configuration: configuration, answeringOn: executor, on: EventLoop(named: "belfry-bus"))
    }

    /// On the thread of whoever uses it: a message then wakes up nobody else.
    package init(
        to address: BusAddress = .session,
        configuration: BusConfiguration = BusConfiguration(),
        answeringOn executor: (any TaskExecutor)? = nil,
        on loop: EventLoop
    ) {
        core = BusCore(address, configuration, answeringOn: executor, on: loop)
    }

    deinit { core.perform { $0.close() } }

    /// Returns when the connection stands. Throws how the attempt failed: at once where there is no bus
    /// (``BusError/Code/noBus``), else within ``BusConfiguration/connectLimit``. A failed first attempt is not repeated
    /// by itself; a lost connection is.
    public func connect() async throws(BusError) {
        let _: Bool = try await core.result { core, completion in
            core.connect { completion($0.map { true }) }
        }
    }

    /// Begins to connect and goes on until it succeeds, with the pauses of ``BusConfiguration/reconnection``; see
    /// ``states()``. Calls made meanwhile wait for the attempt under way.
    public func start() { core.perform { $0.start(keepTrying: true) } }

    /// Closes for good: open calls fail with ``BusError/Code/closed``, sequences end. Returns when that is done.
    public func close() async {
        // It has no failures; the closure's form has.
        _ = try? await core.result { (core, completion: @escaping Completion<Bool>) in
            core.close()
            completion(.success(true))
        }
    }

    /// Whether there is a connection now, and why not.
    public var state: BusState { core.outlook.withLock { $0.state } }

    /// The name that the bus has given, such as `:1.42`; nil while not connected.
    public var uniqueName: String? {
        if case .connected(let name) = state { name } else { nil }
    }

    /// The identifier of the bus that this is or was last connected to; nil before the first time.
    ///
    /// A bus that is started again has another one, and gives the same unique names anew: what has to be recognised
    /// over its restart needs both.
    public var busID: String? { core.outlook.withLock { $0.busID } }

    /// The state now, and every change of it. At most 64 wait to be read; then the oldest are dropped.
    public func states() -> AsyncStream<BusState> {
        let (stream, continuation) = AsyncStream.makeStream(of: BusState.self, bufferingPolicy: .bufferingNewest(64))
        let key = core.newID()
        let isOver = core.outlook.withLock { outlook in
            continuation.yield(outlook.state)
            guard outlook.state != .closed else { return true }
            outlook.listeners[key] = continuation
            return false
        }
        continuation.onTermination = { [weak core] _ in
            core?.outlook.withLock { _ = $0.listeners.removeValue(forKey: key) }
        }
        if isOver { continuation.finish() }
        return stream
    }

    // MARK: calls

    /// The values of the answer.
    ///
    /// Throws at once what is wrong with the call itself; else the error that came back, ``BusError/Code/timedOut``
    /// after the call's limit, ``BusError/Code/disconnected`` when the bus goes, ``BusError/Code/cancelled`` with the
    /// task.
    @discardableResult
    public func call(_ call: BusMethodCall) async throws(BusError) -> [BusValue] {
        let id = core.newID()
        let message = try core.checked(call)
        let result: Result<[BusValue], BusError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let pending = PendingCall(call, message, id: id) { continuation.resume(returning: $0) }
                core.perform { $0.accept(pending) }
                // A cancellation from before had nothing to cancel yet.
                if Task.isCancelled { core.perform { $0.cancel(id) } }
            }
        } onCancel: {
            core.perform { $0.cancel(id) }
        }
        return try result.get()
    }

    /// The same in the form of a function: `completion` is called once, on the connection's thread, in order with
    /// signals as they arrive; it must not block. Throws what is wrong with the call itself.
    ///
    /// - Parameters:
    ///   - call: The method and its arguments.
    ///   - late: Called with an answer that comes after ``BusError/Code/timedOut``: what a slow peer did all the same
    ///     may have to be undone. At most once, and never when the connection is lost before.
    ///   - completion: Receives the values of the reply, or the error.
    public func call(
        _ call: BusMethodCall,
        late: (@Sendable (Result<[BusValue], BusError>) -> Void)? = nil,
        completion: @escaping @Sendable (Result<[BusValue], BusError>) -> Void
    ) throws(BusError) {
        let message = try core.checked(call)
        var pending = PendingCall(call, message, id: core.newID(), completion: completion)
        pending.late = late
        core.perform { [pending] in $0.accept(pending) }
    }

    /// The same for what must go on when the task is cancelled. `noted` gets the result on the connection's thread,
    /// before the next message from the bus is looked at.
    package func callToTheEnd(
        _ call: BusMethodCall,
        noted: @escaping @Sendable (Result<[BusValue], BusError>) -> Void = { _ in },
        late: (@Sendable (Result<[BusValue], BusError>) -> Void)? = nil
    ) async -> Result<[BusValue], BusError> {
        await withCheckedContinuation { continuation in
            do throws(BusError) {
                try self.call(call, late: late) { result in
                    noted(result)
                    continuation.resume(returning: result)
                }
            } catch { continuation.resume(returning: .failure(error)) }
        }
    }

    /// A property of somebody's object, without variants around it.
    package func property(
        _ property: String,
        of interface: String,
        at path: BusObjectPath,
        on destination: String,
        within timeLimit: Duration
    ) async throws(BusError) -> BusValue {
        let arguments: [BusValue] = [.string(interface), .string(property)]
        var call = BusMethodCall(to: destination, path, StandardInterfaces.properties, "Get", arguments, expects: "v")
        call.timeLimit = timeLimit
        return try await self.call(call)[0].unwrapped
    }

    /// Calls without wanting an answer; the peer sends none. Throws ``BusError/Code/disconnected`` without a bus, and
    /// ``BusError/Code/outgoingFull``; what is on its way when the bus goes is lost.
    public func send(_ call: BusMethodCall) throws(BusError) {
        try post(try call.message(limit: core.configuration.messageLimit, expectsReply: false))
    }

    /// Sends a signal, in order with calls. Throws as ``send(_:)`` does.
    public func emit(_ signal: BusSignal) throws(BusError) {
        try post(try signal.message(limit: core.configuration.messageLimit))
    }

    private func post(_ message: WireMessage) throws(BusError) {
        let limit = core.configuration.outgoingLimit
        let failure = core.outlook.withLock { outlook -> BusError? in
            guard case .connected = outlook.state else { return Self.notConnected(outlook.state) }
            // One message always goes, however long.
            let waiting = outlook.inboxLength + outlook.unsentLength
            guard waiting == 0 || waiting + message.length <= limit else {
                return BusError(
                    .outgoingFull,
                    "\(waiting) bytes wait to be taken by the bus, \(limit) are the limit: send more slowly."
                )
            }
            outlook.inboxLength += message.length
            return nil
        }
        if let failure { throw failure }
        core.perform { core in
            core.post(message)
            core.noteUnsent(outOfInbox: message.length)
        }
    }

    private static func notConnected(_ state: BusState) -> BusError {
        switch state {
        case .closed: BusCore.closedError
        case .disconnected(let error, _):
            BusError(.disconnected, "There is no connection to the bus: wait until it is back.", cause: error.message)
        default: BusError(.disconnected, "There is no connection to the bus: connect first.")
        }
    }
}
