@testable import Belfry

extension Schedule {
    /// Feeds an event and plays the store: whatever is to be committed is committed at once. Returns how many deliveries
    /// were ordered.
    @discardableResult
    mutating func drive(_ event: ScheduleEvent, at now: TriggerInstant) -> Int {
        var deliveries = 0
        for effect in handle(event, at: now) {
            switch effect {
            case .commit(let id, _):
                for effect in handle(.committed(id), at: now) { if case .deliver = effect { deliveries += 1 } }
            case .deliver: deliveries += 1
            default: break
            }
        }
        return deliveries
    }
}
