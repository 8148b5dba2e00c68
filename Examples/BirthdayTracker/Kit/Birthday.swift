import BelfryRecurrence

/// A day of the year, and the year of birth where it is known. In writing `1990-05-10`, or `05-10`.
public struct Birthday: Sendable, Hashable {
    /// 1 to 9999.
    public let year: Int?
    public let month: Int
    public let day: Int

    /// Throws ``BirthdayError`` where there is no such day: permanent. 29 February needs a leap year, or none.
    public init(year: Int? = nil, month: Int, day: Int) throws(BirthdayError) {
        self.year = year
        self.month = month
        self.day = day
        guard year.map({ (1...9999).contains($0) }) ?? true, let last = Self.lastDay(of: month, in: year),
            (1...last).contains(day)
        else { throw .noSuchDay(description) }
    }

    /// Reads `YYYY-MM-DD`, or `MM-DD` where the year is not known.
    public init(reading text: String) throws(BirthdayError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        // Int reads "+5" and "٥" too: neither is a date.
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(part) : nil
        }
        switch (parts.count, numbers.count) {
        case (3, 3): try self.init(year: numbers[0], month: numbers[1], day: numbers[2])
        case (2, 2): try self.init(month: numbers[0], day: numbers[1])
        default: throw .notADate(text)
        }
    }

    /// Nil where there is no such month.
    private static func lastDay(of month: Int, in year: Int?) -> Int? {
        switch month {
        case 2: year.map { $0 % 4 == 0 && ($0 % 100 != 0 || $0 % 400 == 0) } ?? true ? 29 : 28
        case 4, 6, 9, 11: 30
        case 1...12: 31
        default: nil
        }
    }
}

extension Birthday: CustomStringConvertible {
    public var description: String {
        let date = "\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
        return year.map { "\(Self.padded($0, to: 4))-\(date)" } ?? date
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// In JSON a birthday is its writing.
extension Birthday: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(reading: decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
