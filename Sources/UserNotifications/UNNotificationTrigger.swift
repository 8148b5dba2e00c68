import Belfry
import BelfryRecurrence
public import CoreLocation
public import Foundation

/// The condition for showing a notice.
///
/// ```swift
/// for request in await UNUserNotificationCenter.current().pendingNotificationRequests() {
///     guard let trigger = request.trigger else { continue }
///     print(request.identifier, trigger.repeats ? "repeats" : "fires once")
/// }
/// ```
open class UNNotificationTrigger: NSObject, NSCopying, @unchecked Sendable {
    /// Whether it fires repeatedly.
    public let repeats: Bool
    let trigger: any NoticeTrigger

    init(_ trigger: any NoticeTrigger, repeats: Bool) {
        self.trigger = trigger
        self.repeats = repeats
    }

    /// Wraps Belfry's trigger in Apple's class, with the carried values; nil without a trigger.
    static func made(from trigger: (any NoticeTrigger)?, _ carried: CarriedValues) -> UNNotificationTrigger? {
        switch trigger {
        case let trigger as IntervalTrigger: UNTimeIntervalNotificationTrigger(trigger)
        case let trigger as CalendarTrigger: UNCalendarNotificationTrigger(trigger, carried.components)
        case let trigger as LocationTrigger: UNLocationNotificationTrigger(trigger, identifier: carried.region ?? "")
        case .some(let trigger): UNNotificationTrigger(trigger, repeats: trigger.repeats)
        case nil: nil
        }
    }

    /// The values by which two are equal.
    var parts: [AnyHashable] { [AnyHashable(trigger)] }

    /// Whether the other has the same values.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationTrigger)?.parts == parts }
    /// The hash of its values.
    public override var hash: Int { parts.hashValue }
    /// Returns the trigger itself, which can't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A trigger that fires after an interval, once or repeatedly.
///
/// ```swift
/// let stretch = UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: true)
/// if let date = stretch.nextTriggerDate() { print(date) }
/// ```
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The interval in seconds.
    public let timeInterval: TimeInterval

    /// Creates a trigger. `add` throws for a repeating one below 60 s, where Apple's class throws an exception.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        self.timeInterval = timeInterval
        // Apple's initializer takes any number. `Duration.seconds` traps on one that no `Duration` holds, so those
        // become one that `add` refuses.
        let limit = 2 * NumberBounds.longestDuration.seconds
        let span = Duration.seconds(timeInterval.isNaN ? 0 : min(max(timeInterval, -limit), limit))
        super.init(repeats ? IntervalTrigger(every: span) : IntervalTrigger(after: span), repeats: repeats)
    }

    init(_ trigger: IntervalTrigger) {
        timeInterval = trigger.interval / .seconds(1)
        super.init(trigger, repeats: trigger.repeats)
    }

    /// The date it would fire if it were added now.
    public func nextTriggerDate() -> Date? { trigger.nextTriggerDate() }
}

/// A trigger that fires at a date, or at each date that matches.
///
/// ```swift
/// let teatime = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 16), repeats: true)
/// if let date = teatime.nextTriggerDate() { print(date) }
/// ```
public final class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The components that a date must match.
    public let dateComponents: DateComponents

    /// Creates a trigger. Without a time zone the components follow the system's.
    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(CalendarTrigger(matching: dateComponents, repeats: repeats), repeats: repeats)
    }

    init(_ trigger: CalendarTrigger, _ components: DateComponents?) {
        dateComponents = components ?? DateComponents(trigger)
        super.init(trigger, repeats: trigger.repeats)
    }

    // Belfry's trigger omits fields without effect.
    override var parts: [AnyHashable] { super.parts + [dateComponents] }

    /// The date it fires next; nil for a date that has passed.
    public func nextTriggerDate() -> Date? { trigger.nextTriggerDate() }
}

/// A trigger that fires at the border of a region. The center needs a location provider.
///
/// ```swift
/// import CoreLocation
///
/// func arrival(at office: CLLocationCoordinate2D) -> UNLocationNotificationTrigger {
///     let region = CLCircularRegion(center: office, radius: 200, identifier: "office")
///     region.notifyOnExit = false
///     return UNLocationNotificationTrigger(region: region, repeats: true)
/// }
/// ```
public final class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// The region at the time the trigger was created.
    public let region: CLRegion

    /// Creates a trigger that fires on entry, on exit, or both, as the region specifies. `add` throws if the region is
    /// not a circle, or specifies neither.
    public init(region: CLRegion, repeats: Bool) {
        self.region = region.snapshot()
        super.init(LocationTrigger(region, repeats: repeats), repeats: repeats)
    }

    /// Throws ``Belfry/NoticeError/Code/invalidRegion`` for a region that no Belfry trigger can express.
    func checkRegion() throws(NoticeError) {
        guard region is CLCircularRegion else {
            throw NoticeError(
                .invalidRegion,
                "The region '\(region.identifier)' is a \(type(of: region)): use a CLCircularRegion."
            )
        }
        guard region.notifyOnEntry || region.notifyOnExit else {
            throw NoticeError(
                .invalidRegion,
                "The region '\(region.identifier)' fires neither on entry nor on exit: set notifyOnEntry or "
                    + "notifyOnExit."
            )
        }
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

    override var parts: [AnyHashable] { super.parts + [region.identifier] }
}

/// The trigger of a remote notification. Belfry has none: no request has this trigger, and no initializer is public.
///
/// ```swift
/// func isRemote(_ notification: UNNotification) -> Bool {
///     notification.request.trigger is UNPushNotificationTrigger   // here always false
/// }
/// ```
public final class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}

extension LocationTrigger {
    fileprivate init(_ region: CLRegion, repeats: Bool) {
        // `add` refuses a region that is no circle: it is the first call that can throw.
        let circle = region as? CLCircularRegion
        self.init(
            region: CircularRegion(
                latitude: circle?.center.latitude ?? 0,
                longitude: circle?.center.longitude ?? 0,
                radius: circle?.radius ?? 0
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
