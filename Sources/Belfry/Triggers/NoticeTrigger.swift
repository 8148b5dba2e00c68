public import BelfryRecurrence
public import FoundationEssentials

/// The name of a kind of trigger in storage. It is never a Swift type name, because type names change.
///
/// ```swift
/// let kind: TriggerKind = "org.example.tide"
/// if !TriggerRegistry.standard.contains(kind) { print("Register '\(kind.rawValue)' before the store is opened.") }
/// ```
public struct TriggerKind: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
}

/// When or where a request fires.
///
/// A custom kind conforms to one of the three protocols below, depending on what it waits for. It is registered in the
/// ``TriggerRegistry`` under its ``kind``.
///
/// ```swift
/// let birthday: any NoticeTrigger = .yearly(on: .may(10), at: "8:00")
/// for date in birthday.previewOccurrences(3) { print(date.formatted(.iso8601)) }
/// ```
public protocol NoticeTrigger: Sendable, Hashable, Codable {
    /// The name of the kind in storage; unique, and never changed.
    static var kind: TriggerKind { get }
    /// Whether the trigger fires more than once.
    var repeats: Bool { get }
    /// Checks the values. `add` calls it before the request is stored, and throws the same error.
    ///
    /// - Throws: An error about the trigger that is permanent, such as ``NoticeError/Code/invalidComponent``. The
    ///   default throws nothing.
    func validate() throws(NoticeError)
    /// Warnings about ignored parts, and advice; `add` reports them.
    var warnings: [String] { get }
}

/// Waits for elapsed time on CLOCK_BOOTTIME, which counts suspend and never jumps.
///
/// ```swift
/// struct LaundryTrigger: ElapsedTimeTrigger {
///     static let kind: TriggerKind = "org.example.laundry"
///     var minutes: Int
///     var repeats: Bool { false }
///     var interval: Duration { .seconds(60 * minutes) }
/// }
/// let laundry = NoticeRequest(id: "laundry", title: "The laundry is done", trigger: LaundryTrigger(minutes: 90))
/// ```
public protocol ElapsedTimeTrigger: NoticeTrigger {
    /// The time from `add` to the first firing, and between firings. Longer than zero; 60 s or more if
    /// ``NoticeTrigger/repeats``.
    var interval: Duration { get }
    /// True: the trigger also fires at once, before the first interval has passed.
    var startsNow: Bool { get }
    /// The total number of firings; nil is without end.
    var count: Int? { get }
}

/// Waits for dates of the wall clock.
///
/// ```swift
/// struct FullMoonTrigger: WallClockTrigger {
///     static let kind: TriggerKind = "org.example.full-moon"
///     var repeats: Bool { true }
///     var followsSystemZone: Bool { false }
///     func nextDate(after date: Date, in context: TriggerContext) -> Date? {
///         // In seconds: the full moon of January 2000, and the mean time between two.
///         let (first, month) = (948_429_600.0, 2_551_443.0)
///         let passed = ((date.timeIntervalSince1970 - first) / month).rounded(.down)
///         return Date(timeIntervalSince1970: first + (passed + 1) * month)
///     }
/// }
/// ```
public protocol WallClockTrigger: NoticeTrigger {
    /// Returns the first firing strictly after `date`, or nil if there is none. It must be a pure function.
    ///
    /// A trigger that returns a date not after `date` is stopped with ``NoticeError/Code/triggerNotAdvancing``.
    func nextDate(after date: Date, in context: TriggerContext) -> Date?
    /// True if the dates depend on the system's time zone: then a change of the zone computes them again.
    var followsSystemZone: Bool { get }
    /// The total number of firings; nil is without end.
    var count: Int? { get }
}

/// Waits until the device enters or leaves a region.
///
/// ```swift
/// struct OfficeTrigger: RegionTrigger {
///     static let kind: TriggerKind = "org.example.office"
///     var repeats: Bool { true }
///     var region: CircularRegion { CircularRegion(latitude: 48.14, longitude: 11.56, radius: 200) }
///     var edge: CircularRegion.Edge { .entry }
///     var dwell: Duration { .seconds(60) }
///     var during: String? { "Mon..Fri 06..10:*" }
/// }
/// ```
public protocol RegionTrigger: NoticeTrigger {
    /// The region.
    var region: CircularRegion { get }
    /// The crossings that fire the trigger.
    var edge: CircularRegion.Edge { get }
    /// How long the device must stay on the other side of the border.
    var dwell: Duration { get }
    /// A systemd.time expression: the trigger fires only in local minutes that match; nil, the default, is always.
    var during: String? { get }
}

/// What the next date depends on besides the trigger.
///
/// ```swift
/// let standUp = CalendarTrigger.weekdays(at: "9:25")
/// let next = standUp.nextDate(after: .now, in: TriggerContext(zone: .system()))
/// ```
public struct TriggerContext: Sendable {
    /// The system's time zone.
    public var zone: ZoneRules

    /// Creates a context with a zone.
    public init(zone: ZoneRules) { self.zone = zone }
}

extension NoticeTrigger {
    /// Accepts every value.
    ///
    /// - Throws: Nothing.
    public func validate() throws(NoticeError) {}
    public var warnings: [String] { [] }
}

extension ElapsedTimeTrigger {
    public var startsNow: Bool { false }
    public var count: Int? { nil }
}

extension WallClockTrigger {
    public var followsSystemZone: Bool { true }
    public var count: Int? { nil }
}
