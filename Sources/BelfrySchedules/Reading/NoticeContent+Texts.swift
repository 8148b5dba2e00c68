import Belfry

extension NoticeContent {
    /// Puts a text and its translations in place.
    mutating func set(
        _ text: LocalizedText,
        _ path: WritableKeyPath<NoticeContent, String>,
        _ translated: WritableKeyPath<Translation, String?>
    ) {
        self[keyPath: path] = text.fallback
        for (language, text) in text.byLanguage {
            translations[language, default: Translation()][keyPath: translated] = text
        }
    }

    mutating func set(title: LocalizedText) { set(title, \.title, \.title) }
    mutating func set(body: LocalizedText) { set(body, \.body, \.body) }
}
