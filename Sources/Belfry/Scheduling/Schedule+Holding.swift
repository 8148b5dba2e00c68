/// Misfires of a start whose wall clock stands more than a day ahead of where it was left.
///
/// A machine without a battery for its clock, or with a wrong one, starts somewhere; what then seems to have been missed may
/// not have been. Such misfires wait until the kernel says that the clock is synchronised, two minutes at most.
struct MisfireHold: Sendable {
    static let limit: Int64 = 120_000_000
    /// How often the kernel is asked: it does not tell of itself.
    static let look: Int64 = 5_000_000

    /// What was carried over from an earlier boot by the doubtful clock: which deadline, and what it is at most, both on the
    /// boot clock.
    struct Converted: Sendable {
        var id: String
        /// Of the request, or of the notice that was put off.
        var revision: Int64
        var latest: Int64
    }

    /// On the boot clock.
    var until: Int64
    var nextLook: Int64
    /// The requests that are held, by revision: they are in no queue, whatever becomes of them meanwhile.
    var entries: [Int64: String] = [:]
    /// The same for notices that the user has put off, by the delivery's identifier.
    var snoozes: [String: String] = [:]
    var convertedEntries: [Converted] = []
    var convertedSnoozes: [Converted] = []
}

extension Schedule {
    func isHeld(_ entry: ScheduleEntry) -> Bool { hold?.entries[entry.revision] != nil }
    func isHeld(_ record: DeliveryRecord) -> Bool { hold?.snoozes[record.id] != nil }

    mutating func beginHold(jump: Int64) {
        hold = MisfireHold(until: now.boot + MisfireHold.limit, nextLook: now.boot + MisfireHold.look)
        let message =
            "The wall clock is \(jump / 3_600_000_000) h ahead of where it was left, and the kernel does not say that it is "
            + "synchronised: what came due in between waits for that, two minutes at most."
        emit(.report(NoticeError(.clockInDoubt, message)))
    }

    /// Called at each wake: lets go when the two minutes are over.
    mutating func endHoldInTime() {
        guard let hold else { return }
        if now.boot >= hold.until { return endHold() }
        if now.boot >= hold.nextLook { self.hold?.nextLook = min(hold.until, clock.now.boot + MisfireHold.look) }
    }

    /// What was held is due.
    mutating func endHold() {
        guard let hold else { return }
        self.hold = nil
        for revision in hold.entries.keys.sorted() { letGo(entry: hold.entries[revision], revision) }
        for delivery in hold.snoozes.keys.sorted() { letGo(snooze: hold.snoozes[delivery], delivery) }
        remember(.hold(hold))
    }

    /// Into its queue, where it is still there.
    private mutating func letGo(entry id: String?, _ revision: Int64) {
        guard let id, let entry = entries[id], entry.revision == revision else { return }
        setEntry(entry)
    }

    private mutating func letGo(snooze id: String?, _ delivery: String) {
        guard let id, let state = notices[id], state.snoozed?.id == delivery else { return }
        setNotice(state)
    }

    /// The clock was set, by `jump`, and everything planned anew: what the new clock holds for a misfire stays held, and what
    /// was carried over is as it would have been by this clock.
    mutating func holdOn(afterJump jump: Int64) {
        guard let hold else { return }
        for converted in hold.convertedEntries { shift(entry: converted, by: -jump) }
        for converted in hold.convertedSnoozes { shift(snooze: converted, by: -jump) }
        for (revision, id) in hold.entries {
            if let entry = entries[id], entry.revision == revision, entry.isMisfire(at: now) { continue }
            self.hold?.entries[revision] = nil
            letGo(entry: id, revision)
        }
        for (delivery, id) in hold.snoozes {
            if let record = notices[id]?.snoozed, record.id == delivery, snoozeEnd(record) <= now.wall { continue }
            self.hold?.snoozes[delivery] = nil
            letGo(snooze: id, delivery)
        }
    }

    private mutating func shift(entry converted: MisfireHold.Converted, by shift: Int64) {
        guard var entry = entries[converted.id], entry.revision == converted.revision, let deadline = entry.deadline
        else { return }
        let shift = min(shift, converted.latest - deadline)
        if case .elapsed = entry.timing { entry.progress.anchor += shift }
        entry.deadline = deadline + shift
        setEntry(entry)
        store(.updateProgress(revision: entry.revision, entry.progress))
    }

    private mutating func shift(snooze converted: MisfireHold.Converted, by shift: Int64) {
        guard var state = notices[converted.id], var record = state.snoozed, record.revision == converted.revision,
            case .snoozedOnBoot(let until)? = record.wait
        else { return }
        record.wait = .snoozedOnBoot(until: min(until + shift, converted.latest))
        store(.putDelivery(record))
        state.snoozed = record
        setNotice(state)
    }
}

extension ScheduleEntry {
    /// Whether its due time has passed.
    func isMisfire(at now: TriggerInstant) -> Bool {
        guard let deadline, timing.isTimed else { return false }
        return deadline <= (waitsOnBootClock ? now.boot : now.wall)
    }
}

extension ScheduleEntry.Timing {
    fileprivate var isTimed: Bool {
        switch self {
        case .dormant: false
        case .immediate, .elapsed, .wallClock, .place: true
        }
    }
}
