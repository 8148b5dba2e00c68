/// Misfires of a start whose wall clock stands more than a day ahead of where it was left (rule 24).
///
/// A machine without a battery for its clock, or with a wrong one, starts somewhere; what then seems to have been missed may
/// not have been. Such misfires wait until the kernel says that the clock is synchronised, two minutes at most.
struct MisfireHold: Sendable {
    static let limit: Int64 = 120_000_000
    /// How often the kernel is asked: it does not tell of itself.
    static let look: Int64 = 5_000_000

    /// On the boot clock.
    var until: Int64
    var nextLook: Int64
    /// By slot, the revision of what is held: it is in no queue.
    var held: [Int32: Int64] = [:]
    /// Intervals that were carried over from an earlier boot by the doubtful clock.
    var converted: [(slot: Int32, revision: Int64)] = []
}

extension Schedule {
    mutating func beginHold(jump: Int64) {
        hold = MisfireHold(until: now.boot + MisfireHold.limit, nextLook: now.boot + MisfireHold.look)
        let message =
            "The wall clock is \(jump / 3_600_000_000) h ahead of where it was left, and the kernel does not say that it is "
            + "synchronised: what came due in between waits for that, two minutes at most."
        batch.then.append(.report(NoticeError(.clockInDoubt, message)))
    }

    /// Called at each wake: lets go when the two minutes are over.
    mutating func endHoldInTime() {
        guard let hold else { return }
        if now.boot >= hold.until { return endHold() }
        if now.boot >= hold.nextLook { self.hold?.nextLook = min(hold.until, now.boot + MisfireHold.look) }
    }

    /// What was held is due.
    mutating func endHold() {
        guard let hold else { return }
        self.hold = nil
        for slot in hold.held.keys.sorted() {
            guard let entry = entries[slot], entry.revision == hold.held[slot] else { continue }
            setEntry(entry)
        }
    }

    /// The clock was set, by `jump`, and everything planned anew: what the new clock holds for a misfire stays held, and
    /// intervals are carried over as they would have been by this clock.
    mutating func holdOn(afterJump jump: Int64) {
        guard let hold else { return }
        for (slot, revision) in hold.converted {
            guard var entry = entries[slot], entry.revision == revision, let deadline = entry.deadline,
                case .elapsed(let interval, _, _) = entry.timing
            else { continue }
            let shift = min(-jump, now.boot + interval - deadline)
            entry.progress.anchor += shift
            entry.deadline = deadline + shift
            setEntry(entry)
            batch.changes.append(.updateProgress(revision: revision, entry.progress))
        }
        for (slot, revision) in hold.held {
            guard let entry = entries[slot], entry.revision == revision, entry.isMisfire(at: now) else {
                // Not due by this clock: it is in its queue.
                self.hold?.held[slot] = nil
                if let entry = entries[slot], entry.revision == revision { setEntry(entry) }
                continue
            }
            wallQueue.remove(slot: slot)
            bootQueue.remove(slot: slot)
        }
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
        case .immediate, .dormant: false
        case .elapsed, .wallClock, .place: true
        }
    }
}
