/// The region feeds that are kept, by name, and what is stored of these and of those that an earlier run kept.
struct FeedTable: Sendable {
    private(set) var watches: [String: FeedWatch] = [:]
    private(set) var records: [String: RegionFeedRecord] = [:]
    /// Rises with each change that may be a reason to ask a source, or for other positions.
    private(set) var changeCount = 0
    /// What it was when questions were looked for last.
    private var askedCount = 0
    private var lastQuestion: UInt64 = 0

    var isEmpty: Bool { watches.isEmpty }

    /// When the first of the sources that failed is asked again, on the boot clock.
    var nextRetry: Int64? { watches.values.lazy.compactMap(\.retryAt).min() }

    mutating func restore(_ stored: [String: RegionFeedRecord]) { records = stored }

    mutating func set(_ name: String, _ watch: FeedWatch?, _ record: RegionFeedRecord?) {
        watches[name] = watch
        records[name] = record
        changeCount += 1
    }

    mutating func endRetries(at boot: Int64) {
        for (name, watch) in watches {
            guard let retryAt = watch.retryAt, retryAt <= boot else { continue }
            watches[name]?.retryAt = nil
            changeCount += 1
        }
    }

    /// Regions that come in later are evaluated by the fix.
    mutating func take(_ fix: LocationFix) {
        guard !isEmpty else { return }
        for name in watches.keys { watches[name]?.take(fix) }
        changeCount += 1
    }

    /// The source gave nothing. True where that says something new.
    mutating func fail(_ question: FeedQuestion, _ error: NoticeError, at boot: Int64) -> Bool {
        guard watches[question.feed]?.question == question else { return false }
        changeCount += 1
        return watches[question.feed]?.fail(error, at: boot) ?? false
    }

    /// The questions that are to be asked now.
    mutating func questions() -> [(FeedQuestion, RegionFeed)] {
        guard askedCount != changeCount else { return [] }
        askedCount = changeCount
        return watches.sorted { $0.key < $1.key }.compactMap { name, watch in
            guard let fix = watch.due else { return nil }
            lastQuestion += 1
            let question = FeedQuestion(feed: name, number: lastQuestion, fix: fix)
            watches[name]?.question = question
            return (question, watch.feed)
        }
    }

    /// Whether a fix has come since each of them was kept.
    var haveFix: Bool { watches.values.allSatisfy(\.hasFix) }

    /// Meters: the shortest stride, after which there is to be another fix.
    var stride: Double { watches.values.reduce(.infinity) { min($0, $1.feed.stride) } }

    /// Meters from a fix to the nearest border that may be unknown.
    func unknown(from fix: LocationFix) -> Double {
        watches.values.reduce(.infinity) { min($0, $1.unknown(from: fix)) }
    }
}
