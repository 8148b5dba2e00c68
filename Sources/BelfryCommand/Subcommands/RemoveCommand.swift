import ArgumentParser
import Belfry
import BelfrySchedules

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove pending requests; the base of a series stands for its elements.",
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
        let center = try await keeping.center()
        let pending = try await center.pending()
        let wanted = Set(ids)
        let found = pending.filter { notice in
            all || wanted.contains(notice.id) || notice.request.series.map(wanted.contains) ?? false
        }
        if all { try await center.removeAll() } else { try await center.remove(ids) }
        for notice in found {
            try output.object([("id", .string(notice.id)), ("outcome", .string(LedgerEntry.Outcome.removed.rawValue))])
            try output.line("removed \(notice.id.printable)")
        }
        let known = Set(found.map(\.id) + found.compactMap(\.request.series))
        let unknown = ids.filter { !known.contains($0) }
        guard !unknown.isEmpty else { return }
        let names = unknown.map { "'\($0.clipped)'" }.joined(separator: ", ")
        throw CommandFailure(.notFound, "Nothing pending is called \(names); 'belfry list' names what there is.")
    }
}
