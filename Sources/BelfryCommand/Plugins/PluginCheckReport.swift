import Belfry
import BelfryConsole
import BelfryTesting

/// The results of `belfry plugin check`.
struct PluginCheckReport: Sendable {
    let name: String
    let rules: [ConformanceReport.Result]

    /// Throws ``NoticeError`` if the plug-in could not be loaded.
    init(_ messages: [PluginMessage], _ end: ChildProgram.End, file: String) throws(NoticeError) {
        switch messages.first {
        case .loaded(let name): self.name = name
        case .refused(let code, let message): throw NoticeError(NoticeError.Code(rawValue: code), message)
        default:
            throw NoticeError(
                .pluginMisbehaved,
                "The plug-in \(file) can't be loaded: \(end.words ?? "it ended the process"). Run it in a debugger."
            )
        }
        var rules = messages.compactMap { if case .checked(.ended(let rule)) = $0 { rule } else { nil } }
        if case .checked(.began(let rule)) = messages.last {
            rules.append(.init(rule: rule, outcome: .failed(end.words ?? "it ended the process")))
        } else if let words = end.words {
            rules.append(.init(rule: "The process ends by itself", outcome: .failed(words)))
        }
        self.rules = rules
    }

    /// Writes one line for each rule. Throws ``NoticeError`` if one is broken.
    func write(to output: CommandOutput) throws {
        for result in rules {
            let (outcome, detail, emphasis): (String, String?, LineStyle.Emphasis) =
                switch result.outcome {
                case .passed: ("passed", nil, .good)
                case .skipped(let why): ("skipped", why, .faint)
                case .failed(let how): ("failed", how, .bad)
                }
            try output.result(
                ["plugin": name, "rule": result.rule, "outcome": outcome, "detail": detail],
                "\(outcome.column(8)) \(result.rule)\(detail.map { ": \($0)" } ?? "")",
                emphasis
            )
        }
        let broken = rules.count { if case .failed = $0.outcome { true } else { false } }
        guard broken == 0 else {
            throw NoticeError(
                .pluginMisbehaved,
                "The plug-in '\(name.oneLine)' breaks \(broken) of \(rules.count) rules; belfry_plugin.h has them."
            )
        }
        output.note("the plug-in '\(name)' keeps the rules that could be checked")
    }
}
