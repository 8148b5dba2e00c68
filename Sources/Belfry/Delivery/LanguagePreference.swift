import FoundationEssentials
import Glibc

/// The languages of the user according to the environment, best first: Foundation on Linux ignores it.
///
/// LANGUAGE (a list) takes precedence over LC_ALL, LC_MESSAGES and LANG, as in gettext; `C` and `POSIX` mean none.
package enum LanguagePreference {
    package static func current() -> [String] {
        // Reads only the four variables: Foundation copies the whole environment into a dictionary at each access,
        // which takes a third of the time of a delivery.
        current { name in getenv(name).map { String(cString: $0) } }
    }

    /// Returns the languages according to a given environment.
    package static func current(environment: [String: String]) -> [String] { current { environment[$0] } }

    private static func current(_ value: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(value).first { !$0.isEmpty }
        guard let locale, let base = language(locale) else { return [] }
        let list = value("LANGUAGE")?.split(separator: ":").compactMap { language(String($0)) } ?? []
        return list.isEmpty ? [base] : list
    }

    /// Converts `de_AT.UTF-8@euro` to `de-AT`; nil if the locale names no language.
    private static func language(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
        return String(name).replacing("_", with: "-")
    }

    /// Returns the value for the first of `wanted` that has one in `available`: that of the same tag, or else of its
    /// language.
    package static func best<Value>(of available: [String: Value], for wanted: [String]) -> Value? {
        let keys = Dictionary(
            available.keys.map { ($0.replacing("_", with: "-").lowercased(), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for tag in wanted {
            var parts = tag.replacing("_", with: "-").lowercased().split(separator: "-")
            while !parts.isEmpty {
                if let key = keys[parts.joined(separator: "-")] { return available[key] }
                parts.removeLast()
            }
        }
        return nil
    }
}

extension NoticeContent {
    /// Returns the content in the best of its languages.
    func translated(for languages: [String]) -> NoticeContent {
        guard let texts = LanguagePreference.best(of: translations, for: languages) else { return self }
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
