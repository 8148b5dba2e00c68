/// The properties of a request that decide about its deliveries.
package struct DeliveryTraits: Sendable, Codable, Hashable {
    package var series: String?
    package var endsWhenAnswered: Bool
    package var dismissalEnds: Bool
    package var misfire: MisfirePolicy
    /// ``NoticeContent/thread``, for the history; the base of the series if the content has none.
    package var thread: String?
    /// Whether the notice stays on the screen after a response.
    package var isResident: Bool
    /// Whether the category requests reports of dismissals.
    package var reportsDismissal = false
    /// The level of this firing, which decides whether quiet hours apply.
    package var level: InterruptionLevel {
        get { unusualLevel ?? .active }
        set { unusualLevel = newValue == .active ? nil : newValue }
    }
    /// When to coalesce the thread's notices; nil for undisplayed notices, which are in no summary.
    package var summary: SummaryRule?
    /// If false, the notice is given to the app and disturbs nobody (``NoticeContent/isDisplayed``).
    package var isDisplayed: Bool { unusualDisplay ?? true }
    // Nil for the usual values, which traits that an earlier version stored imply.
    private var unusualLevel: InterruptionLevel?
    private var unusualDisplay: Bool?

    private enum CodingKeys: String, CodingKey {
        case series, endsWhenAnswered, dismissalEnds, misfire, thread, isResident, reportsDismissal, summary
        case unusualLevel = "level"
        case unusualDisplay = "isDisplayed"
    }

    package init(_ request: NoticeRequest) {
        series = request.series
        endsWhenAnswered = request.endsWhenAnswered
        dismissalEnds = request.dismissalEnds
        misfire = request.misfire
        thread = request.content.thread ?? request.series
        isResident = request.content.desktop.isResident
        summary = request.content.isDisplayed ? request.content.summary.map(SummaryRule.init) : nil
        unusualDisplay = request.content.isDisplayed ? nil : false
        level = request.content.level
    }
}

/// The properties of a request that decide how it is handled while it is pending, apart from its content.
///
/// Immutable, and one shared object for all requests without special options: there may be a million.
package final class RequestTraits: Sendable, Codable, Hashable {
    package let relevance: Double
    /// The traits of the first firing.
    package let delivery: DeliveryTraits
    /// The firings from which the level changes: ``NoticeRequest/escalation`` without its content, in the order of
    /// firings.
    package let levels: [LevelChange]

    package struct LevelChange: Sendable, Codable, Hashable {
        package var from: Int
        package var level: InterruptionLevel
    }

    /// The level of the content, before any escalation.
    package var level: InterruptionLevel { delivery.level }

    /// The traits of a request without special options.
    package static let usual = RequestTraits(NoticeRequest(id: "", title: ""))

    private init(_ request: NoticeRequest) {
        relevance = request.content.relevance
        delivery = DeliveryTraits(request)
        levels = Self.levels(of: request)
    }

    private static func levels(of request: NoticeRequest) -> [LevelChange] {
        guard !request.escalation.isEmpty else { return [] }
        return request.escalation.compactMap { step in step.level.map { LevelChange(from: step.from, level: $0) } }
            .sorted { $0.from < $1.from }
    }

    /// Returns the traits of a request: ``usual`` if it has no special options.
    package static func of(_ request: NoticeRequest) -> RequestTraits {
        let isUsual =
            request.content.relevance == usual.relevance && request.escalation.isEmpty
            && DeliveryTraits(request) == usual.delivery
        return isUsual ? usual : RequestTraits(request)
    }

    /// Returns the level of a firing, counted from 1.
    package func level(ofFiring number: Int) -> InterruptionLevel {
        levels.last { $0.from <= number }?.level ?? delivery.level
    }

    /// Returns the traits of a firing, counted from 1.
    package func delivery(ofFiring number: Int) -> DeliveryTraits {
        guard !levels.isEmpty else { return delivery }
        var traits = delivery
        traits.level = level(ofFiring: number)
        return traits
    }

    private enum Key: String, CodingKey { case level, relevance, delivery, levels }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        relevance = try values.decode(Double.self, forKey: .relevance)
        var traits = try values.decode(DeliveryTraits.self, forKey: .delivery)
        traits.level = try values.decode(InterruptionLevel.self, forKey: .level)
        delivery = traits
        levels = try values.decodeIfPresent([LevelChange].self, forKey: .levels) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(level, forKey: .level)
        try values.encode(relevance, forKey: .relevance)
        try values.encode(delivery, forKey: .delivery)
        if !levels.isEmpty { try values.encode(levels, forKey: .levels) }
    }

    package static func == (left: RequestTraits, right: RequestTraits) -> Bool {
        left === right
            || left.relevance == right.relevance && left.delivery == right.delivery && left.levels == right.levels
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(relevance)
        hasher.combine(delivery)
    }
}
