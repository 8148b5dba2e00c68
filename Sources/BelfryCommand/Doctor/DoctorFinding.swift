import Belfry
import BelfryConsole
import Foundation

/// What a look at one part of the desktop brought.
struct DoctorFinding: Sendable, Hashable {
    enum State: String, Sendable {
        case ok
        /// Needed, and not there.
        case missing
        /// There, and not as it should be: a store, a plug-in.
        case damaged
        /// It has gone wrong, and is over.
        case warning
        /// Not there, and not needed.
        case absent

        /// Something is to be done before this desktop does all that is asked of it.
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
    let state: State
    let detail: String
    /// What to do about it.
    var advice: String?
    /// For programs.
    var values: [String: JSONValue] = [:]

    /// With more in its detail.
    func saying(_ more: String) -> DoctorFinding {
        DoctorFinding(check: check, state: state, detail: "\(detail); \(more)", advice: advice, values: values)
    }

    func write(to output: CommandOutput) throws {
        try output.object(
            [
                ("check", .string(check)), ("state", .string(state.rawValue)), ("detail", .string(detail)),
                ("advice", advice.map { .string($0) }),
            ] + values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
        let column = check.padding(toLength: 10, withPad: " ", startingAt: 0)
        let word = state == .absent ? "-" : state.rawValue
        try output.line(
            "\(column) \(word.padding(toLength: 8, withPad: " ", startingAt: 0)) \(detail)",
            state.emphasis
        )
        if let advice { try output.line(String(repeating: " ", count: 20) + advice) }
    }
}
