#if CommandLine
import ArgumentParser
import Belfry
import BelfrySchedules

/// The options for how a notice without a response changes.
struct EscalationOptions: ParsableArguments {
    @Option(
        help: .init(
            "From that notice on, another level and optionally another title: 3=timeSensitive, "
                + "5=critical:'Still unread'.",
            valueName: "number=level[:title]"
        )
    )
    var escalate: [String] = []

    func steps() throws(NoticeError) -> [NoticeSeries.EscalationStep] {
        var steps: [NoticeSeries.EscalationStep] = []
        for text in escalate { steps.append(try Self.step(text)) }
        return steps
    }

    static func step(_ text: String) throws(NoticeError) -> NoticeSeries.EscalationStep {
        let (first, change) = text.halves(at: "=")
        guard let change, let number = Int(first), number >= 1 else {
            throw .unreadable(
                "--escalate: '\(text.clipped)' can't be read; write it as 3=timeSensitive or 5=critical:'Still unread'."
            )
        }
        let (level, words) = change.halves(at: ":")
        let title = words.flatMap { $0.isEmpty ? nil : String($0) }
        guard !level.isEmpty else {
            guard let title else { throw .unreadable("--escalate: '\(text.clipped)' changes nothing; name a level.") }
            return NoticeSeries.EscalationStep(from: number, title: title)
        }
        return NoticeSeries.EscalationStep(
            from: number,
            level: try PolicyName.parse(String(level), of: "--escalate"),
            title: title
        )
    }
}
#endif
