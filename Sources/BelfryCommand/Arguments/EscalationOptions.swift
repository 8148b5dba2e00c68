import ArgumentParser
import Belfry
import BelfrySchedules

/// How a notice that nobody reacts to changes.
struct EscalationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "From which one on it has another level, and maybe another title: 3=timeSensitive, 5=critical:'Still unread'.",
            valueName: "number=level[:title]"
        )
    )
    var escalate: [String] = []

    func steps() throws(CommandFailure) -> [NoticeSeries.EscalationStep] {
        var steps: [NoticeSeries.EscalationStep] = []
        for text in escalate { steps.append(try Self.step(text)) }
        return steps
    }

    static func step(_ text: String) throws(CommandFailure) -> NoticeSeries.EscalationStep {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, let number = Int(sides[0]), number >= 1 else {
            throw .unreadable(
                "--escalate: '\(text.clipped)' can't be read; write it as 3=timeSensitive or 5=critical:'Still unread'."
            )
        }
        let parts = sides[1].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let title = parts.count == 2 && !parts[1].isEmpty ? String(parts[1]) : nil
        guard !parts[0].isEmpty else {
            guard let title else { throw .unreadable("--escalate: '\(text.clipped)' changes nothing; name a level.") }
            return NoticeSeries.EscalationStep(from: number, title: title)
        }
        return NoticeSeries.EscalationStep(
            from: number,
            level: try PolicyName.parse(String(parts[0]), of: "--escalate"),
            title: title
        )
    }
}
