import Belfry
import BelfryConsole

/// The result of one check of the doctor.
struct Diagnostic: Sendable, Hashable {
    enum State: String, Sendable {
        case ok
        /// Required, but missing.
        case missing
        /// Present, but unusable: a store, a plug-in, an agent that can't store anything.
        case damaged
        /// A past error that needs no action.
        case warning
        /// Missing, but not required.
        case absent

        /// Whether the user must act before everything requested works on this desktop.
        var isBad: Bool { self == .missing || self == .damaged }

        fileprivate var emphasis: LineStyle.Emphasis {
            switch self {
            case .ok: .good
            case .missing, .damaged: .bad
            case .warning: .warning
            case .absent: .faint
            }
        }
    }

    let check: String
    var state: State
    var detail: String
    /// The recommended action.
    var advice: String?
    /// Additional values for the JSON output.
    var values: [String: JSONValue]

    init(
        _ check: String,
        _ state: State,
        _ detail: String,
        advice: String? = nil,
        _ values: [String: (any JSONConvertible)?] = [:]
    ) {
        self.check = check
        self.state = state
        self.detail = detail
        self.advice = advice
        self.values = values.compactMapValues { $0?.json }
    }

    func write(to output: CommandOutput, about article: Article) throws {
        let article = advice != nil && state != .absent ? article.path : nil
        try output.object(
            ["check": check, "state": state.rawValue, "detail": detail, "advice": advice, "article": article],
            more: values
        )
        let word = state == .absent ? "-" : state.rawValue
        try output.line("\(check.column(10)) \(word.column(8)) \(detail)", state.emphasis)
        for text in [advice, article.map { "More in \($0)." }] {
            if let text { try output.line(String(repeating: " ", count: 20) + text) }
        }
    }
}
