import BelfryRecurrence

/// The date components by the names that the command line and batch mode know them by.
enum ComponentName {
    static let all: [(name: String, path: any WritableKeyPath<DateFields, Int?> & Sendable)] = [
        ("era", \.era), ("year", \.year), ("month", \.month), ("day", \.day), ("dayOfYear", \.dayOfYear),
        ("weekday", \.weekday), ("weekdayOrdinal", \.weekdayOrdinal), ("weekOfMonth", \.weekOfMonth),
        ("weekOfYear", \.weekOfYear), ("yearForWeekOfYear", \.yearForWeekOfYear), ("hour", \.hour),
        ("minute", \.minute), ("second", \.second),
    ]

    /// Components of Foundation's `DateComponents` that say nothing here and are passed over.
    static let ignored: Set<String> = ["quarter", "nanosecond", "isLeapMonth", "isRepeatedDay"]

    static var list: String { all.map(\.name).joined(separator: ", ") }

    private static let paths = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.path) })

    static func path(_ name: String) -> (any WritableKeyPath<DateFields, Int?> & Sendable)? { paths[name] }
}
