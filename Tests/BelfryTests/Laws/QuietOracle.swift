import BelfryRecurrence

@testable import Belfry

/// Quiet hours as they are read off a clock on the wall, in zones that keep their offset.
struct QuietOracle {
    var setting: QuietHours?

    /// What is wrong with a delivery that begins now, or nil.
    func broken(
        _ order: DeliveryOrder,
        _ isDisplayed: Bool,
        _ schedule: Schedule,
        _ now: TriggerInstant,
        _ zone: ZoneRules
    ) -> String? {
        let id = order.record.requestID
        let isAsked = schedule.notices[id]?.coming?.occurrence.isAwaited == true
        let isSubject = !isAsked && isDisplayed && order.record.traits.level < .timeSensitive
        let isQuiet = setting.map { holds($0, now, zone) } ?? false
        if isQuiet, isSubject, setting?.behaviour == .wait { return "'\(id)' is delivered in quiet hours" }
        let mustBeQuiet = isQuiet && isSubject && setting?.behaviour == .deliverQuietly
        return order.isQuiet == mustBeQuiet ? nil : "'\(id)' is delivered \(order.isQuiet ? "quietly" : "aloud")"
    }

    func holds(_ hours: QuietHours, _ now: TriggerInstant, _ zone: ZoneRules) -> Bool {
        let seconds = now.wall / 1_000_000
        let local = seconds + Int64(zone.offset(at: seconds))
        let (day, minute) = (local / 86_400, Int(local % 86_400) / 60)
        // 1970 began on a Thursday.
        func weekday(_ day: Int64) -> Int { Int((day + 4) % 7) + 1 }
        return hours.windows.contains { window in
            func begins(_ day: Int64) -> Bool { window.weekdays?.contains(weekday(day)) ?? true }
            if window.start < window.end { return begins(day) && (window.start..<window.end).contains(minute) }
            return begins(day) && minute >= window.start || begins(day - 1) && minute < window.end
        }
    }
}
