/// What a user is asked before an app may show notices, in one language. To add a language, add a line to ``all``.
package struct PermissionWords: Sendable {
    /// `{app}` stands for the app's name.
    private let wish: String
    /// What a yes means, and how to decide another time; `{app}` stands for the app's name.
    private let explanation: String
    package let allow: String
    package let deny: String
    /// Where the answer is typed; `{app}` stands for the app's name.
    private let question: String
    /// The letters to type.
    package let choice: String
    private let yes: [String]
    private let no: [String]
    /// After something else was typed.
    package let hint: String

    package func wish(of app: String) -> String { wish.filled(["app": app]) }
    package func explanation(for app: String) -> String { explanation.filled(["app": app]) }
    package func question(about app: String) -> String { question.filled(["app": app]) }

    /// Nil for what is neither. The English words are understood everywhere.
    package func answer(_ typed: String) -> AuthorizationStatus.Answer? {
        let word = typed.lowercased()
        if yes.contains(word) || Self.english.yes.contains(word) { return .allowed }
        return no.contains(word) || Self.english.no.contains(word) ? .denied : nil
    }

    static let all: [String: PermissionWords] = ["en": english, "de": german, "fr": french, "es": spanish]

    /// English where the user reads none of them.
    package static func best(for languages: [String]) -> PermissionWords {
        LanguagePreference.best(of: all.keys, for: languages).flatMap { all[$0] } ?? english
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
    /// The text with `{name}` replaced by a value, for each of them.
    package func filled(_ values: KeyValuePairs<String, String>) -> String {
        values.reduce(self) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
