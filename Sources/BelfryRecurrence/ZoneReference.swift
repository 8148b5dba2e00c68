/// The zone of a trigger: a fixed one, or the system's zone at the time.
///
/// It is encoded as the zone's identifier, or as null if it floats.
///
/// ```swift
/// let opening = CalendarTrigger(
///     matching: DateFields(hour: 9, minute: 30),
///     repeats: true,
///     options: .init(zone: .named("America/New_York"))
/// )
/// ```
public enum ZoneReference: Sendable, Codable, Hashable {
    /// The system's zone, also after it changes.
    case floating
    /// An identifier of the zone data, such as `Europe/Berlin`.
    case named(String)

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .floating : .named(try container.decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .floating: try container.encodeNil()
        case .named(let identifier): try container.encode(identifier)
        }
    }

    /// Returns the current rules of the zone, which is looked up at each call, so that new zone data takes effect at
    /// once.
    ///
    /// - Parameter system: The rules of a floating zone; by default, those of the system's zone.
    /// - Throws: ``RecurrenceError/Code/unknownZone`` for a name that is not in the zone data; permanent until that is
    ///   installed or updated.
    public func rules(or system: @autoclosure () -> ZoneRules = .system()) throws(RecurrenceError) -> ZoneRules {
        switch self {
        case .floating: system()
        case .named(let identifier): try ZoneRules.named(identifier)
        }
    }
}
