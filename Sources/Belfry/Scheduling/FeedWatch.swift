import Foundation

/// A question to the source of a feed; there is one at a time.
struct FeedQuestion: Sendable, Hashable {
    let feed: String
    let number: UInt64
    /// Where it is asked: the newest then.
    let fix: PositionFix
}

/// A feed that is kept: what its source told last, and what has happened since.
struct FeedWatch: Sendable {
    let feed: RegionFeed
    var reach: FeedReach
    /// The fixes that places yet to come are judged by, oldest first: the last good one that the answer covers, and all since.
    private(set) var track: [PositionFix] = []
    /// A fix has come since the feed was kept: those of before may be of long ago.
    private(set) var hasFix = false
    var question: FeedQuestion?
    /// The fix that the last answer was for.
    var answered: PositionFix?
    var retryAt: Int64?
    private var failures = 0
    private(set) var failure: NoticeError?
    /// What was told of places that can't be registered.
    private var told: Set<FeedAnswer.Fault> = []

    /// Fixes beyond so many go, the oldest first.
    static let trackLimit = 1_024
    private static let toldLimit = 256
    private static let firstRetry: Int64 = 10_000_000
    private static let longestRetry: Int64 = 600_000_000

    /// - Parameters:
    ///   - record: What an earlier run has stored.
    ///   - earlier: The feed that it takes the place of.
    init(_ feed: RegionFeed, record: RegionFeedRecord?, earlier: FeedWatch?) {
        self.feed = feed
        reach = FeedReach(stride: feed.stride, largestRadius: feed.largestRadius)
        if let earlier {
            (track, hasFix) = (earlier.track, earlier.hasFix)
        } else if let record {
            track = [PositionFix(latitude: record.latitude, longitude: record.longitude, accuracy: 0, at: .distantPast)]
        }
    }

    var hasAnswer: Bool { answered != nil }

    mutating func take(_ fix: PositionFix) {
        track.append(fix)
        hasFix = true
        if question == nil, hasAnswer, !reach.isDue(fix) { forget(before: track.count) }
        if track.count > Self.trackLimit { track.removeFirst(track.count - Self.trackLimit) }
    }

    /// Whether the source has to be asked, and where.
    var isDue: PositionFix? {
        guard hasFix, question == nil, retryAt == nil, let fix = track.last, fix != answered,
            fix.accuracy ?? 0 <= max(PlaceMarks.finest, feed.largestRadius ?? .infinity), reach.isDue(fix)
        else { return nil }
        return fix
    }

    /// The source has answered, and what came in was judged by the track.
    mutating func renew(_ answer: FeedAnswer, to question: FeedQuestion) {
        reach.renew(
            latitude: question.fix.latitude,
            longitude: question.fix.longitude,
            with: answer.items.lazy.map(\.region),
            isAll: answer.isAll
        )
        answered = question.fix
        self.question = nil
        (failures, failure) = (0, nil)
        // What lies beyond the answer's reach is still to be judged, by the places of the next one.
        let asked = track.lastIndex(of: question.fix) ?? 0
        let beyond = track[asked...].dropFirst().firstIndex { reach.isDue($0) }
        forget(before: beyond ?? track.count)
    }

    /// Of the fixes before one only the last that counts for all regions is needed, and what follows it.
    private mutating func forget(before end: Int) {
        guard let last = track[..<end].lastIndex(where: { $0.accuracy ?? 0 <= PlaceMarks.finest }) else { return }
        track.removeFirst(last)
    }

    /// True where that is news.
    mutating func fail(_ error: NoticeError, at boot: Int64) -> Bool {
        let isNews = failure != error
        (question, failure) = (nil, error)
        retryAt = boot + min(Self.longestRetry, Self.firstRetry << Int64(min(failures, 10)))
        failures += 1
        return isNews
    }

    /// Those that were not told before.
    mutating func news(of faults: [FeedAnswer.Fault]) -> [FeedAnswer.Fault] {
        let news = faults.filter { !told.contains($0) }
        told = Set(faults.prefix(Self.toldLimit))
        return news
    }

    /// Metres to the nearest border that may be unknown. As long as the source gives nothing, a closer look is of no use.
    func unseen(from fix: PositionFix) -> Double {
        guard hasAnswer, failure == nil else { return .infinity }
        return reach.unseen(latitude: fix.latitude, longitude: fix.longitude)
    }
}

extension FeedReach {
    fileprivate func isDue(_ fix: PositionFix) -> Bool { isDue(latitude: fix.latitude, longitude: fix.longitude) }
}
