import ArgumentParser
import Belfry
import BelfryAgent
import BelfrySQLite
import BelfrySchedules

/// Where requests are kept.
struct StoreOptions: ParsableArguments {
    @Option(
        help: .init(
            "Requests are in the store in this folder, which is made where it isn't there; else the agent has them.",
            valueName: "path"
        ),
        completion: .directory
    )
    var store: String?

    /// Where none is named, requests live as long as the process.
    func open() async throws -> NoticeStore {
        guard let store else { return .memory }
        return try await Self.open(store)
    }

    private static func open(_ store: String) async throws -> NoticeStore {
        .sqlite(try await SQLiteRequestStore.open(in: PathText.path(store)))
    }

    /// Reports, once, what damage to the store has cost, whether or not the command could be done: as an error, since
    /// notes may be left out.
    ///
    /// - Parameter app: whose store it is in the agent, where none is named.
    func reportDamage(of app: AppIdentity = .command(), to output: CommandOutput) {
        let folder = store.map { PathText.path($0) } ?? (try? AgentPlace().folder(of: app.id))
        guard let folder else { return }
        for damage in StoreDamageLog(folder: folder).takeUnreported() {
            output.report(NoticeError(.storeDamaged, damage.message))
        }
    }

    /// The agent's center, where requests go that name neither a store nor a backend; nil where there is no agent and
    /// none can be started.
    func agent(for app: AppIdentity, showing backend: BackendName) async -> NoticeCenter? {
        guard store == nil, backend == .auto, let presence = try? await AgentDirectory().presence(), presence != .absent
        else { return nil }
        return NoticeCenter(app: app, agent: AgentOptions())
    }

    /// A center on the named store, or the agent's, for questions and removals: it shows nothing.
    func center() async throws -> NoticeCenter { try await Self.center(ofStore: store) }

    static func center(ofStore store: String?) async throws -> NoticeCenter {
        guard let store else { return NoticeCenter(app: .command(), agent: AgentOptions()) }
        return NoticeCenter(app: .command(), backend: AbsentBackend(), store: try await open(store))
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
