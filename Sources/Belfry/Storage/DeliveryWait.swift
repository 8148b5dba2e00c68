/// The reason why a delivery in storage is neither on the screen nor in flight.
package enum DeliveryWait: Sendable, Hashable {
    /// Until quiet hours end, in microseconds since 1970. Reevaluated when clock, zone or setting change.
    case quietHours(until: Int64)
    /// Snoozed by the user until a reading of the boot clock, in microseconds.
    case snoozedOnBoot(until: Int64)
    /// Snoozed until an instant, in microseconds since 1970.
    case snoozedOnWall(until: Int64)
    /// Snoozed until a local time, in seconds since 1970 as if the zone were UTC. In the current zone, that is the
    /// instant `wall`.
    case snoozedToLocal(time: Int64, wall: Int64)

    var isSnooze: Bool { if case .quietHours = self { false } else { true } }
}

/// Stored as `{"for": "quietHours", "until": 1767225600000000}`.
extension DeliveryWait: Codable {
    private enum Key: String, CodingKey {
        case reason = "for"
        case until, local
    }

    private enum Reason: String, Codable { case quietHours, snoozeOnBoot, snoozeOnWall, snoozeToLocal }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let until = try values.decodeMicroseconds(forKey: .until)
        switch try values.decode(Reason.self, forKey: .reason) {
        case .quietHours: self = .quietHours(until: until)
        case .snoozeOnBoot: self = .snoozedOnBoot(until: until)
        case .snoozeOnWall: self = .snoozedOnWall(until: until)
        case .snoozeToLocal: self = .snoozedToLocal(time: try values.decodeLocalSeconds(forKey: .local), wall: until)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        func put(_ reason: Reason, _ until: Int64) throws {
            try values.encode(reason, forKey: .reason)
            try values.encode(until, forKey: .until)
        }
        switch self {
        case .quietHours(let until): try put(.quietHours, until)
        case .snoozedOnBoot(let until): try put(.snoozeOnBoot, until)
        case .snoozedOnWall(let until): try put(.snoozeOnWall, until)
        case .snoozedToLocal(let time, let wall):
            try put(.snoozeToLocal, wall)
            try values.encode(time, forKey: .local)
        }
    }
}
