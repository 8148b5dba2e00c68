import BelfryLoop
import CDBus
import Synchronization

/// How the parts of a connection hear of the end of what they asked for: once, on its thread.
typealias Completion<Value> = @Sendable (Result<Value, BusError>) -> Void

/// All that a connection is, on its thread.
///
/// `@unchecked Sendable`: `loop`, `configuration`, `executor`, `address`, `inbox`, `outlook` and `lastID` are
/// constants or behind locks; every other property is touched on `loop` only.
final class BusCore: @unchecked Sendable {
    let address: BusAddress
    let configuration: BusConfiguration
    let executor: (any TaskExecutor)?
    let loop: EventLoop
    /// What other threads have asked for, in order.
    let inbox = Mutex(Inbox())
    /// What other threads may see without asking.
    let outlook = Mutex(Outlook())
    private let lastID = Atomic<UInt64>(0)

    struct Inbox {
        var jobs: [@Sendable (BusCore) -> Void] = []
        var isDraining = false
    }

    struct Outlook {
        var state = BusState.idle
        var busID: String?
        /// Bytes that wait: in the inbox, and in libdbus.
        var inboxLength = 0
        var unsentLength = 0
        var listeners: [UInt64: AsyncStream<BusState>.Continuation] = [:]
    }

    enum Phase {
        case idle
        case opening
        case greeting(WireConnection)
        case connected(WireConnection)
        case waiting
        case closed
    }

    var phase = Phase.idle
    /// Changes with every attempt and every loss, so that what belongs to an old connection is recognised.
    var generation: UInt64 = 0
    /// Failed ones since the last connection that lasted.
    var attempts = 0
    /// When the bus has let us in; nil while it hasn't.
    var greetedTime: SuspendingClock.Instant?
    /// The address that a socket is being opened to, which may take longer than the attempt that asked for it.
    var opening: String?
    var keepsTrying = false
    var connectWaiters: [Completion<Void>] = []
    var lastFailure: BusError?

    var calls: CallTable
    /// When the timer for overdue calls goes off; nil where none is set.
    var timerTime: SuspendingClock.Instant?
    var decoder = WireDecoder()

    var rules: [BusRule: RuleState] = [:]
    var subscriptions: [UInt64: Subscription] = [:]
    var ownedNames: [String: OwnedName] = [:]
    lazy var standardInterfaces = makeStandardInterfaces()
    var objects: [BusObjectPath: [String: BusInterface]] = [:]
    var answering: [UInt64: AnsweringCall] = [:]
    /// By caller.
    var answeringCounts: [String: Int] = [:]

    init(
        _ address: BusAddress,
        _ configuration: BusConfiguration,
        answeringOn executor: (any TaskExecutor)?,
        on loop: EventLoop
    ) {
        self.executor = executor
        self.loop = loop
        self.address = address
        self.configuration = configuration
        calls = CallTable(window: configuration.window)
    }

    // MARK: from other threads

    /// Another one each time.
    func newID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }

    func perform(_ job: @escaping @Sendable (BusCore) -> Void) {
        let mustDrain = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isDraining = true }
            return !inbox.isDraining
        }
        if mustDrain { loop.perform { self.drain() } }
    }

    /// Runs `body` on the thread, which ends it by giving the result, once.
    func result<Value: Sendable>(
        _ body: @escaping @Sendable (BusCore, @escaping Completion<Value>) -> Void
    ) async throws(BusError) -> Value {
        let result: Result<Value, BusError> = await withCheckedContinuation { continuation in
            perform { core in body(core) { continuation.resume(returning: $0) } }
        }
        return try result.get()
    }

    // MARK: on the thread

    /// One batch at a time: between two of them the socket is read.
    private func drain() {
        runJobs()
        afterSending()
        let hasMore = inbox.withLock { inbox in
            inbox.isDraining = !inbox.jobs.isEmpty
            return inbox.isDraining
        }
        if hasMore { loop.perform { self.drain() } }
    }

    /// What was asked for so far; also when the socket was read, before the messages are looked at: what arrives after a
    /// subscription was cancelled is not handed over to it.
    func runJobs() {
        let jobs = inbox.withLock { inbox in
            defer { inbox.jobs = [] }
            return inbox.jobs
        }
        for job in jobs { job(self) }
    }

    /// The connection, where there is one to send on.
    var wire: WireConnection? {
        switch phase {
        case .connected(let wire), .greeting(let wire): wire
        default: nil
        }
    }

    /// Sends what needs no answer; on no bus it is lost, as its sender was told or will be.
    func post(_ message: WireMessage) {
        guard case .connected(let wire) = phase, !message.carriesDescriptors || wire.canSendDescriptors else { return }
        _ = wire.send(message)
    }

    func afterSending() {
        wire?.checkConnected()
        noteUnsent()
    }

    /// Both at once: what has left the inbox and isn't counted as unsent yet would be room for as much again.
    func noteUnsent(outOfInbox length: Int = 0) {
        let unsent = wire?.unsentLength ?? 0
        outlook.withLock { outlook in
            outlook.unsentLength = unsent
            outlook.inboxLength -= length
        }
    }

    func setState(_ state: BusState) {
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

    /// A message that has arrived.
    func receive(_ message: OpaquePointer, on generation: UInt64) {
        guard generation == self.generation else { return }
        let sender = dbus_message_get_sender(message).map { String(cString: $0) } ?? ""
        switch dbus_message_get_type(message) {
        case BusMessageKind.methodReturn, BusMessageKind.error: receiveAnswer(message, from: sender)
        case BusMessageKind.signal: receiveSignal(message, from: sender)
        case BusMessageKind.methodCall: receiveCall(message, from: sender)
        // The specification: messages of a kind that isn't known are ignored.
        default: break
        }
    }
}
