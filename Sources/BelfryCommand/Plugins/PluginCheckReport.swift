import Belfry
import Foundation

/// What `belfry plugin check` found.
struct PluginCheckReport: Sendable {
    let name: String
    let rules: [PluginRule]

    /// Throws ``CommandFailure`` where the plug-in could not even be loaded.
    init(_ messages: [PluginMessage], _ end: PluginChild.End, file: String) throws(CommandFailure) {
        switch messages.first {
        case .loaded(let name): self.name = name
        case .refused(let code, let message): throw CommandFailure(NoticeError.Code(rawValue: code), message)
        default:
            throw CommandFailure(
                .pluginMisbehaved,
                "The plug-in \(file) can't be loaded: \(end.words ?? "it ended the process"). Run it in a debugger."
            )
        }
        var rules = messages.compactMap { if case .ended(let rule) = $0 { rule } else { nil } }
        switch messages.last {
        case .began(let rule):
            rules.append(PluginRule(rule: rule, outcome: .failed, detail: end.words ?? "it ended the process"))
        default:
            if let words = end.words {
                rules.append(PluginRule(rule: "The process ends by itself", outcome: .failed, detail: words))
            }
        }
        self.rules = rules
    }

    /// One line for each rule. Throws ``CommandFailure`` where one is broken.
    func write(to output: CommandOutput) throws {
        for rule in rules {
            try output.object([
                ("plugin", .string(name)), ("rule", .string(rule.rule)), ("outcome", .string(rule.outcome.rawValue)),
                ("detail", rule.detail.map { .string($0) }),
            ])
            let word = rule.outcome.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
            let detail = rule.detail.map { ": \($0.printable)" } ?? ""
            try output.line("\(word) \(rule.rule)\(detail)", rule.emphasis)
        }
        let broken = rules.count { $0.outcome == .failed }
        guard broken == 0 else {
            throw CommandFailure(
                .pluginMisbehaved,
                "The plug-in '\(name.printable)' breaks \(broken) of \(rules.count) rules; belfry_plugin.h has them."
            )
        }
        output.remark("the plug-in '\(name.printable)' keeps the rules that could be checked")
    }
}

extension PluginRule {
    fileprivate var emphasis: TerminalStyle.Emphasis {
        switch outcome {
        case .passed: .good
        case .skipped: .faint
        case .failed: .bad
        }
    }
}
