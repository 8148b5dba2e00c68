/// What of a request decides the fate of its deliveries.
package struct DeliveryTraits: Sendable, Hashable {
    package var series: String?
    package var endsWhenAnswered: Bool
    package var dismissalEnds: Bool
    package var misfire: MisfirePolicy
    /// ``NoticeContent/thread``, for the history; a series' base where the content has none.
    package var thread: String?
    /// The content stays on the screen after an answer.
    package var isResident: Bool
    /// The category asks for dismissals.
    package var reportsDismissal = false
    /// Of this firing: whether quiet hours are passed.
    package var level: InterruptionLevel
    /// When many of the thread become one; nil of what is not displayed, which is in no summary.
    package var summary: SummaryRule?
    /// False: it is given to the app, and disturbs nobody (``NoticeContent/isDisplayed``).
    package var isDisplayed = true

    package init(_ request: NoticeRequest) {
        series = request.series
        endsWhenAnswered = request.endsWhenAnswered
        dismissalEnds = request.dismissalEnds
        misfire = request.misfire
        thread = request.content.thread ?? request.series
        isResident = request.content.desktop.isResident
        level = request.content.level
        isDisplayed = request.content.isDisplayed
        summary = isDisplayed ? request.content.summary.map(SummaryRule.init) : nil
    }
}

extension DeliveryTraits: Codable {
    private enum Key: String, CodingKey {
        case series, endsWhenAnswered, dismissalEnds, misfire, thread, isResident, reportsDismissal, level
        case summary, isDisplayed
    }

    /// What an earlier version stored has no level, and is displayed.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        series = try values.decodeIfPresent(String.self, forKey: .series)
        endsWhenAnswered = try values.decode(Bool.self, forKey: .endsWhenAnswered)
        dismissalEnds = try values.decode(Bool.self, forKey: .dismissalEnds)
        misfire = try values.decode(MisfirePolicy.self, forKey: .misfire)
        thread = try values.decodeIfPresent(String.self, forKey: .thread)
        isResident = try values.decode(Bool.self, forKey: .isResident)
        reportsDismissal = try values.decode(Bool.self, forKey: .reportsDismissal)
        level = try values.decodeIfPresent(InterruptionLevel.self, forKey: .level) ?? .active
        summary = try values.decodeIfPresent(SummaryRule.self, forKey: .summary)
        isDisplayed = try values.decodeIfPresent(Bool.self, forKey: .isDisplayed) ?? true
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(series, forKey: .series)
        try values.encode(endsWhenAnswered, forKey: .endsWhenAnswered)
        try values.encode(dismissalEnds, forKey: .dismissalEnds)
        try values.encode(misfire, forKey: .misfire)
        try values.encodeIfPresent(thread, forKey: .thread)
        try values.encode(isResident, forKey: .isResident)
        try values.encode(reportsDismissal, forKey: .reportsDismissal)
        if level != .active { try values.encode(level, forKey: .level) }
        try values.encodeIfPresent(summary, forKey: .summary)
        if !isDisplayed { try values.encode(isDisplayed, forKey: .isDisplayed) }
    }
}

/// What of a request decides how it is treated while it is pending, whatever it shows.
///
/// Immutable, and one object for all requests that ask for nothing special: a million pending requests share it.
package final class RequestTraits: Sendable, Codable, Hashable {
    package let relevance: Double
    /// Those of the first firing.
    package let delivery: DeliveryTraits
    /// From which firing on the level is another: ``NoticeRequest/escalation`` without what is shown, in the order of
    /// firings.
    package let levels: [LevelChange]

    package struct LevelChange: Sendable, Codable, Hashable {
        package var from: Int
        package var level: InterruptionLevel
    }

    /// Of the content, before any escalation.
    package var level: InterruptionLevel { delivery.level }

    /// Those of a request that says nothing but what to show.
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

    /// ``usual`` where the request asks for nothing special.
    package static func of(_ request: NoticeRequest) -> RequestTraits {
        let isUsual =
            request.content.relevance == usual.relevance && request.escalation.isEmpty
            && DeliveryTraits(request) == usual.delivery
        return isUsual ? usual : RequestTraits(request)
    }

    /// The level of a firing, counted from 1.
    package func level(ofFiring number: Int) -> InterruptionLevel {
        levels.last { $0.from <= number }?.level ?? delivery.level
    }

    /// The traits of a firing, counted from 1.
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
