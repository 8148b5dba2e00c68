/// A call whose caller waits.
struct PendingCall: Sendable {
    var id: UInt64
    var message: WireMessage
    var destination: String
    var method: String
    var interface: String
    /// Nanoseconds of the monotonic clock.
    var deadline: UInt64
    var timeLimit: Duration
    var expects: BusSignature?
    var completion: Completion<[BusValue]>
    /// Takes an answer that comes after the time limit.
    var late: Completion<[BusValue]>?

    /// For the sentences of errors.
    var summary: String { "\(method) of \(interface)" }
}

/// A call that was given up while the bus still waits for its reply.
private struct AbandonedCall {
    let destination: String
    /// The time limit passed; else the caller gave up.
    let isOverdue: Bool
    let late: PendingCall?
}

/// What one connection has to do with one destination.
private struct Peer {
    var line = CallLine()
    /// Sent, and somebody waits for the reply.
    var sent = 0
    /// Given up, and the reply may still come.
    var abandoned = 0
    /// Those of `abandoned` whose time limit has passed.
    var overdue = 0

    var isIdle: Bool { line.isEmpty && sent == 0 && abandoned == 0 }
}

/// The calls of one connection: in line, on their way, and given up while the bus still waits for the reply.
///
/// A value without I/O. Calls to one destination are sent in the order of adding. Those to others overtake them where the
/// destination has no room: it may have no more calls under way than slots are free. One that hangs thus takes half of
/// them, two take two thirds, and so on: there is always room for one more. Calls to the bus itself need no slot.
struct CallTable {
    private var peers: [String: Peer] = [:]
    /// Destinations with calls in line.
    private var waitingPeers: Set<String> = []
    private var waiting: [UInt64: PendingCall] = [:]
    private var sent: [UInt32: PendingCall] = [:]
    private var serials: [UInt64: UInt32] = [:]
    private var abandoned: [UInt32: AbandonedCall] = [:]
    private var added: UInt64 = 0
    /// Of `sent` and `abandoned`, without calls to the bus itself.
    private var sentCount = 0
    private var abandonedCount = 0
    private(set) var deadlines = DeadlineHeap()
    private let window: Int

    /// The bus counts a reply as outstanding also where nobody waits for it any more; 128 are its limit. Its own replies it
    /// doesn't count.
    static let mostOutstanding = 120
    /// Calls that may be under way however many were given up: a strict bus refuses what is too much for it, and the usual
    /// session bus bears 50,000.
    static let leastRoom = 8
    /// Replies that one peer may owe before it is asked nothing more.
    static let mostOverdue = 32

    init(window: Int) { self.window = window }

    var openCount: Int { waiting.count + sent.count }

    mutating func add(_ call: PendingCall) {
        waiting[call.id] = call
        added += 1
        peers[call.destination, default: Peer()].line.append(call.id, place: added)
        waitingPeers.insert(call.destination)
        deadlines.insert(.init(time: call.deadline, id: call.id))
        if deadlines.count > 64 + 2 * openCount {
            deadlines.removeAll { waiting[$0] == nil && serials[$0] == nil }
        }
    }

    private func hasRoom(_ destination: String) -> Bool {
        // One that is asked nothing more is refused at once, which needs no room.
        guard destination != BusDriver.name, let peer = peers[destination], peer.overdue < Self.mostOverdue else {
            return true
        }
        let outstanding = max(Self.mostOutstanding - abandonedCount, Self.leastRoom) - sentCount
        return peer.sent < window - sentCount && peer.sent + peer.abandoned < outstanding
    }

    /// The one that waits longest of those whose destination has room for it. O(destinations with calls in line).
    mutating func next() -> PendingCall? {
        var best: (destination: String, place: UInt64)?
        for destination in waitingPeers {
            guard let place = peers[destination]?.line.first?.place, best.map({ place < $0.place }) ?? true,
                hasRoom(destination)
            else { continue }
            best = (destination, place)
        }
        guard let best, let id = peers[best.destination]?.line.removeFirst() else { return nil }
        defer { settle(best.destination) }
        return waiting.removeValue(forKey: id)
    }

