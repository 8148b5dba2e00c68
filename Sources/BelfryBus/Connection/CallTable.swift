/// A call whose caller awaits the result.
struct PendingCall: Sendable {
    let id: UInt64
    /// Empty once it is sent.
    var message: WireMessage
    /// Without its arguments, which are in the message.
    let call: BusMethodCall
    /// Time during which the machine is suspended doesn't count.
    let deadline: SuspendingClock.Instant
    var completion: Completion<[BusValue]>
    /// Receives a reply that arrives after the timeout.
    var late: Completion<[BusValue]>?

    init(_ call: BusMethodCall, _ message: WireMessage, id: UInt64, completion: @escaping Completion<[BusValue]>) {
        self.id = id
        self.message = message
        var call = call
        call.arguments = []
        self.call = call
        deadline = .now + call.timeout.bounded
        self.completion = completion
    }

    func fail(_ error: BusError) { completion(.failure(error)) }

    var destination: String { call.destination }
    /// A description for error messages.
    var summary: String { "\(call.method) of \(call.interface)" }
}

/// The calls of one connection: queued, sent, and given up while the bus still expects the reply.
///
/// A value without I/O. Calls to one destination are sent in order. Calls to others overtake them while the destination
/// has no room: it may have no more calls in flight than slots are free. One that hangs thus takes half of the slots,
/// two take two thirds, and so on: there is always room for one more. Calls to the bus itself need no slot.
struct CallTable {
    /// A call to which the bus expects a reply.
    private struct SentCall {
        enum State {
            case awaited
            case cancelled
            case overdue
        }

        let destination: String
        /// Receives the reply; nil if no caller wants it any more.
        var call: PendingCall?
        var state = State.awaited
    }

    /// The state of one connection's calls to one destination.
    private struct Peer {
        /// The identifiers of the calls to send. Given-up calls stay until they reach the front.
        var line: ArraySlice<UInt64> = []
        /// Sent calls whose callers await the reply.
        var awaited = 0
        /// Given-up calls whose reply may still arrive.
        var abandoned = 0
        /// The calls of `abandoned` whose deadline has passed.
        var overdue = 0

        mutating func count(_ state: SentCall.State, _ change: Int) {
            if state == .awaited { awaited += change } else { abandoned += change }
            if state == .overdue { overdue += change }
        }
    }

    private var peers: [String: Peer] = [:]
    private var waiting: [UInt64: PendingCall] = [:]
    /// By serial number.
    private var sent: [UInt32: SentCall] = [:]
    private let window: Int

    /// The most outstanding replies: the bus allows 128, counting given-up calls but not its own replies.
    static let mostOutstanding = 120
    /// The calls that may be in flight however many were given up. A strict bus refuses the excess itself, and the
    /// usual session bus allows 50,000.
    static let leastRoom = 8
    /// The overdue replies of one peer from which on it is sent no further calls.
    static let mostOverdue = 32

    init(window: Int) { self.window = window }

    mutating func add(_ call: PendingCall) {
        waiting[call.id] = call
        peers[call.destination, default: Peer()].line.append(call.id)
    }

    /// Removes and returns the oldest call whose destination has room for it. O(destinations).
    mutating func next() -> PendingCall? {
        guard !waiting.isEmpty else { return nil }
        var (awaited, abandoned) = (0, 0)
        for (name, peer) in peers where name != BusDriver.name {
            awaited += peer.awaited
            abandoned += peer.abandoned
        }
        let outstanding = max(Self.mostOutstanding - abandoned, Self.leastRoom)
        // Identifiers rise in the order in which calls are made.
        var best: (destination: String, id: UInt64)?
        for (destination, peer) in peers {
            guard let id = peer.line.first, best.map({ id < $0.id }) ?? true else { continue }
            // A call to a peer with too many overdue replies is failed immediately, which needs no room.
            let needsRoom = destination != BusDriver.name && peer.overdue < Self.mostOverdue
            let hasRoom =
                peer.awaited < window - awaited && peer.awaited + peer.abandoned < outstanding - awaited
            if hasRoom || !needsRoom { best = (destination, id) }
        }
        guard let best else { return nil }
        peers[best.destination]?.line.removeFirst()
        defer { settle(best.destination) }
        return waiting.removeValue(forKey: best.id)
    }

