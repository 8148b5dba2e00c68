import Foundation

/// Several requests made from one: the alert that comes back, like the messages app's, until somebody reacts.
///
/// Elements are named `base@seconds-since-1970`; their thread is the base where the content names none. Answering any of
/// them removes those still pending and withdraws those still shown.
///
/// ```swift
/// let series = NoticeSeries(
///     base: "mail", content: NoticeContent(title: "New message"), spacing: .seconds(300), count: 10)
/// try await center.add(series)
/// ```
public struct NoticeSeries: Sendable, Codable, Hashable {
    /// The identifier of the whole.
    public var base: String
    public var content: NoticeContent
    /// When the first element is due; nil is now, by the center's clock, when the series is added.
    public var first: Date?
    /// From one element to the next; 1 second or more.
    public var spacing: Duration
    /// How many; 1 or more.
    public var count: Int
    public var misfire: MisfirePolicy
    /// True: closing an element by hand ends the series too.
    public var dismissalEnds: Bool

    public init(
        base: String,
        content: NoticeContent,
        first: Date? = nil,
        spacing: Duration,
        count: Int,
        misfire: MisfirePolicy = .deliverLate,
        dismissalEnds: Bool = false
    ) {
        self.base = base
        self.content = content
        self.first = first
        self.spacing = spacing
        self.count = count
        self.misfire = misfire
        self.dismissalEnds = dismissalEnds
    }

    /// The most elements that one series may have.
    public static let maximumCount = 100_000

    /// The elements, in order; `now` is where the first is due when the series does not say. Throws ``NoticeError/Code/invalidSeries``; permanent. O(count).
    public func requests(startingAt now: Date) throws(NoticeError) -> [NoticeRequest] {
        guard !base.isEmpty else {
            throw NoticeError(
                .invalidIdentifier,
                "The series' base is empty: give it an identifier that is unique in your app."
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
                "A series spaced by \(spacing): the spacing must be at least 1 second."
            )
        }
        var element = NoticeRequest(
            id: base,
            content: content,
            misfire: misfire,
            series: base,
            dismissalEnds: dismissalEnds
        )
        element.content.thread = content.thread ?? base
        return (0..<count).map { number in
            let due = (first ?? now).addingTimeInterval(spacing.seconds * Double(number))
            var request = element
            request.id = "\(base)@\(Int64(exactly: due.timeIntervalSince1970.rounded(.down)) ?? 0)"
            request.trigger = DateTrigger(at: due)
            return request
        }
    }
}

extension NoticeRequest {
    /// The other shape of the same wish: shown at once and again every `interval` (60 s or more) under one identifier,
    /// `times` in all, until it is answered.
    public static func untilAnswered(
        id: String,
        content: NoticeContent,
        every interval: Duration,
        times: Int? = nil,
        dismissalEnds: Bool = false
    ) -> NoticeRequest {
        NoticeRequest(
            id: id,
            content: content,
            trigger: IntervalTrigger(every: interval, startsNow: true, times: times),
            endsWhenAnswered: true,
            dismissalEnds: dismissalEnds
        )
    }
}
