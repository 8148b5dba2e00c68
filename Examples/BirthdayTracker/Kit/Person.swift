import Belfry
import BelfryRecurrence

/// Somebody with a birthday. Names are unique.
public struct Person: Sendable, Codable, Hashable {
    public let name: String
    public let birthday: Birthday

    /// Bytes of UTF-8: with its prefix the name becomes an identifier of at most 1,024 bytes.
    public static let longestName = 1_000

    /// Spaces around the name are left out. Throws ``BirthdayError`` where the name is empty or too long.
    public init(name: String, birthday: Birthday) throws(BirthdayError) {
        let name = Self.trimmed(name)
        guard !name.isEmpty else { throw .noName }
        guard name.utf8.count <= Self.longestName else { throw .nameTooLong(bytes: name.utf8.count) }
        self.name = name
        self.birthday = birthday
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            name: values.decode(String.self, forKey: .name),
            birthday: values.decode(Birthday.self, forKey: .birthday)
        )
    }

    static func trimmed(_ name: String) -> String {
        let start = name.drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}

extension Person {
    static let requestPrefix = "birthday/"
    static let bornKey = "born"

    /// The identifier of the user's notice.
    public var requestID: String { Self.requestPrefix + name }

    /// The notice that comes every year at 8:00 on the birthday, in whatever time zone the machine is then.
    ///
    /// - Parameter leapDay: When 29 February is celebrated in a common year.
    public func request(leapDay: MissingDatePolicy = .nextDay) -> NoticeRequest {
        var content = NoticeContent(title: "\(name)’s birthday")
        content.thread = "birthdays"
        content.userInfo[Self.bornKey] = birthday.year.map { .int(Int64($0)) }
        // A machine that was off at 8:00 still tells of it that day, but not the week after.
        return NoticeRequest(
            id: requestID,
            content: content,
            trigger: birthday.trigger(leapDay: leapDay),
            misfire: .deliver(within: .seconds(16 * 3600))
        )
    }
}

extension Birthday {
    public func trigger(leapDay: MissingDatePolicy = .nextDay) -> CalendarTrigger {
        CalendarTrigger(
            matching: DateFields(month: month, day: day, hour: 8),
            repeats: true,
            options: .init(policies: DatePolicies(missingDate: leapDay))
        )
    }
}
