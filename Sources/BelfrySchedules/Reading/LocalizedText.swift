/// A text, in one language or in several.
struct LocalizedText {
    /// What is shown where no translation serves: `default`, else `en`, else the first.
    let fallback: String
    /// All but `default`.
    let byLanguage: [String: String]

    init(_ text: String) {
        fallback = text
        byLanguage = [:]
    }

    /// In the order of the file; not empty.
    init(translations: [(language: String, text: String)]) {
        let named = translations.filter { $0.language != "default" }
        byLanguage = Dictionary(named.map { ($0.language, $0.text) }, uniquingKeysWith: { first, _ in first })
        fallback = translations.first { $0.language == "default" }?.text ?? byLanguage["en"] ?? translations[0].text
    }
}

extension ObjectReader {
    /// A text, or an object of translations.
    func localized(_ name: String) -> LocalizedText? {
        guard let place = place(name) else { return nil }
        if let text = place.node.text { return LocalizedText(text) }
        guard place.node.fields != nil else { return mismatch(name, "a text or an object of translations") }
        return Self.translations(place, collector)
    }

    static func translations(_ place: NodePosition, _ collector: DiagnosticCollector) -> LocalizedText? {
        guard let fields = place.node.fields, !fields.isEmpty else {
            collector.add("has no translation; write {\"en\": \"…\", \"default\": \"…\"}", at: place)
            return nil
        }
        var translations: [(String, String)] = []
        for field in fields {
            guard let text = field.node.text, !field.name.isEmpty else {
                let path = "\(place.path).\(field.name.clipped)"
                collector.add("must be a text in that language, found \(field.node.found)", at: path, field.node.offset)
                continue
            }
            translations.append((field.name, text))
        }
        return translations.count == fields.count ? LocalizedText(translations: translations) : nil
    }
}
