import Belfry
import BelfryConsole
import BelfryTesting
import Foundation

/// What `belfry plugin check` found.
struct PluginCheckReport: Sendable {
    let name: String
    let rules: [ConformanceReport.Result]

    /// Throws ``CommandFailure`` where the plug-in could not even be loaded.
    init(_ messages: [PluginMessage], _ end: Process.End, file: String) throws(CommandFailure) {
        switch messages.first {
        case .loaded(let name): self.name = name
        case .refused(let code, let message): throw CommandFailure(NoticeError.Code(rawValue: code), message)
        default:
            throw CommandFailure(
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

    /// One line for each rule. Throws ``CommandFailure`` where one is broken.
    func write(to output: CommandOutput) throws {
        for result in rules {
            let (outcome, detail, emphasis): (String, String?, LineStyle.Emphasis) =
                switch result.outcome {
                case .passed: ("passed", nil, .good)
                case .skipped(let why): ("skipped", why, .faint)
                case .failed(let how): ("failed", how, .bad)
                }
            try output.object([
                ("plugin", .string(name)), ("rule", .string(result.rule)), ("outcome", .string(outcome)),
                ("detail", detail.map { .string($0) }),
            ])
            let word = outcome.padding(toLength: 8, withPad: " ", startingAt: 0)
            try output.line("\(word) \(result.rule)\(detail.map { ": \($0.printable)" } ?? "")", emphasis)
        }
        let broken = rules.count { if case .failed = $0.outcome { true } else { false } }
        guard broken == 0 else {
            throw CommandFailure(
                .pluginMisbehaved,
                "The plug-in '\(name.printable)' breaks \(broken) of \(rules.count) rules; belfry_plugin.h has them."
            )
        }
        output.remark("the plug-in '\(name.printable)' keeps the rules that could be checked")
    }
}
