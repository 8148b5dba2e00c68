public import FoundationEssentials

/// Several requests made from one: an alert that repeats until the user responds, like those of a messages app.
///
/// Elements are named `id@seconds-since-1970`. Their thread is the series' `id` if the content has none. A response to
/// one element removes the pending elements and withdraws those on the screen. Adding another series with the same
/// identifier replaces only elements of the same second: remove the earlier one first.
///
/// ```swift
/// let series = NoticeSeries(
///     id: "mail", content: NoticeContent(title: "New message"), spacing: .seconds(300), count: 10)
/// try await center.add(series)
/// ```
public struct NoticeSeries: Sendable, Codable, Hashable, Identifiable {
    /// The identifier of the series.
    public var id: String
    /// The content of each element.
    public var content: NoticeContent
    /// When the first element is due; nil is the time of the center's clock when the series is added.
    public var first: Date?
    /// The time between two elements; 1 second or more.
    public var spacing: Duration
    /// The number of elements; 1 or more.
    public var count: Int
    /// What to do with elements that came due while nothing could fire. Of several, only the latest is shown.
    public var misfire: MisfirePolicy
    /// True: closing an element by hand ends the series, too.
    public var dismissalEnds: Bool
    /// How later elements differ from earlier ones: louder, or with other texts. Elements are counted from 1.
    public var escalation: [EscalationStep] {
        get { steps ?? [] }
        set { steps = newValue.isEmpty ? nil : newValue }
    }
    // Optional, because clients of an earlier version send none.
    private var steps: [EscalationStep]?

    private enum CodingKeys: String, CodingKey {
        case id = "base"
        case content, first, spacing, count, misfire, dismissalEnds
        case steps = "escalation"
    }

    /// Creates a series; `add` checks it.
    public init(
        id: String,
        content: NoticeContent,
        first: Date? = nil,
        spacing: Duration,
        count: Int,
        misfire: MisfirePolicy = .deliver,
        dismissalEnds: Bool = false,
        escalation: [EscalationStep] = []
    ) {
        self.id = id
        self.content = content
        self.first = first
        self.spacing = spacing
        self.count = count
        self.misfire = misfire
        self.dismissalEnds = dismissalEnds
        self.escalation = escalation
    }

    /// The maximum number of elements of a series.
    public static let maximumCount = 100_000

    /// Returns the elements, in order; `now` is when the first is due if ``first`` is nil. O(count).
    ///
    /// - Throws: ``NoticeError/Code/invalidSeries`` for a count or spacing that is out of range, and
    ///   ``NoticeError/Code/invalidIdentifier`` for an empty ``id``; permanent.
    public func requests(startingAt now: Date) throws(NoticeError) -> [NoticeRequest] {
        guard !id.isEmpty else {
            throw NoticeError(
                .invalidIdentifier,
                "The series' identifier is empty: give it an identifier that is unique in your app."
            )
        }
        guard (1...Self.maximumCount).contains(count) else {
            throw NoticeError(
                .invalidSeries,
                "A series of \(count) notices: the count must be 1 to \(Self.maximumCount)."
            )
        }
        guard spacing >= .seconds(1), spacing <= .seconds(1_000_000_000) else {
            throw NoticeError(
                .invalidSeries,
                "A series spaced by \(spacing.seconds) s: the spacing must be at least 1 second, and at most "
                    + "1,000,000,000."
            )
        }
        var element = NoticeRequest(
            id: id,
            content: content,
            misfire: misfire,
            series: id,
            dismissalEnds: dismissalEnds
        )
        element.content.thread = content.thread ?? id
        let start = first ?? now
        var stages = EscalationStages(of: element.content, escalation)
        var stage = stages.next()
        return (0..<count).map { number in
            // Elements of one stage share its content, whose texts may be large.
            while let current = stage, current.from <= number + 1 {
                element.content = current.content
                stage = stages.next()
            }
            let due = start.addingTimeInterval(spacing.seconds * Double(number))
            var request = element
            request.seriesPosition = Position(number: number + 1, count: count, kept: count, first: start)
            request.id = "\(id)@\(Int64(exactly: due.timeIntervalSince1970.rounded(.down)) ?? 0)"
            request.trigger = DateTrigger(date: due)
            return request
        }
    }
}

extension NoticeRequest {
    /// Returns an alternative to a series: one request that is shown at once and again every `interval` (60 s or more)
    /// until the user responds, at most `count` times. `escalation` makes later notices louder, or changes their texts.
    public static func untilAnswered(
        id: String,
        content: NoticeContent,
        every interval: Duration,
        count: Int? = nil,
        dismissalEnds: Bool = false,
        escalation: [NoticeSeries.EscalationStep] = []
    ) -> NoticeRequest {
        NoticeRequest(
            id: id,
            content: content,
            trigger: IntervalTrigger(every: interval, startsNow: true, count: count),
            endsWhenAnswered: true,
            dismissalEnds: dismissalEnds,
            escalation: escalation
        )
    }
}
