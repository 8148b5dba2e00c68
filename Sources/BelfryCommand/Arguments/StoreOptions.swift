import ArgumentParser
import Belfry
import BelfrySQLite

/// Where requests are kept.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep requests in the store in this folder, which is made where it isn't there.",
            valueName: "path"
        )
    )
    var store: String?

    /// Nil where none is named: requests then live as long as the process.
    func open() async throws -> SQLiteRequestStore? {
        guard let store else { return nil }
        return try await SQLiteRequestStore.open(in: store)
    }

    /// A center on the named store, for questions and removals: it shows nothing.
    func center() async throws -> NoticeCenter {
        guard let store = try await open() else {
            throw CommandFailure(.unsupported, "There is no agent in this version: name a store with --store PATH.")
        }
        return NoticeCenter(app: .command(), backend: AbsentBackend(), store: store)
    }
}

/// Where a command only asks.
private struct AbsentBackend: DeliveryBackend {
    let name = "none"

    private var absence: NoticeError { NoticeError(.unsupported, "This command shows nothing.") }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { throw absence }
    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt { throw absence }
    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}
    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {}
}
