/// The texts of the prompt for showing notices, in one language. To add a language, add a line to ``all``.
package struct PermissionWords: Sendable {
    /// `{app}` is replaced by the app's name.
    private let wish: String
    /// What allowing means, and how to decide later; `{app}` is replaced by the app's name.
    private let explanation: String
    package let allow: String
    package let deny: String
    /// The question where the user types the decision; `{app}` is replaced by the app's name.
    private let question: String
    /// The letters to type.
    package let choice: String
    private let yes: [String]
    private let no: [String]
    /// The text after any other input.
    package let hint: String

    package func wish(of app: String) -> String { wish.filled(["app": app]) }
    package func explanation(for app: String) -> String { explanation.filled(["app": app]) }
    package func question(about app: String) -> String { question.filled(["app": app]) }

    /// Parses a typed decision; nil for any other text. The English words are valid in every language.
    package func decision(typed: String) -> AuthorizationStatus.Decision? {
        let word = typed.lowercased()
        if yes.contains(word) || Self.english.yes.contains(word) { return .allowed }
        return no.contains(word) || Self.english.no.contains(word) ? .denied : nil
    }

    static let all: [String: PermissionWords] = ["en": english, "de": german, "fr": french, "es": spanish]

    /// Returns the texts in the best of the languages; English if there is none.
    package static func best(for languages: [String]) -> PermissionWords {
        LanguagePreference.best(of: all, for: languages) ?? english
    }

    private static let english = PermissionWords(
        wish: "{app} wants to show notices",
        explanation: "They also come while {app} is not open. Close this message to decide another time.",
        allow: "Allow",
        deny: "Don't allow",
        question: "May {app} show notices?",
        choice: "[y/n]",
        yes: ["y", "yes"],
        no: ["n", "no"],
        hint: "Type y or n, then press Enter."
    )
    private static let german = PermissionWords(
        wish: "{app} möchte Hinweise zeigen",
        explanation: "Sie kommen auch, wenn {app} nicht offen ist. Wer diese Frage schließt, entscheidet später.",
        allow: "Erlauben",
        deny: "Nicht erlauben",
        question: "Darf {app} Hinweise zeigen?",
        choice: "[j/n]",
        yes: ["j", "ja"],
        no: ["n", "nein"],
        hint: "Bitte j oder n tippen, dann die Eingabetaste drücken."
    )
    private static let french = PermissionWords(
        wish: "{app} souhaite afficher des notifications",
        explanation: "Elles arrivent aussi quand {app} n’est pas ouvert. Fermez ce message pour décider plus tard.",
        allow: "Autoriser",
        deny: "Ne pas autoriser",
        question: "Autoriser {app} à afficher des notifications ?",
        choice: "[o/n]",
        yes: ["o", "oui"],
        no: ["n", "non"],
        hint: "Tapez o ou n, puis Entrée."
    )
    private static let spanish = PermissionWords(
        wish: "{app} quiere mostrar notificaciones",
        explanation: "También llegan cuando {app} no está abierto. Cierre este mensaje para decidir más tarde.",
        allow: "Permitir",
        deny: "No permitir",
        question: "¿Permitir que {app} muestre notificaciones?",
        choice: "[s/n]",
        yes: ["s", "si", "sí"],
        no: ["n", "no"],
        hint: "Escriba s o n y pulse Intro."
    )
}

extension String {
    /// Returns the text with each `{name}` replaced by its value.
    package func filled(_ values: KeyValuePairs<String, String>) -> String {
        values.reduce(self) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
