/// The region feeds that are kept, by name, and what is stored of these and of those that an earlier run kept.
struct FeedTable: Sendable {
    var watches: [String: FeedWatch] = [:]
    var records: [String: RegionFeedRecord] = [:]
    /// Whether a source may have to be asked.
    var isStale = false
    private var lastQuestion: UInt64 = 0

    var isEmpty: Bool { watches.isEmpty }

    /// When the first of the sources that failed is asked again, on the boot clock.
    var nextRetry: Int64? { watches.values.lazy.compactMap(\.retryAt).min() }

    mutating func endRetries(at boot: Int64) {
        for (name, watch) in watches {
            guard let retryAt = watch.retryAt, retryAt <= boot else { continue }
            watches[name]?.retryAt = nil
            isStale = true
        }
    }

    /// Regions that come in later are evaluated by the fix.
    mutating func take(_ fix: LocationFix) {
        guard !isEmpty else { return }
        for name in watches.keys { watches[name]?.take(fix) }
        isStale = true
    }

    /// The questions that are to be asked now.
    mutating func questions() -> [(FeedQuestion, RegionFeed)] {
        defer { isStale = false }
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
