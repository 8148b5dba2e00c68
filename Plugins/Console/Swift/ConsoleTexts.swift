import Belfry

/// Belfry's own words in lines, in one language. To add a language, add an entry to ``all``.
struct ConsoleTexts: Sendable {
    /// `{span}` is replaced by the delay.
    let late: String
    let perhapsShownBefore: String
    /// The keys that belong to no action.
    let keys: String
    /// `{title}` is replaced by the notice's title.
    let withdrawn: String
    let dismissed: String
    let opened: String
    /// Follows a number of 2 or more.
    let days: String

    private static let all: [String: ConsoleTexts] = ["en": english, "de": german, "fr": french, "es": spanish]

    /// Returns the best language; English if the user reads none of them.
    static func best(for languages: [String]) -> ConsoleTexts {
        LanguagePreference.best(of: all, for: languages) ?? english
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

    static let english = ConsoleTexts(
        late: "({span} late)",
        perhapsShownBefore: "(perhaps shown before)",
        keys: "(Enter opens, d dismisses)",
        withdrawn: "withdrawn: {title}",
        dismissed: "dismissed",
        opened: "opened",
        days: "days"
    )
    private static let german = ConsoleTexts(
        late: "({span} verspätet)",
        perhapsShownBefore: "(vielleicht schon gezeigt)",
        keys: "(Eingabetaste öffnet, d verwirft)",
        withdrawn: "zurückgezogen: {title}",
        dismissed: "verworfen",
        opened: "geöffnet",
        days: "Tage"
    )
    private static let french = ConsoleTexts(
        late: "(en retard de {span})",
        perhapsShownBefore: "(peut-être déjà affichée)",
        keys: "(Entrée ouvre, d ferme)",
        withdrawn: "retirée : {title}",
        dismissed: "fermée",
        opened: "ouverte",
        days: "jours"
    )
    private static let spanish = ConsoleTexts(
        late: "(con {span} de retraso)",
        perhapsShownBefore: "(quizá ya mostrada)",
        keys: "(Intro abre, d descarta)",
        withdrawn: "retirada: {title}",
        dismissed: "descartada",
        opened: "abierta",
        days: "días"
    )
}
