@testable import Belfry

extension Schedule {
    /// Feeds an event and plays the store: whatever is to be committed is committed at once. Returns how many deliveries
    /// were ordered.
    @discardableResult
    mutating func drive(_ event: ScheduleEvent, at now: TriggerInstant) -> Int {
        var deliveries = 0
        var effects = handle(event, at: now)[...]
        while let effect = effects.popFirst() {
            switch effect {
            case .commit(let id, _): effects += handle(.committed(id), at: now)
            case .deliver: deliveries += 1
            default: break
            }
        }
        return deliveries
    }
}
