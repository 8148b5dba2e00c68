import Belfry

/// What lines say of their own, in one language. To add a language, add a line to ``all``.
struct ConsoleWords: Sendable {
    /// `{span}` stands for how late it is.
    let late: String
    let perhapsShownBefore: String
    /// What the keys do that have no action.
    let keys: String
    /// `{title}` stands for the notice's.
    let withdrawn: String
    let dismissed: String
    let opened: String
    /// Behind a number of 2 or more.
    let days: String

    private static let all: [String: ConsoleWords] = ["en": english, "de": german, "fr": french, "es": spanish]

    /// English where the user reads none of them.
    static func best(for languages: [String]) -> ConsoleWords {
        LanguagePreference.best(of: all.keys, for: languages).flatMap { all[$0] } ?? english
    }

    func span(_ duration: Duration) -> String {
        let seconds = Int(min(duration.seconds, 1e12))
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) \(days)"
        }
    }

    static let english = ConsoleWords(
        late: "({span} late)",
        perhapsShownBefore: "(perhaps shown before)",
        keys: "(Enter opens, d dismisses)",
        withdrawn: "withdrawn: {title}",
        dismissed: "dismissed",
        opened: "opened",
        days: "days"
    )
    private static let german = ConsoleWords(
        late: "({span} verspätet)",
        perhapsShownBefore: "(vielleicht schon gezeigt)",
        keys: "(Eingabetaste öffnet, d verwirft)",
        withdrawn: "zurückgezogen: {title}",
        dismissed: "verworfen",
        opened: "geöffnet",
        days: "Tage"
    )
    private static let french = ConsoleWords(
        late: "(en retard de {span})",
        perhapsShownBefore: "(peut-être déjà affichée)",
        keys: "(Entrée ouvre, d ferme)",
        withdrawn: "retirée : {title}",
        dismissed: "fermée",
        opened: "ouverte",
        days: "jours"
    )
    private static let spanish = ConsoleWords(
        late: "(con {span} de retraso)",
        perhapsShownBefore: "(quizá ya mostrada)",
        keys: "(Intro abre, d descarta)",
        withdrawn: "retirada: {title}",
        dismissed: "descartada",
        opened: "abierta",
        days: "días"
    )
}
