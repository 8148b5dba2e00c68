import FoundationEssentials

/// A question to the source of a feed; there is one at a time.
struct FeedQuestion: Sendable, Hashable {
    let feed: String
    let number: UInt64
    /// Where it is asked: the newest then.
    let fix: LocationFix
}

/// A feed that is kept: how far the last answer of its source reaches, and what has happened since.
struct FeedWatch: Sendable {
    let feed: RegionFeed
    private(set) var reach: FeedReach?
    /// The fixes that regions yet to come are evaluated by, oldest first: the last good one that the answer covers, and
    /// all since; the newest ``trackLimit``.
    private(set) var track: [LocationFix] = []
    /// A fix has come since the feed was kept: those of before may be of long ago.
    private(set) var hasFix = false
    var question: FeedQuestion?
    /// On the boot clock.
    var retryAt: Int64?
    private(set) var failure: NoticeError?
    private var failures = 0
    /// Why regions were ignored in the last answer.
    private var ignored: Set<String> = []

    static let trackLimit = 1_024

    /// - Parameters:
    ///   - record: What an earlier run has stored.
    ///   - earlier: The feed of the same name that it replaces.
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

    /// The fix that the source has to be asked about now.
    var due: LocationFix? {
        guard hasFix, question == nil, retryAt == nil, let fix = track.last, fix != reach?.fix, isLeft(at: fix),
            fix.accuracy ?? 0 <= max(RegionMarks.finest, feed.largestRadius ?? .infinity)
        else { return nil }
        return fix
    }

    private func isLeft(at fix: LocationFix) -> Bool { reach?.isLeft(at: fix, stride: feed.stride) ?? true }

    /// Meters to the nearest border that may be unknown. As long as the source gives nothing, a closer look is of no
    /// use.
    func unknown(from fix: LocationFix) -> Double {
        failure == nil ? reach?.unknown(from: fix) ?? .infinity : .infinity
    }

    mutating func take(_ fix: LocationFix) {
        track.append(fix)
        hasFix = true
        if question == nil, !isLeft(at: fix) { forget(before: track.count) }
        track.removeFirst(max(0, track.count - Self.trackLimit))
    }

    /// The source has answered, and what came in was evaluated by the track.
    mutating func renew(_ answer: FeedResult, to question: FeedQuestion) {
        reach = FeedReach(
            answer.items.map(\.region),
            isAll: answer.isAll,
            around: question.fix,
            largestRadius: feed.largestRadius
        )
        (self.question, failure, failures) = (nil, nil, 0)
        // What lies beyond the answer's reach is still to be evaluated, by the regions of the next one.
        let asked = track.lastIndex(of: question.fix) ?? 0
        forget(before: track[asked...].dropFirst().firstIndex(where: isLeft) ?? track.count)
    }

    /// Of the fixes before one only the last that counts for all regions is needed, and what follows it.
    private mutating func forget(before end: Int) {
        track.removeFirst(track[..<end].lastIndex { $0.accuracy ?? 0 <= RegionMarks.finest } ?? 0)
    }

    /// True where the last failure was another one.
    mutating func fail(_ error: NoticeError, at boot: Int64) -> Bool {
        let isNews = failure != error
        (question, failure) = (nil, error)
        retryAt = boot + LocationWatch.retryDelay(after: failures)
        failures += 1
        return isNews
    }

    /// Those of the messages that were not in the answer before.
    mutating func news(of messages: [String]) -> [String] {
        defer { ignored = Set(messages.prefix(256)) }
        return messages.filter { !ignored.contains($0) }
    }
}
