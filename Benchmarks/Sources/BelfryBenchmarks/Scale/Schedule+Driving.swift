@testable import Belfry

extension Schedule {
    /// Takes in an event and plays the store: what is to be stored is stored at once. Returns how many deliveries were
    /// ordered.
    @discardableResult
    mutating func drive(_ event: ScheduleEvent, at now: TriggerInstant) -> Int {
        settle(handle(event, at: now), at: now)
    }

    mutating func drive<Result: Sendable, Failure: Error>(
        at now: TriggerInstant,
        _ decide: (inout Schedule) throws(Failure) -> Result
    ) throws(Failure) {
        settle(try change(at: now, decide).transaction, at: now)
    }

    @discardableResult
    private mutating func settle(_ transaction: ScheduleTransaction, at now: TriggerInstant) -> Int {
        if !transaction.records.isEmpty { stored(at: now) }
        return transaction.effects.count { if case .deliver = $0 { true } else { false } }
    }
}
