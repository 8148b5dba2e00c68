#if CommandLine
import ArgumentParser
import Belfry
import BelfrySchedules

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove notices that are still to be shown.",
        discussion: """
            belfry remove tea mail --store ~/.local/state/tea

            Notices are removed in any state: pending, deferred, snoozed or in flight. The identifier of a series \
            removes all of it.
            """
    )

    @Argument(help: .init("The identifiers of requests or series.", valueName: "id"), completion: .pendingIDs)
    var ids: [String] = []

    @Flag(help: "Remove all of them.")
    var all = false

    @OptionGroup
    var store: StoreOptions

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        guard all != ids.isEmpty else { return }
        throw ValidationError(all ? "Name identifiers or give --all, not both." : "Name an identifier, or give --all.")
    }

    func run() async throws {
        let output = output.writer
        defer { store.reportDamage(to: output) }
        let center = try await store.center()
        let report = all ? try await center.removeAll() : try await center.remove(ids)
        for notice in report.removed {
            let words = notice.states.map { $0.words() }.filter { $0 != "pending" }.joined(separator: "; ")
            try output.result(
                [
                    "id": notice.id, "outcome": HistoryEntry.Outcome.removed.rawValue,
                    "state": notice.states.first?.kind.rawValue, "states": notice.states.listed,
                ],
                "removed \(notice.id)\(words.isEmpty ? "" : " (\(words))")"
            )
        }
        let unknown = report.notFound
        guard !unknown.isEmpty else { return }
        let names = unknown.map { "'\($0.clipped)'" }.joined(separator: ", ")
        throw NoticeError(
            .notFound,
            "Nothing that is still to come is called \(names); 'belfry list\(store.argument)' names what there is."
        )
    }
}
#endif
