/// A call whose caller waits.
struct PendingCall: Sendable {
    let id: UInt64
    let message: WireMessage
    /// Without its arguments, which are in the message.
    let call: BusMethodCall
    /// Time in which the machine is suspended does not count.
    let deadline: SuspendingClock.Instant
    var completion: Completion<[BusValue]>
    /// Takes an answer that comes after the time limit.
    var late: Completion<[BusValue]>?

    init(_ call: BusMethodCall, _ message: WireMessage, id: UInt64, completion: @escaping Completion<[BusValue]>) {
        self.id = id
        self.message = message
        var call = call
        call.arguments = []
        self.call = call
        deadline = .now + call.timeLimit.bounded
        self.completion = completion
    }

    var destination: String { call.destination }
    /// For the sentences of errors.
    var summary: String { "\(call.method) of \(call.interface)" }
}

/// The calls of one connection: in line, sent, and given up while the bus still waits for the reply.
///
/// A value without I/O. Calls to one destination are sent in the order of adding. Those to others overtake them where
/// the destination has no room: it may have no more calls under way than slots are free. One that hangs thus takes half
/// of them, two take two thirds, and so on: there is always room for one more. Calls to the bus itself need no slot.
struct CallTable {
    /// A call that the bus waits for the reply to.
    private struct SentCall {
        enum State {
            case awaited
            case cancelled
            case overdue
        }

        let destination: String
        /// What takes the reply; nil where nobody does any more.
        var call: PendingCall?
        var state = State.awaited
    }

    /// What one connection has to do with one destination.
    private struct Peer {
        /// In the order of adding over all destinations. Those that were given up stay until they are the first.
        var line: ArraySlice<(id: UInt64, position: UInt64)> = []
        /// Sent, and somebody waits for the reply.
        var awaited = 0
        /// Given up, and the reply may still come.
        var abandoned = 0
        /// Those of `abandoned` whose time limit has passed.
        var overdue = 0

        mutating func count(_ state: SentCall.State, _ change: Int) {
            if state == .awaited { awaited += change } else { abandoned += change }
            if state == .overdue { overdue += change }
        }
    }

    private var peers: [String: Peer] = [:]
    private var waiting: [UInt64: PendingCall] = [:]
    /// By their serial numbers.
    private var sent: [UInt32: SentCall] = [:]
    /// Of the calls that somebody waits for.
    private var serials: [UInt64: UInt32] = [:]
    private var added: UInt64 = 0
    private let window: Int

    /// The bus counts a reply as outstanding also where nobody waits for it any more; 128 are its limit. Its own
    /// replies it doesn't count.
    static let mostOutstanding = 120
    /// Calls that may be under way however many were given up: a strict bus refuses what is too much for it, and the
    /// usual session bus bears 50,000.
    static let leastRoom = 8
    /// Replies that one peer may owe before it is asked nothing more.
    static let mostOverdue = 32

    init(window: Int) { self.window = window }

    mutating func add(_ call: PendingCall) {
        waiting[call.id] = call
        added += 1
        peers[call.destination, default: Peer()].line.append((call.id, added))
    }

    /// The one that waits longest of those whose destination has room for it. O(destinations).
    mutating func next() -> PendingCall? {
        guard !waiting.isEmpty else { return nil }
        var (awaited, abandoned) = (0, 0)
        for (name, peer) in peers where name != BusDriver.name {
            awaited += peer.awaited
            abandoned += peer.abandoned
        }
        let outstanding = max(Self.mostOutstanding - abandoned, Self.leastRoom)
        var best: (destination: String, position: UInt64)?
        for (destination, peer) in peers {
            guard let position = peer.line.first?.position, best.map({ position < $0.position }) ?? true else {
                continue
            }
            // One that is asked nothing more is refused at once, which needs no room.
            let needsRoom = destination != BusDriver.name && peer.overdue < Self.mostOverdue
            let hasRoom =
                peer.awaited < window - awaited && peer.awaited + peer.abandoned < outstanding - awaited
            if hasRoom || !needsRoom { best = (destination, position) }
        }
        guard let best, let id = peers[best.destination]?.line.removeFirst().id else { return nil }
        defer { settle(best.destination) }
        return waiting.removeValue(forKey: id)
    }

    /// Also for a call that was sent past the line.
    mutating func didSend(_ call: PendingCall, serial: UInt32) {
        sent[serial] = SentCall(destination: call.destination, call: call)
        serials[call.id] = serial
        peers[call.destination, default: Peer()].count(.awaited, 1)
    }

    /// What takes the message with this reply serial from this sender: the call that it answers, or, of one whose time
    /// is over, what takes it late.
    mutating func answered(_ serial: UInt32, by sender: String) -> PendingCall? {
        guard let answered = sent[serial], Self.mayAnswer(sender, for: answered.destination) else { return nil }
        sent[serial] = nil
        if let call = answered.call { serials[call.id] = nil }
        peers[answered.destination]?.count(answered.state, -1)
        settle(answered.destination)
        return answered.call
    }

    /// The bus answers for those who can't; who answers for a well-known name only the bus knows.
    private static func mayAnswer(_ sender: String, for destination: String) -> Bool {
        sender == BusDriver.name || sender == destination
            || (!BusNameRules.isUnique(destination) && destination != BusDriver.name)
    }

    func isOverdue(_ destination: String) -> Bool { (peers[destination]?.overdue ?? 0) >= Self.mostOverdue }

    /// Takes a call out whose caller has given up.
    mutating func cancel(_ id: UInt64) -> PendingCall? { giveUp(id, as: .cancelled)?.call }

    /// The calls whose time limit has passed, and whether they were sent; and when the next one's passes. O(calls).
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
        guard let serial = serials.removeValue(forKey: id), let call = sent[serial]?.call else { return nil }
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

    /// Takes what was given up off the head of the line, and forgets a destination that nothing is left of.
    private mutating func settle(_ destination: String) {
        while let first = peers[destination]?.line.first, waiting[first.id] == nil {
            peers[destination]?.line.removeFirst()
        }
        guard let peer = peers[destination] else { return }
        if peer.line.isEmpty, peer.awaited == 0, peer.abandoned == 0 { peers[destination] = nil }
    }

    /// The connection is gone: all open calls, in the order in which they were made.
    mutating func removeAll() -> [PendingCall] {
        defer { self = CallTable(window: window) }
        return openCalls.sorted { $0.id < $1.id }
    }
}
