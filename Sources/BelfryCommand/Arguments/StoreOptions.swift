#if CommandLine
import ArgumentParser
import Belfry
import BelfryAgent
import BelfrySQLite
import BelfrySchedules

/// The option for the store of requests.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .customLong("store"),
        help: .init(
            "Use the store in this directory instead of the agent's. It is created before something is written to it.",
            valueName: "path"
        ),
        completion: .directory
    )
    var path: String?

    func validate() throws {
        if path?.isEmpty == true { throw ValidationError("--store is empty: name a directory.") }
    }

    /// The option as advice repeats it: ` --store PATH`; empty without one.
    var argument: String { path.map { " --store \($0)" } ?? "" }

    private var folder: String? { path.map { PathText.path($0) } }

    /// Opens the given store, but a missing one only to write to it. Otherwise requests live as long as the process.
    private func open(toWrite: Bool) async throws -> NoticeStore {
        guard let folder, toWrite || SQLiteRequestStore.exists(in: folder) else { return .memory }
        return .sqlite(try await SQLiteRequestStore.open(in: folder))
    }

    /// Reports new damage to the store once, whether or not the command succeeds. It is reported as an error, because
    /// notes may be suppressed.
    ///
    /// - Parameter app: The app whose store in the agent is checked if no store is given.
    func reportDamage(of app: AppIdentity = .command(), to output: CommandOutput) {
        guard let folder = folder ?? (try? AgentStorage().folder(of: app.id)) else { return }
        for damage in StoreDamageLog(folder: folder).takeUnreported() {
            output.report(NoticeError(.storeDamaged, damage.message))
        }
    }

    /// Returns the agent's center if no store or backend is given; nil without an agent that runs or can be started.
    func agent(for app: AppIdentity, showing backend: BackendName) async -> NoticeCenter? {
        guard path == nil, backend == .auto, let presence = try? await AgentDirectory().presence(), presence != .absent
        else { return nil }
        return NoticeCenter(app: app, agent: AgentOptions())
    }

    /// Returns a center in this process, on the given store. A trial creates no store.
    func center(
        for app: AppIdentity,
        showing chosen: ChosenBackend,
        location: LocationSource?,
        isTrial: Bool = false
    ) async throws -> NoticeCenter {
        let store = try await open(toWrite: !isTrial)
        let location = try (location ?? .auto).provider(for: app)
        return NoticeCenter(app: app, backend: chosen.backend, store: store, location: location)
    }

    /// Returns a center for queries and removals, on the given store or the agent's; it shows nothing. A store that
    /// does not exist is empty. It is created only if the command is about to write it.
    func center(toWrite: Bool = false) async throws -> NoticeCenter {
        guard path != nil else { return NoticeCenter(app: .command(), agent: AgentOptions()) }
        return NoticeCenter(app: .command(), backend: AbsentBackend(), store: try await open(toWrite: toWrite))
    }
}

/// The backend of a command that only queries.
private struct AbsentBackend: DeliveryBackend {
    let name = "none"

    private var absence: NoticeError { NoticeError(.unsupported, "This command shows nothing.") }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { throw absence }
    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt { throw absence }
    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) {}
    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {}
}
#endif