    mutating func didSend(_ call: PendingCall, serial: UInt32) {
        sent[serial] = call
        serials[call.id] = serial
        count(call.destination, sent: 1)
    }

    /// For a call that is sent past the line.
    mutating func sendNow(_ call: PendingCall, serial: UInt32) {
        deadlines.insert(.init(time: call.deadline, id: call.id))
        didSend(call, serial: serial)
    }

    /// The call that a message with this reply serial from this sender answers; of one whose time is over, what takes it
    /// late.
    mutating func answered(_ serial: UInt32, by sender: String) -> PendingCall? {
        if let owed = abandoned[serial] {
            guard Self.mayAnswer(sender, for: owed.destination) else { return nil }
            abandoned[serial] = nil
            count(owed.destination, abandoned: -1, overdue: owed.isOverdue ? -1 : 0)
            return owed.late
        }
        guard let call = sent[serial], Self.mayAnswer(sender, for: call.destination) else { return nil }
        sent[serial] = nil
        serials[call.id] = nil
        count(call.destination, sent: -1)
        return call
    }

    /// The bus answers for those who can't; who answers for a well-known name only the bus knows.
    private static func mayAnswer(_ sender: String, for destination: String) -> Bool {
        sender == BusDriver.name || sender == destination
            || (!BusNameRules.isUnique(destination) && destination != BusDriver.name)
    }

    func isOverdue(_ destination: String) -> Bool { (peers[destination]?.overdue ?? 0) >= Self.mostOverdue }

    /// Takes a call out whose caller has given up.
    mutating func cancel(_ id: UInt64) -> PendingCall? { giveUp(id, isOverdue: false) }

    /// The next call whose time limit has passed, and whether it was sent.
    mutating func expire(at now: UInt64) -> (PendingCall, wasSent: Bool)? {
        while let id = deadlines.removeDue(at: now) {
            let wasSent = serials[id] != nil
            if let call = giveUp(id, isOverdue: true) { return (call, wasSent) }
        }
        return nil
    }

    private mutating func giveUp(_ id: UInt64, isOverdue: Bool) -> PendingCall? {
        if let call = waiting.removeValue(forKey: id) {
            settle(call.destination)
            return call
        }
        guard let serial = serials.removeValue(forKey: id), let call = sent.removeValue(forKey: serial) else {
            return nil
        }
        var late: PendingCall?
        if isOverdue, let completion = call.late {
            late = call
            late?.completion = completion
        }
        abandoned[serial] = AbandonedCall(destination: call.destination, isOverdue: isOverdue, late: late)
        count(call.destination, sent: -1, abandoned: 1, overdue: isOverdue ? 1 : 0)
        return call
    }

    private mutating func count(_ destination: String, sent: Int = 0, abandoned: Int = 0, overdue: Int = 0) {
        if destination != BusDriver.name {
            sentCount += sent
            abandonedCount += abandoned
        }
        peers[destination, default: Peer()].sent += sent
        peers[destination]?.abandoned += abandoned
        peers[destination]?.overdue += overdue
        settle(destination)
    }

    /// Takes what was given up off the head of the line, and forgets a destination that nothing is left of.
    private mutating func settle(_ destination: String) {
        while let first = peers[destination]?.line.first, waiting[first.id] == nil {
            _ = peers[destination]?.line.removeFirst()
        }
        guard let peer = peers[destination] else { return }
        if peer.line.isEmpty { waitingPeers.remove(destination) }
        if peer.isIdle { peers[destination] = nil }
    }

    /// The connection is gone: all open calls, in the order of adding as far as they were in line.
    mutating func removeAll() -> [PendingCall] {
        let line = peers.values.flatMap(\.line.all).sorted { $0.place < $1.place }
        let all = sent.values.sorted { $0.id < $1.id } + line.compactMap { waiting[$0.id] }
        self = CallTable(window: window)
        return all
    }
}
