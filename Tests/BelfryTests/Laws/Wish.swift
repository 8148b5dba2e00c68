@testable import Belfry

/// What an app asks a schedule for.
enum Wish {
    case add([NoticeRequest])
    case addSeries([NoticeRequest])
    case synchronize(OwnedRequests, isTrial: Bool)
    case show(NoticeRequest)
    case remove([String], includingDelivered: Bool)
    case removeAll
    case snooze(NoticeResponse, SnoozeChoice)
    case setQuietHours(QuietHours?)
    case removeDelivered([String]?)
    case set([StoreChange])

    /// What the caller waits for when the change is stored.
    struct Waits {
        var show: DeliveryReference?
        var removed: Set<DeliveryReference> = []
    }

    func decide(_ schedule: inout Schedule, at now: TriggerInstant) throws(NoticeError) -> Change<Waits> {
        switch self {
        case .add(let requests): try schedule.add(requests, at: now).map { _ in Waits() }
        case .addSeries(let elements): try schedule.addSeries(elements, at: now).map { _ in Waits() }
        case .synchronize(let wanted, let isTrial):
            try schedule.synchronize(wanted, isTrial: isTrial, at: now).map { _ in Waits() }
        case .show(let request): schedule.show(request, at: now).map { Waits(show: $0) }
        case .remove(let ids, let includingDelivered):
            schedule.remove(ids, includingDelivered: includingDelivered, at: now)
                .map { Waits(removed: $0.inFlight) }
        case .removeAll: schedule.removeAll(at: now).map { Waits(removed: $0.inFlight) }
        case .snooze(let response, let choice): try schedule.snooze(response, choice, at: now).map { Waits() }
        case .setQuietHours(let hours): schedule.setQuietHours(hours, at: now).map { Waits() }
        case .removeDelivered(let ids): schedule.removeDelivered(ids, at: now).map { Waits() }
        case .set(let settings): schedule.set(settings, at: now).map { Waits() }
        }
    }
}

extension Change {
    fileprivate func map<Other: Sendable>(_ transform: (Result) -> Other) -> Change<Other> {
        Change<Other>(result: transform(result), transaction: transaction)
    }
}
