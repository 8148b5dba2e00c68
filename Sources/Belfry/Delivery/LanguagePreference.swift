import FoundationEssentials
import Glibc

/// Which languages the user reads, best first, by the environment: Foundation on Linux ignores it.
///
/// LANGUAGE wins (a list), then LC_ALL, LC_MESSAGES, LANG, as gettext has it; `C` and `POSIX` mean none.
package enum LanguagePreference {
    package static func current() -> [String] {
        // The four variables alone: Foundation makes a dictionary of all of them at each look, in a third of the time
        // that a delivery takes.
        current { name in getenv(name).map { String(cString: $0) } }
    }

    /// The same of an environment that is given.
    package static func current(environment: [String: String]) -> [String] { current { environment[$0] } }

    private static func current(_ value: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(value).first { !$0.isEmpty }
        guard let locale, let base = language(locale) else { return [] }
        let list = value("LANGUAGE")?.split(separator: ":").compactMap { language(String($0)) } ?? []
        return list.isEmpty ? [base] : list
    }

    /// `de_AT.UTF-8@euro` is `de-AT`; nil where it names no language.
    private static func language(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
        return String(name).replacing("_", with: "-")
    }

    /// The key among `available` that serves the first of `wanted` that any serves: the same tag, else its language.
    package static func best(of available: some Collection<String>, for wanted: [String]) -> String? {
        let byTag = Dictionary(
            available.map { ($0.replacing("_", with: "-").lowercased(), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for tag in wanted {
            var parts = tag.replacing("_", with: "-").lowercased().split(separator: "-")
            while !parts.isEmpty {
                if let key = byTag[parts.joined(separator: "-")] { return key }
                parts.removeLast()
            }
        }
        return nil
    }
}

extension NoticeContent {
    /// The content in the best of the languages that it has.
    func translated(for languages: [String]) -> NoticeContent {
        guard let key = LanguagePreference.best(of: translations.keys, for: languages), let texts = translations[key]
        else { return self }
        var content = self
        content.title = texts.title ?? title
        content.subtitle = texts.subtitle ?? subtitle
        content.body = texts.body ?? body
        for index in content.actions.indices {
            content.actions[index].title = texts.actions[actions[index].id] ?? actions[index].title
        }
        return content
    }
}
