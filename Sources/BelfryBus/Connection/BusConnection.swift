package import BelfryLoop
import CDBus
import Synchronization

/// A private connection to a bus.
///
/// All of its work runs on one thread of its own, which it never blocks. Calls are sent in the order in which they are
/// made, and at most ``BusConfiguration/window`` of them await a reply at a time. When the bus is lost, all open calls
/// fail with ``BusError/Code/disconnected``, and the connection tries to reconnect. It restores match rules, owned
/// names and exported objects before it sends anything else.
///
/// Close it with ``close()``, or release the last reference to it.
///
/// ```swift
/// let bus = BusConnection()
/// try await bus.connect()
/// let names = try await bus.call(BusMethodCall(to: "org.freedesktop.DBus", "/org/freedesktop/DBus",
///     "org.freedesktop.DBus", "ListNames", expects: "as"))
/// ```
public final class BusConnection: Sendable {
    let core: BusCore

    /// Creates a connection that does nothing before ``connect()`` or ``start()``.
    ///
    /// - Parameters:
    ///   - address: The bus.
    ///   - configuration: Timeouts, limits, and whether to reconnect.
    ///   - executor: Runs the asynchronous handlers of exported methods; nil for Swift's default executor.
    public convenience init(
        to address: BusAddress = .session,
        configuration: BusConfiguration = BusConfiguration(),
        replyingOn executor: (any TaskExecutor)? = nil
    ) {
        self.init(to: address, configuration: configuration, replyingOn: executor, on: EventLoop(named: "belfry-bus"))
    }

    /// Creates a connection on the caller's event loop, so that a message wakes no other thread.
    package init(
        to address: BusAddress = .session,
        configuration: BusConfiguration = BusConfiguration(),
        replyingOn executor: (any TaskExecutor)? = nil,
        on loop: EventLoop
    ) {
        core = BusCore(address, configuration, replyingOn: executor, on: loop)
    }

    deinit { core.perform { $0.close() } }

    /// Connects, and returns once connected. A failed first attempt is not retried; a lost connection is.
    ///
    /// - Throws: The error of the attempt: immediately if there is no bus, else within
    ///   ``BusConfiguration/connectTimeout``. ``BusError/Code/noBus`` is transient. Permanent are
    ///   ``BusError/Code/invalidAddress``, ``BusError/Code/authenticationFailed`` and, after ``close()``,
    ///   ``BusError/Code/closed``.
    public func connect() async throws(BusError) {
        try await core.result { core, completion in core.connect(completion: completion) }
    }

    /// Starts connecting and retries until it succeeds, with the pauses of ``BusConfiguration/reconnection``; see
    /// ``states()``. Calls made meanwhile wait for the current attempt.
    public func start() { core.perform { $0.start() } }

    /// Closes the connection permanently: open calls fail with ``BusError/Code/closed``, and sequences end. Returns
    /// when that is done.
    public func close() async {
        await withCheckedContinuation { continuation in
            core.perform { core in
                core.close()
                continuation.resume()
            }
        }
    }

    /// The current state of the connection.
    public var state: BusState { core.outlook.withLock { $0.state } }

    /// The unique name that the bus assigned, such as `:1.42`; nil while not connected.
    public var uniqueName: String? {
        if case .connected(let name) = state { name } else { nil }
    }

    /// The identifier of the current or most recent bus; nil before the first connection.
    ///
    /// A restarted bus has a new identifier and assigns the same unique names again. To identify a peer across
    /// restarts, compare both.
    public var busID: String? { core.outlook.withLock { $0.busID } }

    /// The current state, then each change. Buffers up to 64 states, then drops the oldest.
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

    /// Calls a method and returns the values of its reply.
    ///
    /// - Throws: Immediately and permanently an error in the call itself: ``BusError/Code/invalidName``,
    ///   ``BusError/Code/invalidValue``, ``BusError/Code/invalidSignature`` or ``BusError/Code/tooLarge``. After
    ///   ``close()``, ``BusError/Code/closed`` (permanent). Transient are ``BusError/Code/timedOut`` after the call's
    ///   timeout, ``BusError/Code/disconnected`` without a bus, and ``BusError/Code/cancelled`` with the task.
    ///   Otherwise the error of the reply, with its own ``BusError/isTransient``.
    @discardableResult
    public func call(_ call: BusMethodCall) async throws(BusError) -> [BusValue] {
        let id = core.newID()
        let message = try core.checked(call)
        let result: Result<[BusValue], BusError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let pending = PendingCall(call, message, id: id) { continuation.resume(returning: $0) }
                core.perform { $0.accept(pending) }
                // If the task was canceled earlier, `onCancel` ran before the call was accepted.
                if Task.isCancelled { core.perform { $0.cancel(id) } }
            }
        } onCancel: {
            core.perform { $0.cancel(id) }
        }
        return try result.get()
    }

    /// Calls a method and passes the reply to `completion`. That is called once, on the connection's thread, in order
    /// with arriving signals; it must not block.
    ///
    /// - Parameters:
    ///   - call: The method and its arguments.
    ///   - late: Called with a reply that arrives after ``BusError/Code/timedOut``, because the effects of a slow
    ///     peer's work may have to be undone. Called at most once, and never if the connection is lost first.
    ///   - completion: Receives the values of the reply, or the error.
    /// - Throws: An error in the call itself, all permanent: ``BusError/Code/invalidName``,
    ///   ``BusError/Code/invalidValue``, ``BusError/Code/invalidSignature``, ``BusError/Code/tooLarge``. Then
    ///   `completion` is not called.
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

    /// Calls a method and ignores the cancellation of the task. `noted` receives the result on the connection's thread,
    /// before the next message from the bus is processed.
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

    /// Returns a property of a peer's object, without the variants around it.
    package func property(
        _ property: String,
        of interface: String,
        at path: BusObjectPath,
        on destination: String,
        within timeout: Duration
    ) async throws(BusError) -> BusValue {
        let arguments: [BusValue] = [.string(interface), .string(property)]
        var call = BusMethodCall(to: destination, path, DBUS_INTERFACE_PROPERTIES, "Get", arguments, expects: "v")
        call.timeout = timeout
        return try await self.call(call)[0].unwrapped
    }

    /// Calls a method without expecting a reply. Messages that are in flight when the bus is lost are lost too, and so
    /// are messages with file descriptors on a bus that does not pass them.
    ///
    /// - Throws: ``BusError/Code/disconnected`` without a bus, and ``BusError/Code/outgoingFull`` (both transient).
    ///   Permanent are ``BusError/Code/closed``, and the errors in the call itself: ``BusError/Code/invalidName``,
    ///   ``BusError/Code/invalidValue``, ``BusError/Code/invalidSignature`` and ``BusError/Code/tooLarge``.
    public func send(_ call: BusMethodCall) throws(BusError) {
        try post(try call.message(limit: core.configuration.messageLimit, expectsReply: false))
    }

    /// Emits a signal, in order with calls.
    ///
    /// - Throws: The errors of ``send(_:)``: transient without a bus or with too many unsent bytes, else permanent.
    public func emit(_ signal: BusSignal) throws(BusError) {
        try post(try signal.message(limit: core.configuration.messageLimit))
    }

    private func post(_ message: WireMessage) throws(BusError) {
        let limit = core.configuration.outgoingLimit
        let failure = core.outlook.withLock { outlook -> BusError? in
            guard case .connected = outlook.state else { return Self.notConnected(outlook.state) }
            // A message is always accepted if nothing else waits, however long it is.
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
