extension NoticeSeries {
    /// A change to an unanswered notice: from one of its firings on, it is louder or has other texts.
    ///
    /// A step applies to all firings from its number on. A nil property keeps the value of the earlier steps, or of the
    /// content. Firings are counted from 1, including missed ones.
    ///
    /// ```swift
    /// var series = NoticeSeries(
    ///     id: "mail", content: NoticeContent(title: "New message"), spacing: .seconds(300), count: 10)
    /// series.escalation = [
    ///     NoticeSeries.EscalationStep(from: 3, level: .timeSensitive),
    ///     NoticeSeries.EscalationStep(from: 6, title: "Still unread", sound: .standard),
    /// ]
    /// ```
    public struct EscalationStep: Sendable, Codable, Hashable {
        /// The number of the first firing that the step applies to; 1 or more.
        public var from: Int
        /// The level from then on; nil keeps the one before. It decides the urgency, whether quiet hours defer the
        /// notice, and which requests a pending limit keeps.
        public var level: InterruptionLevel?
        /// The title from then on; nil keeps the one before.
        public var title: String?
        /// The subtitle from then on; nil keeps the one before.
        public var subtitle: String?
        /// The body from then on; nil keeps the one before.
        public var body: String?
        /// The sound from then on; nil keeps the one before.
        public var sound: NoticeSound?
        /// The step's texts in other languages. A text that the step changes never uses the content's own translations.
        /// If a language has no translation here, the step's own text is shown.
        public var translations: [String: NoticeContent.Translation]?

        /// Creates a step; a nil argument changes nothing.
        public init(
            from: Int,
            level: InterruptionLevel? = nil,
            title: String? = nil,
            subtitle: String? = nil,
            body: String? = nil,
            sound: NoticeSound? = nil,
            translations: [String: NoticeContent.Translation]? = nil
        ) {
            self.from = from
            self.level = level
            self.title = title
            self.subtitle = subtitle
            self.body = body
            self.sound = sound
            self.translations = translations
        }

        /// The maximum number of steps of one request.
        public static let maximumCount = 100
    }
}

extension NoticeContent {
    /// Returns the content as it is at one of its firings, counted from 1. O(steps).
    public func escalated(by steps: [NoticeSeries.EscalationStep], atFiring number: Int) -> NoticeContent {
        var content = self
        for stage in EscalationStages(of: self, steps) {
            guard stage.from <= number else { break }
            content = stage.content
        }
        return content
    }

    fileprivate mutating func take(_ step: NoticeSeries.EscalationStep) {
        level = step.level ?? level
        sound = step.sound ?? sound
        for key in translations.keys {
            if step.title != nil { translations[key]?.title = nil }
            if step.subtitle != nil { translations[key]?.subtitle = nil }
            if step.body != nil { translations[key]?.body = nil }
        }
        title = step.title ?? title
        subtitle = step.subtitle ?? subtitle
        body = step.body ?? body
        for (key, texts) in step.translations ?? [:] {
            var merged = translations[key] ?? Translation()
            merged.title = texts.title ?? merged.title
            merged.subtitle = texts.subtitle ?? merged.subtitle
            merged.body = texts.body ?? merged.body
            merged.actions.merge(texts.actions) { _, new in new }
            translations[key] = merged
        }
    }
}

/// The contents of a notice that escalates, in order, each with the number of the first firing that has it. They are
/// made one by one, so that those who use one at a time keep no others.
struct EscalationStages: Sequence, IteratorProtocol {
    private var content: NoticeContent
    private var steps: ArraySlice<NoticeSeries.EscalationStep>

    init(of content: NoticeContent, _ steps: [NoticeSeries.EscalationStep]) {
        self.content = content
        self.steps = steps.sorted { $0.from < $1.from }[...]
    }

    mutating func next() -> (from: Int, content: NoticeContent)? {
        guard let from = steps.first?.from else { return nil }
        while let step = steps.first, step.from == from { content.take(steps.removeFirst()) }
        return (from, content)
    }
}
