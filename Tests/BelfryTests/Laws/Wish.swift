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
    case monitor(RegionFeed)
    case stopMonitoring(String)
    case set([StoreChange])

    /// What the caller waits for when the change is stored.
    struct Waits {
        var show: DeliveryReference?
        var removed: Set<DeliveryReference> = []
    }

    func decide(_ schedule: inout Schedule) throws(NoticeError) -> Waits {
        switch self {
        case .add(let requests): _ = try schedule.add(requests)
        case .addSeries(let elements): _ = try schedule.addSeries(elements)
        case .synchronize(let wanted, let isTrial): _ = try schedule.synchronize(wanted, isTrial: isTrial)
        case .show(let request): return Waits(show: schedule.show(request))
        case .remove(let ids, let includingDelivered):
            return Waits(removed: schedule.remove(ids, includingDelivered: includingDelivered).inFlight)
        case .removeAll: return Waits(removed: schedule.removeAll().inFlight)
        case .snooze(let response, let choice): try schedule.snooze(response, choice)
        case .setQuietHours(let hours): schedule.setQuietHours(hours)
        case .removeDelivered(let ids): schedule.removeDelivered(ids)
        case .monitor(let feed): schedule.startMonitoring(feed)
        case .stopMonitoring(let feed): return Waits(removed: schedule.stopMonitoring(feed).inFlight)
        case .set(let settings): for setting in settings { schedule.store(setting) }
        }
        return Waits()
    }
}
