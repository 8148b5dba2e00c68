/// The titles of the snooze buttons in one language. To add a language, add a line to ``all``.
struct SnoozeWords: Sendable {
    /// A text with a number and a unit: one form for 1, another for all other numbers.
    struct Unit: Sendable {
        let one: String
        let many: String
    }

    /// `%` is replaced by the number.
    let second: Unit
    let minute: Unit
    let hour: Unit
    let day: Unit
    /// `%` is replaced by the time of day.
    let tomorrow: String
    let later: String

    static let all: [String: SnoozeWords] = [
        "en": SnoozeWords(
            second: Unit(one: "In % second", many: "In % seconds"),
            minute: Unit(one: "In % minute", many: "In % minutes"),
            hour: Unit(one: "In % hour", many: "In % hours"),
            day: Unit(one: "In % day", many: "In % days"),
            tomorrow: "Tomorrow at %",
            later: "Later"
        ),
        "de": SnoozeWords(
            second: Unit(one: "In % Sekunde", many: "In % Sekunden"),
            minute: Unit(one: "In % Minute", many: "In % Minuten"),
            hour: Unit(one: "In % Stunde", many: "In % Stunden"),
            day: Unit(one: "In % Tag", many: "In % Tagen"),
            tomorrow: "Morgen um %",
            later: "Später"
        ),
        "fr": SnoozeWords(
            second: Unit(one: "Dans % seconde", many: "Dans % secondes"),
            minute: Unit(one: "Dans % minute", many: "Dans % minutes"),
            hour: Unit(one: "Dans % heure", many: "Dans % heures"),
            day: Unit(one: "Dans % jour", many: "Dans % jours"),
            tomorrow: "Demain à %",
            later: "Plus tard"
        ),
        "es": SnoozeWords(
            second: Unit(one: "En % segundo", many: "En % segundos"),
            minute: Unit(one: "En % minuto", many: "En % minutos"),
            hour: Unit(one: "En % hora", many: "En % horas"),
            day: Unit(one: "En % día", many: "En % días"),
            tomorrow: "Mañana a las %",
            later: "Más tarde"
        ),
    ]

    /// Returns the titles in the best of the languages; English if there is none.
    static func best(for languages: [String]) -> SnoozeWords? {
        LanguagePreference.best(of: all, for: languages) ?? all["en"]
    }

    func title(of choice: SnoozeChoice) -> String {
        switch choice {
        case .after(let span):
            let seconds = Int64(span.seconds.rounded())
            // The largest unit that divides the time evenly.
            for (size, unit) in [(86_400, day), (3_600, hour), (60, minute)] as [(Int64, Unit)]
            where seconds >= size && seconds % size == 0 { return Self.text(seconds / size, unit) }
            return Self.text(seconds, second)
        case .tomorrow(let hour, let minute):
            return tomorrow.replacing("%", with: "\(hour):\(minute < 10 ? "0" : "")\(minute)")
        case .until: return later
        }
    }

    private static func text(_ number: Int64, _ unit: Unit) -> String {
        (number == 1 ? unit.one : unit.many).replacing("%", with: "\(number)")
    }
}

extension NoticeContent {
    /// Returns the content with titles for its snooze buttons that have none, in the best of the languages.
    func withSnoozeTitles(for languages: @autoclosure () -> [String]) -> NoticeContent {
        guard actions.contains(where: { $0.title.isEmpty }) else { return self }
        var content = self
        let words = SnoozeWords.best(for: languages())
        for index in actions.indices where actions[index].title.isEmpty {
            guard let choice = SnoozeChoice(actionID: actions[index].id) else { continue }
            content.actions[index].title = words?.title(of: choice) ?? ""
        }
        return content
    }
}
