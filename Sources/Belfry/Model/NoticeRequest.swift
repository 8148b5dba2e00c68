import FoundationEssentials

/// A notice to show: its identifier, content and trigger, and how to handle misfires.
///
/// ```swift
/// let request = NoticeRequest(
///     id: "tea", content: NoticeContent(title: "Tea is ready"), trigger: .after(.seconds(240)))
/// ```
public struct NoticeRequest: Sendable, Identifiable {
    /// The identifier, 1 to 1,024 bytes of UTF-8. Adding a request replaces a pending one with the same identifier.
    public var id: String
    /// What to show.
    public var content: NoticeContent
    /// When or where to show it; nil delivers now.
    public var trigger: (any NoticeTrigger)?
    /// What to do with a due time that passed while nothing could fire.
    public var misfire: MisfirePolicy
    /// The series that this request belongs to; a response to one element ends the whole series.
    public var series: String?
    /// True: a response to the notice removes the request, which would repeat otherwise.
    public var endsWhenAnswered: Bool
    /// True: closing the notice by hand counts as a response for ``series`` and ``endsWhenAnswered``.
    public var dismissalEnds: Bool
    /// The preferred languages for translations, best first; nil uses the environment at the time of delivery.
    public var languages: [String]?
    /// How the notice changes from one firing to the next, for a repeating request.
    public var escalation: [NoticeSeries.EscalationStep]
    /// The position in its ``series``; nil if the request was not created by a series.
    public var seriesPosition: NoticeSeries.Position?

    /// Creates a request; `add` checks it.
    public init(
        id: String,
        content: NoticeContent,
        trigger: (any NoticeTrigger)? = nil,
        misfire: MisfirePolicy = .deliver,
        series: String? = nil,
        endsWhenAnswered: Bool = false,
        dismissalEnds: Bool = false,
        languages: [String]? = nil,
        escalation: [NoticeSeries.EscalationStep] = [],
        seriesPosition: NoticeSeries.Position? = nil
    ) {
        self.id = id
        self.content = content
        self.trigger = trigger
        self.misfire = misfire
        self.series = series
        self.endsWhenAnswered = endsWhenAnswered
        self.dismissalEnds = dismissalEnds
        self.languages = languages
        self.escalation = escalation
        self.seriesPosition = seriesPosition
    }

    /// Creates a request for a notice with a title and a body.
    public init(id: String, title: String, body: String = "", trigger: (any NoticeTrigger)? = nil) {
        self.init(id: id, content: NoticeContent(title: title, body: body), trigger: trigger)
    }

    /// What may not be meant in its trigger.
    var warnings: [String] { trigger?.warnings ?? [] }
}

extension NoticeRequest: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.content == right.content
            && left.trigger.map { AnyHashable($0) } == right.trigger.map { AnyHashable($0) }
            && left.misfire == right.misfire && left.series == right.series
            && left.endsWhenAnswered == right.endsWhenAnswered && left.dismissalEnds == right.dismissalEnds
            && left.languages == right.languages && left.escalation == right.escalation
            && left.seriesPosition == right.seriesPosition
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(content.title)
    }
}

extension NoticeRequest: Codable {
    private enum Key: String, CodingKey {
        case id, content, trigger, misfire, series, endsWhenAnswered, dismissalEnds, languages, escalation
        case seriesPosition = "seriesPlace"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try values.decode(String.self, forKey: .id),
            content: try values.decode(NoticeContent.self, forKey: .content),
            trigger: try values.decodeIfPresent(CodedTrigger.self, forKey: .trigger)?.trigger,
            misfire: try values.decodeIfPresent(MisfirePolicy.self, forKey: .misfire) ?? .deliver,
            series: try values.decodeIfPresent(String.self, forKey: .series),
            endsWhenAnswered: try values.decodeIfPresent(Bool.self, forKey: .endsWhenAnswered) ?? false,
            dismissalEnds: try values.decodeIfPresent(Bool.self, forKey: .dismissalEnds) ?? false,
            languages: try values.decodeIfPresent([String].self, forKey: .languages),
            escalation: try values.decodeIfPresent([NoticeSeries.EscalationStep].self, forKey: .escalation) ?? [],
            seriesPosition: try values.decodeIfPresent(NoticeSeries.Position.self, forKey: .seriesPosition)
        )
    }

    /// Fields that have their default are omitted.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(content, forKey: .content)
        try values.encodeIfPresent(trigger.map(CodedTrigger.init), forKey: .trigger)
        if misfire != .deliver { try values.encode(misfire, forKey: .misfire) }
        try values.encodeIfPresent(series, forKey: .series)
        if endsWhenAnswered { try values.encode(true, forKey: .endsWhenAnswered) }
        if dismissalEnds { try values.encode(true, forKey: .dismissalEnds) }
        try values.encodeIfPresent(languages, forKey: .languages)
        if !escalation.isEmpty { try values.encode(escalation, forKey: .escalation) }
        try values.encodeIfPresent(seriesPosition, forKey: .seriesPosition)
    }
}
