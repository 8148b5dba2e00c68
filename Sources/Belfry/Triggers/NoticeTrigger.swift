public import BelfryRecurrence
public import FoundationEssentials

/// The name of a kind of trigger in storage. Never a Swift type name: those change.
public struct TriggerKind: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
}

/// When or where a request fires.
///
/// A kind of your own conforms to one of the three protocols below, which say what it waits on, and is registered in
/// the ``TriggerRegistry`` under its ``kind``.
public protocol NoticeTrigger: Sendable, Hashable, Codable {
    /// Names the kind in storage; unique, and never changed.
    static var kind: TriggerKind { get }
    /// Fires more than once.
    var repeats: Bool { get }
    /// Throws where the trigger makes no sense at all; called by `add` before anything else.
    func validate() throws(NoticeError)
    /// What is left out of account, and hints; reported by `add`.
    var warnings: [String] { get }
}

/// Waits on elapsed time: the boot clock, which counts suspend and never jumps.
public protocol ElapsedTimeTrigger: NoticeTrigger {
    /// The time from `add` to the first firing, and from each firing to the next. Longer than zero; 60 s or more where
    /// ``NoticeTrigger/repeats``.
    var interval: Duration { get }
    /// True: fires at once as well, before the first interval is over.
    var startsNow: Bool { get }
    /// How many firings in all; nil is without end.
    var count: Int? { get }
}

/// Waits on dates of the wall clock.
public protocol WallClockTrigger: NoticeTrigger {
    /// The first firing strictly after `date`, or nil when there is none. Pure: the same answer for the same question.
    ///
    /// A trigger that answers a date not after `date` is stopped with ``NoticeError/Code/triggerNotAdvancing``.
    func nextDate(after date: Date, in context: TriggerContext) -> Date?
    /// True where the answer depends on the system's time zone, so that a change of zone asks again.
    var followsSystemZone: Bool { get }
    /// How many firings in all; nil is without end.
    var count: Int? { get }
}

/// Waits for a place.
public protocol RegionTrigger: NoticeTrigger {
    /// Where it waits.
    var region: CircularRegion { get }
    /// Which crossings fire it.
    var edge: CircularRegion.Edge { get }
    /// How long the position must stay across the edge before it counts.
    var dwell: Duration { get }
    /// A systemd.time expression: firings count in the local minutes that it matches; nil, the default, is always.
    var during: String? { get }
}

/// What the answer to "when next?" depends on besides the trigger.
public struct TriggerContext: Sendable {
    /// The system's time zone.
    public var zone: ZoneRules

    /// Creates a context of a zone.
    public init(zone: ZoneRules) { self.zone = zone }
}

extension NoticeTrigger {
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
