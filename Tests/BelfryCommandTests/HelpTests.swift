import ArgumentParser
import BelfryTestSupport
import Testing

@testable import BelfryCommand

@Suite("The help of commands", .takesTurns)
struct HelpTests {
    private func commands(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands(below: $0) }
    }

    @Test("An example is no wider than a terminal, so that it can be copied")
    func examples() {
        for command in commands(below: RootCommand.self) {
            let lines = command.configuration.discussion.split(separator: "\n")
            let examples = lines.filter { $0.hasPrefix("belfry ") || $0.contains("$(belfry ") }
            for example in examples where example.count > 80 { Issue.record("\(example)") }
        }
    }
}
