extension DateFields {
    /// The values that each component may have. A count from the end is the negative of one of them.
    private static let ranges: [String: (range: ClosedRange<Int>, fromTheEnd: Bool)] = [
        "era": (0...1, false), "year": (1...9999, false), "yearForWeekOfYear": (1...9999, false),
        "month": (1...12, false), "weekOfYear": (1...53, false), "weekOfMonth": (0...6, false),
        "day": (1...31, true), "dayOfYear": (1...366, false), "weekday": (1...7, false),
        "weekdayOrdinal": (1...5, true), "hour": (0...23, false), "minute": (0...59, false), "second": (0...59, false),
    ]

    /// Refuses a component outside its range, and a set without any.
    func validate() throws(RecurrenceError) {
        var isEmpty = true
        for (name, path) in Self.components {
            guard let value = self[keyPath: path], let (range, fromTheEnd) = Self.ranges[name] else { continue }
            isEmpty = false
            if range.contains(value) || fromTheEnd && value < 0 && value >= -range.upperBound { continue }
            let accepted = "\(range.lowerBound)–\(range.upperBound)"
            throw RecurrenceError(
                code: .invalidComponent,
                message: "\(name) \(value) is not in \(accepted)"
                    + (fromTheEnd ? " or −\(range.upperBound)–−1 (counted from the end)." : ".")
            )
        }
        if isEmpty {
            throw RecurrenceError(
                code: .invalidComponent,
                message: "No date component is given. Give at least one, such as hour."
            )
        }
    }
}
