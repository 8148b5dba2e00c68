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

/// A call that was given up while the bus still waits for its answer.
private struct AbandonedCall {
    let destination: String
    /// The time limit passed; else the caller gave up.
    let isOverdue: Bool
    let late: PendingCall?
}

/// The calls of one connection: in line, on their way, and given up while the bus still waits for the answer.
///
/// A value without I/O. The order of sending is the order of adding.
struct CallTable {
    private var line: [UInt64] = []
    private var lineStart = 0
    private var waiting: [UInt64: PendingCall] = [:]
    private var sent: [UInt32: PendingCall] = [:]
    private var serials: [UInt64: UInt32] = [:]
    private var abandoned: [UInt32: AbandonedCall] = [:]
    private var overdue: [String: Int] = [:]
    private(set) var deadlines = DeadlineHeap()
    private let window: Int

    /// The bus counts an answer as outstanding also where nobody waits for it any more; 128 are its limit, some of which
    /// are left for the connection's own needs.
    static let mostOutstanding = 120
    /// Answers that one peer may owe before it is asked nothing more.
    static let mostOverdue = 32

    init(window: Int) { self.window = window }

    var hasRoom: Bool { sent.count < min(window, Self.mostOutstanding - abandoned.count) }
    var openCount: Int { waiting.count + sent.count }

    mutating func add(_ call: PendingCall) {
        waiting[call.id] = call
        line.append(call.id)
        deadlines.insert(.init(time: call.deadline, id: call.id))
        if deadlines.count > 64 + 2 * openCount {
            deadlines.removeAll { waiting[$0] == nil && serials[$0] == nil }
        }
    }

    /// The next one in line, if the window has room for it.
    mutating func next() -> PendingCall? {
        guard hasRoom else { return nil }
        while lineStart < line.count {
            let id = line[lineStart]
            lineStart += 1
            if lineStart > 1024, lineStart * 2 > line.count {
                line.removeFirst(lineStart)
                lineStart = 0
            }
            if let call = waiting.removeValue(forKey: id) { return call }
        }
        line.removeAll(keepingCapacity: true)
        lineStart = 0
        return nil
    }

    mutating func didSend(_ call: PendingCall, serial: UInt32) {
        sent[serial] = call
        serials[call.id] = serial
    }

    /// For a call that was added and sent past the line.
    mutating func sendNow(_ call: PendingCall, serial: UInt32) {
        waiting[call.id] = nil
        didSend(call, serial: serial)
    }

    /// The call that a message with this reply serial from this sender answers; of one whose time is over, what takes it
    /// late.
    mutating func answered(_ serial: UInt32, by sender: String) -> PendingCall? {
        if let owed = abandoned[serial] {
            guard Self.mayAnswer(sender, for: owed.destination) else { return nil }
            abandoned[serial] = nil
            if owed.isOverdue, let count = overdue[owed.destination] {
                overdue[owed.destination] = count > 1 ? count - 1 : nil
            }
            return owed.late
        }
        guard let call = sent[serial], Self.mayAnswer(sender, for: call.destination) else { return nil }
        sent[serial] = nil
        serials[call.id] = nil
        return call
    }

    /// The bus answers for those who can't; who answers for a well-known name only the bus knows.
    private static func mayAnswer(_ sender: String, for destination: String) -> Bool {
        sender == BusDriver.name || sender == destination
            || (!BusNameRules.isUnique(destination) && destination != BusDriver.name)
    }

    func isOverdue(_ destination: String) -> Bool { (overdue[destination] ?? 0) >= Self.mostOverdue }

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
        if let call = waiting.removeValue(forKey: id) { return call }
        guard let serial = serials.removeValue(forKey: id), let call = sent.removeValue(forKey: serial) else {
            return nil
        }
        var late: PendingCall?
        if isOverdue, let completion = call.late {
            late = call
            late?.completion = completion
        }
        abandoned[serial] = AbandonedCall(destination: call.destination, isOverdue: isOverdue, late: late)
        if isOverdue { overdue[call.destination, default: 0] += 1 }
        return call
    }

    /// The connection is gone: all open calls, in the order of adding as far as they were in line.
    mutating func removeAll() -> [PendingCall] {
        let all = sent.values.sorted { $0.id < $1.id } + line[lineStart...].compactMap { waiting[$0] }
        self = CallTable(window: window)
        return all
    }
}
