import ArgumentParser
import Belfry
import BelfryRecurrence
import BelfrySchedules

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract:
            "Remove what is still to be shown, in whatever state; the base of a series is all of it.",
        discussion: "belfry remove tea mail --store ~/.local/state/tea"
    )

    @Argument(help: ArgumentHelp("What they are called.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "All of them.")
    var all = false

    @OptionGroup
    var keeping: StoreOptions

    @OptionGroup
    var speech: OutputOptions

    func validate() throws {
        guard all != ids.isEmpty else { return }
        throw ValidationError(all ? "Name identifiers or give --all, not both." : "Name an identifier, or give --all.")
    }

    func run() async throws {
        let output = speech.output
        defer { keeping.reportDamage(to: output) }
        let center = try await keeping.center()
        let report = all ? try await center.removeAll() : try await center.remove(ids)
        for notice in report.removed {
            try output.object([
                ("id", .string(notice.id)), ("outcome", .string(HistoryEntry.Outcome.removed.rawValue)),
                ("state", notice.states.first.map { .string($0.kind.rawValue) }),
                ("states", notice.states.count > 1 ? StateText.array(notice.states, in: .system()) : nil),
            ])
            let waits = notice.states.map { StateText.words($0) }.filter { $0 != "pending" }
            try output.line("removed \(notice.id)\(waits.isEmpty ? "" : " (\(waits.joined(separator: "; ")))")")
        }
        let unknown = report.notFound
        guard !unknown.isEmpty else { return }
        let names = unknown.map { "'\($0.clipped)'" }.joined(separator: ", ")
        throw CommandFailure(
            .notFound,
            "Nothing that is still to come is called \(names); 'belfry list' names what there is."
        )
    }
}
