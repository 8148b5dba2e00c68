/// What of a request decides the fate of its deliveries.
public struct DeliveryTraits: Sendable, Codable, Hashable {
    public var series: String?
    public var endsWhenAnswered: Bool
    public var dismissalEnds: Bool
    public var misfire: MisfirePolicy
    /// ``NoticeContent/thread``, for the ledger; a series' base where the content has none.
    public var thread: String?
    /// The content stays on the screen after an answer.
    public var isResident: Bool
    /// The category asks for dismissals.
    public var reportsDismissal = false

    public init(_ request: NoticeRequest) {
        series = request.series
        endsWhenAnswered = request.endsWhenAnswered
        dismissalEnds = request.dismissalEnds
        misfire = request.misfire
        thread = request.content.thread ?? request.series
        isResident = request.content.isResident
    }
}

/// What of a request decides how it is treated while it is pending, whatever it shows.
///
/// Immutable, and one object for all requests that ask for nothing special: a million pending requests share it.
public final class RequestTraits: Sendable, Codable, Hashable {
    public let level: InterruptionLevel
    public let relevance: Double
    public let delivery: DeliveryTraits

    /// Those of a request that says nothing but what to show.
    public static let usual = RequestTraits(NoticeRequest(id: "", title: ""))

    private init(_ request: NoticeRequest) {
        level = request.content.level
        relevance = request.content.relevance
        delivery = DeliveryTraits(request)
    }

    /// ``usual`` where the request asks for nothing special.
    public static func of(_ request: NoticeRequest) -> RequestTraits {
        let isUsual =
            request.content.level == usual.level && request.content.relevance == usual.relevance
            && DeliveryTraits(request) == usual.delivery
        return isUsual ? usual : RequestTraits(request)
    }

    public static func == (left: RequestTraits, right: RequestTraits) -> Bool {
        left === right
            || left.level == right.level && left.relevance == right.relevance && left.delivery == right.delivery
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(level)
        hasher.combine(relevance)
        hasher.combine(delivery)
    }
}
