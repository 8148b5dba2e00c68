import FoundationEssentials

/// A query of a feed's source; there is one at a time.
struct FeedQuery: Sendable, Hashable {
    let feed: String
    let number: UInt64
    /// The location of the query: the newest fix at that time.
    let fix: LocationFix
}

/// A monitored feed: the area that its source's last result covers, and the fixes since.
struct FeedWatch: Sendable {
    let feed: RegionFeed
    private(set) var reach: FeedReach?
    /// The fixes that evaluate regions added later, oldest first: the last good one that the result covers, and all
    /// later ones. At most the newest ``trackLimit``.
    private(set) var track: [LocationFix] = []
    /// Whether a fix has arrived since monitoring began; earlier fixes may be old.
    private(set) var hasFix = false
    var query: FeedQuery?
    /// On the boot clock.
    var retryAt: Int64?
    private(set) var error: NoticeError?
    private var failures = 0
    /// Why regions were ignored in the last result.
    private var ignored: Set<String> = []

    static let trackLimit = 1_024

    /// - Parameters:
    ///   - record: The record that an earlier run has stored.
    ///   - earlier: The feed with the same name that this one replaces.
    init(_ feed: RegionFeed, record: RegionFeedRecord?, earlier: FeedWatch?) {
        self.feed = feed
        if let earlier {
            (track, hasFix) = (earlier.track, earlier.hasFix)
        } else if let record {
            track = [
                LocationFix(latitude: record.latitude, longitude: record.longitude, accuracy: 0, date: .distantPast)
            ]
        }
    }

    /// The fix for which the source has to be queried now; nil if none.
    var due: LocationFix? {
        guard hasFix, query == nil, retryAt == nil, let fix = track.last, fix != reach?.fix, isLeft(at: fix),
            fix.accuracy ?? 0 <= max(RegionMarks.finest, feed.largestRadius ?? .infinity)
        else { return nil }
        return fix
    }

    private func isLeft(at fix: LocationFix) -> Bool { reach?.isLeft(at: fix, stride: feed.stride) ?? true }

    /// Returns the distance in meters to the nearest possible unknown border. Infinite while the source fails, because
    /// closer monitoring would be of no use.
    func unknown(from fix: LocationFix) -> Double {
        error == nil ? reach?.unknown(from: fix) ?? .infinity : .infinity
    }

    mutating func append(_ fix: LocationFix) {
        track.append(fix)
        hasFix = true
        if query == nil, !isLeft(at: fix) { forget(before: track.count) }
        track.removeFirst(max(0, track.count - Self.trackLimit))
    }

    /// Applies a result of the source, after its new regions have been evaluated by the track.
    mutating func renew(_ result: FeedResult, of query: FeedQuery) {
        reach = FeedReach(
            result.items.map(\.region),
            isAll: result.isAll,
            around: query.fix,
            largestRadius: feed.largestRadius
        )
        (self.query, error, failures) = (nil, nil, 0)
        // Fixes outside the area of this result still have to evaluate the regions of the next one.
        let queried = track.lastIndex(of: query.fix) ?? 0
        forget(before: track[queried...].dropFirst().firstIndex(where: isLeft) ?? track.count)
    }

    /// Before `end`, keeps only the last fix that is accurate enough for all regions, and the fixes after it.
    private mutating func forget(before end: Int) {
        track.removeFirst(track[..<end].lastIndex { $0.accuracy ?? 0 <= RegionMarks.finest } ?? 0)
    }

    /// Records an error. Returns true if it differs from the last one.
    mutating func fail(_ error: NoticeError, at boot: Int64) -> Bool {
        let isNews = self.error != error
        (query, self.error) = (nil, error)
        retryAt = boot + LocationWatch.retryDelay(after: failures)
        failures += 1
        return isNews
    }

    /// Returns the messages that the last result didn't have.
    mutating func news(of messages: [String]) -> [String] {
        defer { ignored = Set(messages.prefix(256)) }
        return messages.filter { !ignored.contains($0) }
    }
}
