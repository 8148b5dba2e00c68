import FoundationEssentials

/// An identifier, what to show, when or where, and what to do when things go wrong.
///
/// ```swift
/// let request = NoticeRequest(
///     id: "tea", content: NoticeContent(title: "Tea is ready"), trigger: .after(.seconds(240)))
/// ```
public struct NoticeRequest: Sendable, Identifiable {
    /// 1 to 1,024 bytes of UTF-8, unique among pending requests: adding one that exists replaces it whole.
    public var id: String
    /// What to show.
    public var content: NoticeContent
    /// Nil delivers now.
    public var trigger: (any NoticeTrigger)?
    /// What to do with a due time that passed while nothing could fire.
    public var misfire: MisfirePolicy
    /// The series that this request belongs to; answering one element ends them all.
    public var series: String?
    /// True: an answer to the notice removes the request, which else would repeat.
    public var endsWhenAnswered: Bool
    /// True: closing the notice by hand counts as an answer for ``series`` and ``endsWhenAnswered``.
    public var dismissalEnds: Bool
    /// The languages to choose a translation by, best first; nil follows the environment of the moment of showing.
    public var languages: [String]?
    /// How the notice changes from one firing to the next, for a request that repeats.
    public var escalation: [NoticeSeries.EscalationStep]
    /// Where it stands in its ``series``; nil where it was not made with one.
    public var seriesPlace: NoticeSeries.Position?

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
        seriesPlace: NoticeSeries.Position? = nil
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
        self.seriesPlace = seriesPlace
    }

    /// A notice of a title and a body.
    public init(id: String, title: String, body: String = "", trigger: (any NoticeTrigger)? = nil) {
        self.init(id: id, content: NoticeContent(title: title, body: body), trigger: trigger)
    }
}

extension NoticeRequest: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.content == right.content
            && left.trigger.map { AnyHashable($0) } == right.trigger.map { AnyHashable($0) }
            && left.misfire == right.misfire && left.series == right.series
            && left.endsWhenAnswered == right.endsWhenAnswered && left.dismissalEnds == right.dismissalEnds
            && left.languages == right.languages && left.escalation == right.escalation
            && left.seriesPlace == right.seriesPlace
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(content.title)
    }
}

extension NoticeRequest: Codable {
    private enum Key: String, CodingKey {
        case id, content, trigger, misfire, series, endsWhenAnswered, dismissalEnds, languages, escalation
        case seriesPlace
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
            seriesPlace: try values.decodeIfPresent(NoticeSeries.Position.self, forKey: .seriesPlace)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(content, forKey: .content)
        try values.encodeIfPresent(trigger.map(CodedTrigger.init), forKey: .trigger)
        try values.encode(misfire, forKey: .misfire)
        try values.encodeIfPresent(series, forKey: .series)
        try values.encode(endsWhenAnswered, forKey: .endsWhenAnswered)
        try values.encode(dismissalEnds, forKey: .dismissalEnds)
        try values.encodeIfPresent(languages, forKey: .languages)
        if !escalation.isEmpty { try values.encode(escalation, forKey: .escalation) }
        try values.encodeIfPresent(seriesPlace, forKey: .seriesPlace)
    }
}
