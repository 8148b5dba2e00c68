import BelfryLoop
import CDBus
import Synchronization

/// Receives the result of a request to the connection: called once, on the connection's thread.
typealias Completion<Value> = @Sendable (Result<Value, BusError>) -> Void

/// The whole state of a connection, confined to its thread.
///
/// `@unchecked Sendable`: `loop`, `configuration`, `executor`, `address`, `inbox`, `outlook` and `lastID` are
/// constants, atomic or behind locks; every other property is accessed on `loop` only.
final class BusCore: @unchecked Sendable {
    let address: BusAddress
    let configuration: BusConfiguration
    let executor: (any TaskExecutor)?
    let loop: EventLoop
    /// The jobs from other threads, in order.
    let inbox = Mutex(Inbox())
    /// The state that other threads can read directly.
    let outlook = Mutex(Outlook())
    private let lastID = Atomic<UInt64>(0)

    struct Inbox {
        var jobs: [@Sendable (BusCore) -> Void] = []
        var isDraining = false
    }

    struct Outlook {
        var state = BusState.idle
        var busID: String?
        /// The unsent bytes: in the inbox, and behind a full socket.
        var inboxLength = 0
        var unsentLength = 0
        var listeners: [UInt64: AsyncStream<BusState>.Continuation] = [:]
    }

    /// The same as in `outlook`.
    private(set) var state = BusState.idle
    /// The connection to send on: once its socket is open, which is before the bus has accepted the greeting.
    var wire: WireConnection?
    /// Changes with every attempt and every loss, so that callbacks of an old connection are recognized.
    var generation: UInt64 = 0
    /// Failed attempts since the last connection that lasted.
    var attempts = 0
    /// When the bus accepted the greeting; nil before.
    var greetedTime: SuspendingClock.Instant?
    /// The address to which a socket is being opened. That may take longer than the attempt that started it.
    var opening: String?
    var keepsTrying = false
    var connectWaiters: [Completion<Void>] = []
    var lastFailure: BusError?

    var calls: CallTable
    /// When the timer for call deadlines fires; nil if none is set.
    var timerTime: SuspendingClock.Instant?
    var decoder = WireDecoder()

    var rules: [BusRule: RuleState] = [:]
    var subscriptions: [UInt64: Subscription] = [:]
    /// The subscriptions that wait until their rules are ready, oldest first.
    var starting: [(subscription: Subscription, completion: Completion<UInt64>)] = []
    var ownedNames: [String: OwnedName] = [:]
    lazy var standardInterfaces = makeStandardInterfaces()
    var objects: [BusObjectPath: [String: BusInterface]] = [:]
    var runningCalls: [UInt64: RunningCall] = [:]
    /// The count of calls being handled, by caller.
    var runningCounts: [String: Int] = [:]

    init(
        _ address: BusAddress,
        _ configuration: BusConfiguration,
        replyingOn executor: (any TaskExecutor)?,
        on loop: EventLoop
    ) {
        self.executor = executor
        self.loop = loop
        self.address = address
        self.configuration = configuration
        calls = CallTable(window: configuration.window)
    }

    // MARK: from other threads

    /// Returns a new unique identifier.
    func newID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }

    func perform(_ job: @escaping @Sendable (BusCore) -> Void) {
        let mustDrain = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isDraining = true }
            return !inbox.isDraining
        }
        if mustDrain { loop.perform { self.drain() } }
    }

    /// Runs `body` on the connection's thread, and returns the result that it passes to its completion once.
    func result<Value: Sendable>(
        _ body: @escaping @Sendable (BusCore, @escaping Completion<Value>) -> Void
    ) async throws(BusError) -> Value {
        let result: Result<Value, BusError> = await withCheckedContinuation { continuation in
            perform { core in body(core) { continuation.resume(returning: $0) } }
        }
        return try result.get()
    }

    // MARK: on the thread

    /// Runs one batch of jobs, so that the socket is read between batches.
    private func drain() {
        runJobs()
        afterSending()
        let hasMore = inbox.withLock { inbox in
            inbox.isDraining = !inbox.jobs.isEmpty
            return inbox.isDraining
        }
        if hasMore { loop.perform { self.drain() } }
    }

    /// Runs the queued jobs. Also called after each read of the socket, before messages are processed: a canceled
    /// subscription must not receive what arrives afterwards.
    func runJobs() {
        let jobs = inbox.withLock { inbox in
            defer { inbox.jobs = [] }
            return inbox.jobs
        }
        for job in jobs { job(self) }
    }

    /// Sends a message that needs no reply. Without a bus it is dropped; the sender learns of the loss separately.
    func post(_ message: WireMessage) {
        guard case .connected = state, let wire, canSend(message, on: wire) else { return }
        _ = wire.send(message)
    }

    /// Some buses don't pass file descriptors.
    func canSend(_ message: WireMessage, on wire: WireConnection) -> Bool {
        !message.carriesDescriptors || wire.canSendDescriptors
    }

    func afterSending() {
        wire?.flush()
        noteUnsent()
    }

    /// Updates both counts under one lock. Otherwise bytes that left the inbox and aren't counted as unsent yet would
    /// free room for as many again.
    func noteUnsent(outOfInbox length: Int = 0) {
        let unsent = wire?.unsentLength ?? 0
        outlook.withLock { outlook in
            outlook.unsentLength = unsent
            outlook.inboxLength -= length
        }
    }

    func setState(_ state: BusState) {
        self.state = state
        let listeners = outlook.withLock { outlook -> [AsyncStream<BusState>.Continuation] in
            outlook.state = state
            defer { if state == .closed { outlook.listeners = [:] } }
            return Array(outlook.listeners.values)
        }
        for listener in listeners {
            listener.yield(state)
            if state == .closed { listener.finish() }
        }
    }

    /// Dispatches a message that has arrived.
    func receive(_ message: OpaquePointer, on generation: UInt64) {
        guard generation == self.generation else { return }
        let sender = dbus_message_get_sender(message).map { String(cString: $0) } ?? ""
        switch dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: receiveReply(message, from: sender)
        case DBUS_MESSAGE_TYPE_SIGNAL: receiveSignal(message, from: sender)
        case DBUS_MESSAGE_TYPE_METHOD_CALL: receiveCall(message, from: sender)
        // The specification: messages of unknown types are ignored.
        default: break
        }
    }
}
