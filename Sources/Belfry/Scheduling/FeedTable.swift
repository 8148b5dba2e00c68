/// The monitored region feeds by name, and the stored records of these and of feeds from earlier runs.
struct FeedTable: Sendable {
    private(set) var watches: [String: FeedWatch] = [:]
    private(set) var records: [String: RegionFeedRecord] = [:]
    private var lastQuery: UInt64 = 0

    var isEmpty: Bool { watches.isEmpty }

    /// The first time to retry a source that failed, on the boot clock.
    var nextRetry: Int64? { watches.isEmpty ? nil : watches.values.lazy.compactMap(\.retryAt).min() }

    mutating func restore(_ stored: [String: RegionFeedRecord]) { records = stored }

    mutating func set(_ name: String, _ watch: FeedWatch?, _ record: RegionFeedRecord?) {
        watches[name] = watch
        records[name] = record
    }

    mutating func endRetries(at boot: Int64) {
        for (name, watch) in watches {
            guard let retryAt = watch.retryAt, retryAt <= boot else { continue }
            watches[name]?.retryAt = nil
        }
    }

    /// Adds a fix to every feed; regions that are added later are evaluated by it.
    mutating func append(_ fix: LocationFix) {
        for name in watches.keys { watches[name]?.append(fix) }
    }

    /// Records that the source failed. Returns true if the error is new.
    mutating func fail(_ query: FeedQuery, _ error: NoticeError, at boot: Int64) -> Bool {
        guard watches[query.feed]?.query == query else { return false }
        return watches[query.feed]?.fail(error, at: boot) ?? false
    }

    /// Returns the queries to make now, and marks them as in progress.
    mutating func queries() -> [(FeedQuery, RegionFeed)] {
        guard !isEmpty else { return [] }
        return watches.sorted { $0.key < $1.key }.compactMap { name, watch in
            guard let fix = watch.due else { return nil }
            lastQuery += 1
            let query = FeedQuery(feed: name, number: lastQuery, fix: fix)
            watches[name]?.query = query
            return (query, watch.feed)
        }
    }

    /// Whether every feed has had a fix since monitoring began.
    var haveFix: Bool { watches.values.allSatisfy(\.hasFix) }

    /// The shortest stride in meters; a new fix is needed after it.
    var stride: Double { watches.values.reduce(.infinity) { min($0, $1.feed.stride) } }

    /// Returns the distance in meters from a fix to the nearest possible unknown border.
    func unknown(from fix: LocationFix) -> Double {
        watches.values.reduce(.infinity) { min($0, $1.unknown(from: fix)) }
    }
}
