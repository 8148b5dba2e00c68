extension NoticeSeries {
    /// What becomes of a notice that nobody reacts to: from one of its firings on it is louder, or says something else.
    ///
    /// A step holds for all firings from its number on; what it leaves nil stays as the steps before it, or the
    /// content, have it. Firings are counted from 1, missed ones included.
    ///
    /// ```swift
    /// var series = NoticeSeries(
    ///     id: "mail", content: NoticeContent(title: "New message"), spacing: .seconds(300), count: 10)
    /// series.escalation = [
    ///     NoticeSeries.EscalationStep(from: 3, level: .timeSensitive), NoticeSeries.EscalationStep(from: 6, title: "Still unread", sound: .standard),
    /// ]
    /// ```
    public struct EscalationStep: Sendable, Codable, Hashable {
        /// The number of the first firing that the step holds for; 1 or more.
        public var from: Int
        /// Decides the urgency, whether quiet hours are passed, and which request is kept where there is no room for
        /// all.
        public var level: InterruptionLevel?
        /// The title from then on; nil keeps the one before.
        public var title: String?
        /// The subtitle from then on; nil keeps the one before.
        public var subtitle: String?
        /// The body from then on; nil keeps the one before.
        public var body: String?
        /// The sound from then on; nil keeps the one before.
        public var sound: NoticeSound?
        /// The step's texts in other languages. A text that the step changes is never shown in the words that the
        /// content has for it: where a language has none here, it is shown as the step itself has it.
        public var translations: [String: NoticeContent.Translation]?

        /// Creates a step; what is nil stays as it was.
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

        /// The most steps that one request may have.
        public static let maximumCount = 100
    }
}

extension NoticeContent {
    /// The content as it is at one of its firings, counted from 1. O(steps).
    public func escalated(by steps: [NoticeSeries.EscalationStep], atFiring number: Int) -> NoticeContent {
        guard steps.contains(where: { $0.from <= number }) else { return self }
        var content = self
        for step in steps.filter({ $0.from <= number }).sorted(by: { $0.from < $1.from }) { content.take(step) }
        return content
    }

    private mutating func take(_ step: NoticeSeries.EscalationStep) {
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
