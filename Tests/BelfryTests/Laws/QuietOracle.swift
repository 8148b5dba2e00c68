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
        let isAsked = schedule.notices[id]?.underWay?.occurrence.isAwaited == true
        let isSubject = !isAsked && isDisplayed && order.record.traits.level < .timeSensitive
        let isQuiet = setting.map { holds($0, now, zone) } ?? false
        if isQuiet, isSubject, setting?.behavior == .wait { return "'\(id)' is delivered in quiet hours" }
        let mustBeQuiet = isQuiet && isSubject && setting?.behavior == .deliverQuietly
        return order.isQuiet == mustBeQuiet ? nil : "'\(id)' is delivered \(order.isQuiet ? "quietly" : "aloud")"
    }

    func holds(_ hours: QuietHours, _ now: TriggerInstant, _ zone: ZoneRules) -> Bool {
        let seconds = now.wall / 1_000_000
        let local = seconds + Int64(zone.offset(at: seconds))
        let (day, second) = (local / 86_400, Int(local % 86_400))
        // 1970 began on a Thursday.
        func weekday(_ day: Int64) -> Int { Int((day + 4) % 7) + 1 }
        return hours.periods.contains { period in
            let start = period.start.secondsOfDay
            let end = period.end.secondsOfDay
            func begins(_ day: Int64) -> Bool { period.weekdays.contains { $0.rawValue == weekday(day) } }
            if start < end { return begins(day) && (start..<end).contains(second) }
            return begins(day) && second >= start || begins(day - 1) && second < end
        }
    }
}