    /// Records a sent call, also one that skipped the queue.
    mutating func didSend(_ call: PendingCall, serial: UInt32) {
        var call = call
        // Its bytes and descriptors belong to what is on its way.
        call.message = WireMessage(bytes: [], descriptors: [])
        sent[serial] = SentCall(destination: call.destination, call: call)
        peers[call.destination, default: Peer()].count(.awaited, 1)
    }

    /// Returns the call to which this sender replies. After a timeout, its completion is the one for late replies.
    mutating func removeCall(repliedTo serial: UInt32, by sender: String) -> PendingCall? {
        guard let replied = sent[serial], Self.mayReply(sender, for: replied.destination) else { return nil }
        sent[serial] = nil
        peers[replied.destination]?.count(replied.state, -1)
        settle(replied.destination)
        return replied.call
    }

    /// The bus replies for peers that can't, and only the bus knows which peer owns a well-known name.
    private static func mayReply(_ sender: String, for destination: String) -> Bool {
        sender == BusDriver.name || sender == destination
            || (!BusNameRules.isUnique(destination) && destination != BusDriver.name)
    }

    func isOverdue(_ destination: String) -> Bool { (peers[destination]?.overdue ?? 0) >= Self.mostOverdue }

    /// Removes a call that its caller canceled.
    mutating func cancel(_ id: UInt64) -> PendingCall? { giveUp(id, as: .cancelled)?.call }

    /// Removes overdue calls. Returns them with whether they were sent, and the next deadline. O(calls).
    mutating func expire(
        at now: SuspendingClock.Instant
    ) -> (due: [(call: PendingCall, wasSent: Bool)], next: SuspendingClock.Instant?) {
        var next: SuspendingClock.Instant?
        var due: [PendingCall] = []
        for call in openCalls {
            if call.deadline <= now { due.append(call) } else { next = min(next ?? call.deadline, call.deadline) }
        }
        due.sort { $0.deadline < $1.deadline }
        return (due.compactMap { giveUp($0.id, as: .overdue) }, next)
    }

    private var openCalls: [PendingCall] {
        waiting.values + sent.values.filter { $0.state == .awaited }.compactMap(\.call)
    }

    private mutating func giveUp(_ id: UInt64, as state: SentCall.State) -> (call: PendingCall, wasSent: Bool)? {
        if let call = waiting.removeValue(forKey: id) {
            settle(call.destination)
            return (call, false)
        }
        guard let (serial, call) = sentCall(id) else { return nil }
        var late: PendingCall?
        if state == .overdue, let completion = call.late {
            late = call
            late?.completion = completion
        }
        sent[serial] = SentCall(destination: call.destination, call: late, state: state)
        peers[call.destination]?.count(.awaited, -1)
        peers[call.destination]?.count(state, 1)
        return (call, true)
    }

    /// Returns a call whose caller awaits the reply. O(sent calls), of which there are few.
    private func sentCall(_ id: UInt64) -> (serial: UInt32, call: PendingCall)? {
        for (serial, sent) in sent where sent.state == .awaited {
            if let call = sent.call, call.id == id { return (serial, call) }
        }
        return nil
    }

    /// Removes given-up calls from the front of the queue, and destinations without any calls.
    private mutating func settle(_ destination: String) {
        while let first = peers[destination]?.line.first, waiting[first] == nil {
            peers[destination]?.line.removeFirst()
        }
        guard let peer = peers[destination] else { return }
        if peer.line.isEmpty, peer.awaited == 0, peer.abandoned == 0 { peers[destination] = nil }
    }

    /// Removes and returns all open calls, in the order in which they were made, because the connection was lost.
    mutating func removeAll() -> [PendingCall] {
        defer { self = CallTable(window: window) }
        return openCalls.sorted { $0.id < $1.id }
    }
}
