/// The zone of a trigger: one that is fixed, or whatever the system's zone is at the time.
///
/// Encoded as the zone's identifier, or as null when it floats.
public enum ZoneReference: Sendable, Codable, Hashable {
    /// Follows the system's zone.
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

    /// The rules of the zone as they are now. A floating zone is looked up anew at each call.
    public func rules() throws(RecurrenceError) -> ZoneRules {
        switch self {
        case .floating: ZoneRules.system()
        case .named(let identifier): try ZoneRules.named(identifier)
        }
    }
}
