import Belfry

/// A text, in one language or in several.
struct LocalizedText {
    /// The text without a suitable translation: `default`, else `en`, else the first.
    let fallback: String
    /// The translations without `default`.
    let byLanguage: [String: String]

    init(_ text: String) {
        fallback = text
        byLanguage = [:]
    }

    /// Creates a text from translations in the order of the file; they must not be empty.
    init(translations: [(language: String, text: String)]) {
        let named = translations.filter { $0.language != "default" }
        byLanguage = Dictionary(named.map { ($0.language, $0.text) }, uniquingKeysWith: { first, _ in first })
        fallback = translations.first { $0.language == "default" }?.text ?? byLanguage["en"] ?? translations[0].text
    }
}

extension ObjectReader {
    /// Reads a text, or an object of translations.
    func localized(_ name: String) -> LocalizedText? {
        guard let position = position(name) else { return nil }
        if let text = position.node.text { return LocalizedText(text) }
        guard let fields = position.fields else { return mismatch(name, "a text or an object of translations") }
        guard !fields.isEmpty else {
            return reject(name, "has no translation; write {\"en\": \"…\", \"default\": \"…\"}")
        }
        var translations: [(String, String)] = []
        for (language, position) in fields {
            if let text = position.node.text, !language.isEmpty {
                translations.append((language, text))
            } else {
                collector.add("must be a text in that language, found \(position.node.found)", at: position)
            }
        }
        return translations.count == fields.count ? LocalizedText(translations: translations) : nil
    }
}

extension NoticeContent {
    /// Sets a text and its translations.
    mutating func set(
        _ text: LocalizedText?,
        _ path: WritableKeyPath<NoticeContent, String>,
        _ translated: WritableKeyPath<Translation, String?>
    ) {
        guard let text else { return }
        self[keyPath: path] = text.fallback
        for (language, text) in text.byLanguage {
            translations[language, default: Translation()][keyPath: translated] = text
        }
    }

    mutating func set(title: LocalizedText?) { set(title, \.title, \.title) }
    mutating func set(body: LocalizedText?) { set(body, \.body, \.body) }
}
