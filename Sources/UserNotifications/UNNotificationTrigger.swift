import Belfry
import BelfryRecurrence
public import CoreLocation
public import Foundation

/// When a notice is shown.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
    /// Whether it fires again and again.
    public let repeats: Bool
    let trigger: any NoticeTrigger

    init(_ trigger: any NoticeTrigger, repeats: Bool) {
        self.trigger = trigger
        self.repeats = repeats
    }

    /// Apple's class over Belfry's trigger, with what that has no field for; nil where there is none.
    static func made(from trigger: (any NoticeTrigger)?, _ carried: CarriedValues) -> UNNotificationTrigger? {
        switch trigger {
        case let trigger as IntervalTrigger: UNTimeIntervalNotificationTrigger(trigger)
        case let trigger as CalendarTrigger: UNCalendarNotificationTrigger(trigger, carried.components)
        case let trigger as LocationTrigger: UNLocationNotificationTrigger(trigger, identifier: carried.region ?? "")
        case .some(let trigger): UNNotificationTrigger(trigger, repeats: trigger.repeats)
        case nil: nil
        }
    }
}

/// A notice after a while, or each time it has passed.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The seconds.
    public let timeInterval: TimeInterval

    /// Fires after so many seconds. Below 60 s a repeating one is an error of `add`, where Apple's throws an exception.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        self.timeInterval = timeInterval
        let span = Duration.seconds(timeInterval)
        super.init(repeats ? IntervalTrigger(every: span) : IntervalTrigger(after: span), repeats: repeats)
    }

    init(_ trigger: IntervalTrigger) {
        timeInterval = trigger.interval / .seconds(1)
        super.init(trigger, repeats: trigger.repeats)
    }

    /// When it would fire if it was added now.
    public func nextTriggerDate() -> Date? { trigger.nextTriggerDate() }
}

/// A notice at a date, or at each that matches.
public final class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// What the date must match.
    public let dateComponents: DateComponents

    /// Fires where the components match. Without a time zone they follow the system's.
    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(CalendarTrigger(matching: dateComponents, repeats: repeats), repeats: repeats)
    }

    init(_ trigger: CalendarTrigger, _ components: DateComponents?) {
        dateComponents = components ?? DateComponents(trigger)
        super.init(trigger, repeats: trigger.repeats)
    }

    /// When it fires next; nil for a date that has passed.
    public func nextTriggerDate() -> Date? { trigger.nextTriggerDate() }
}

/// A notice at the border of a region. The center needs a location provider.
public final class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The region, as it was when the trigger was made.
    public let region: CLRegion

    /// Fires when the device comes into the region, goes out of it, or both, as the region says. A region that is no
    /// circle, or says neither, is an error of `add`.
    public init(region: CLRegion, repeats: Bool) {
        self.region = region.snapshot()
        super.init(LocationTrigger(region, repeats: repeats), repeats: repeats)
    }

    init(_ trigger: LocationTrigger, identifier: String) {
        let circle = trigger.region
        region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: circle.latitude, longitude: circle.longitude),
            radius: circle.radius,
            identifier: identifier
        )
        region.notifyOnEntry = trigger.edge != .exit
        region.notifyOnExit = trigger.edge != .entry
        super.init(trigger, repeats: trigger.repeats)
    }
}

/// The trigger of a remote notification. There are none here: no request has one, and no initializer makes one.
public final class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}

extension LocationTrigger {
    fileprivate init(_ region: CLRegion, repeats: Bool) {
        let circle = region as? CLCircularRegion
        let isRegion = circle != nil && (region.notifyOnEntry || region.notifyOnExit)
        self.init(
            region: CircularRegion(
                latitude: circle?.center.latitude ?? 0,
                longitude: circle?.center.longitude ?? 0,
                // Of no size: refused by `add`, which is the first to throw.
                radius: isRegion ? circle?.radius ?? 0 : 0
            ),
            edge: !region.notifyOnExit ? .entry : !region.notifyOnEntry ? .exit : .both,
            repeats: repeats
        )
    }
}

extension DateComponents {
    fileprivate init(_ trigger: CalendarTrigger) {
        let fields = trigger.sets.first ?? DateFields()
        let zone: TimeZone? = if case .named(let id) = trigger.options.zone { TimeZone(identifier: id) } else { nil }
        self.init(
            timeZone: zone,
            era: fields.era,
            year: fields.year,
            month: fields.month,
            day: fields.day,
            hour: fields.hour,
            minute: fields.minute,
            second: fields.second,
            weekday: fields.weekday,
            weekdayOrdinal: fields.weekdayOrdinal,
            weekOfMonth: fields.weekOfMonth,
            weekOfYear: fields.weekOfYear,
            yearForWeekOfYear: fields.yearForWeekOfYear
        )
    }
}
