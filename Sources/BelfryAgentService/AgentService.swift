package import Belfry
import BelfryAgent
import BelfryBus
import Dispatch
import Synchronization

/// The per-user process that keeps and fires the requests of apps that don't run.
///
/// Each app has its own center and store here, so that a damaged or stalled one does not affect the others.
package final class AgentService: Sendable {
    let options: AgentServiceOptions
    let bus: BusConnection
    let lifetime: AgentLifetime
    private let hosts = Mutex<[String: AppHost]>([:])
    let lists = OpenLists()
    private let gate = OpeningGate()
    /// The number of calls that are being handled; opening the stores at the start counts as one.
    let workCount = Atomic(0)

    /// A queue of the journal's own, so that a slow disk delays no alarm.
    private let journalQueue = DispatchQueue(label: "org.belfry.agent.journal")

    package init(_ options: AgentServiceOptions) {
        var options = options
        if let journal = options.journal {
            options.report = { [report = options.report, journalQueue] text in
                report(text)
                let date = SystemTriggerClock().now().date
                journalQueue.async { journal.append(text, date: date) }
            }
        }
        self.options = options
        bus = BusConnection(to: options.bus, replyingOn: CenterThread.shared)
        lifetime = AgentLifetime(options.lifetime)
    }

    /// Runs until there is no work left, the bus is lost for good, or the task is canceled; returns the reason.
    ///
    /// Throws ``NoticeError/Code/noBus`` if there is no bus at the start.
    package func run() async throws(NoticeError) -> AgentEnd {
        do throws(BusError) {
            try await bus.connect()
            let export = try await bus.export([interface()], at: AgentNames.agentPath)
            // Before the stores are opened: a second agent must end without waiting for the stores of the first.
            guard try await requestName() != .taken else {
                await bus.close()
                return .anotherRuns
            }
            workCount.add(1, ordering: .sequentiallyConsistent)
            Task(executorPreference: CenterThread.shared) {
                await self.openApps()
                self.endWork()
            }
            let end = await serve()
            await closeApps()
            // What was reported is on the disk when the agent ends.
            await journalQueue.perform {}
            export.cancel()
            await bus.close()
            return end
        } catch {
            await closeApps()
            await bus.close()
            throw NoticeError(agent: error)
        }
    }

    /// Requests the name. Only one agent runs: an agent that can't get the name back after a loss of the bus ends.
    private func requestName() async throws(BusError) -> BusNameOutcome {
        try await bus.requestName(AgentNames.agent, .doNotQueue) { [lifetime] _ in lifetime.loseName() }
    }

    /// Returns when the name is released and no call has arrived meanwhile.
    private func serve() async -> AgentEnd {
        while true {
            let end = await lifetime.wait(for: bus.states()) { await self.isIdle() }
            // New calls start the next agent; calls from before that are handled by this one.
            try? await bus.releaseName(AgentNames.agent)
            guard end == .nothingToDo, !(await isIdle()) else { return end }
            let outcome = try? await requestName()
            if outcome == nil || outcome == .taken { return end }
        }
    }

    /// Makes ``run()`` end.
    package func stop() { lifetime.stop() }

    // MARK: Apps

    /// Opens the apps that have stored something here; those that may have crashed the process last. A store that can't
    /// be opened is reported and retried, and does not affect the other apps.
    private func openApps() async {
        // All of them before the first `await`: an end of the agent closes the hosts that there are.
        let hosts = options.storage.apps().map { host(of: AppIdentity(id: $0)) }
        var (others, suspects): ([AppHost], [AppHost]) = ([], [])
        for host in hosts {
            if await host.isSuspect() { suspects.append(host) } else { others.append(host) }
        }
        await open(others)
        await open(suspects)
    }

    private func open(_ hosts: [AppHost]) async {
        await withTaskGroup(of: Void.self) { group in
            for host in hosts {
                group.addTask(executorPreference: CenterThread.shared) {
                    if (try? host.hasStore()) == true { try? await host.open() }
                }
            }
        }
    }

    /// Ends a call, or the opening of the stores at the start.
    func endWork() {
        workCount.subtract(1, ordering: .sequentiallyConsistent)
        lifetime.look()
    }

    /// Returns the host of an app's center, and creates it if necessary.
    func host(of app: AppIdentity) -> AppHost {
        hosts.withLock { hosts in
            if let host = hosts[app.id] { return host }
            let host = makeHost(app)
            hosts[app.id] = host
            return host
        }
    }

    private func makeHost(_ app: AppIdentity) -> AppHost {
        AppHost(app, options, bus: bus, gate: gate) { [weak self] in
            await self?.makeRoom()
        } look: { [weak self] in
            self?.lifetime.look()
        }
    }

    /// Closes unused centers if few descriptors are left, because another center is about to be opened.
    private func makeRoom() async {
        guard DescriptorLimit.isNear else { return }
        for host in hosts.withLock({ Array($0.values) }) { await host.closeIfIdle() }
    }

    /// Returns the host for a call that stores nothing. No host is kept for an identifier without stored data.
    func hostForAsking(_ app: AppIdentity) -> AppHost { hosts.withLock { $0[app.id] } ?? makeHost(app) }

    private func closeApps() async {
        await withTaskGroup(of: Void.self) { group in
            for host in hosts.withLock({ Array($0.values) }) {
                group.addTask(executorPreference: CenterThread.shared) { await host.close() }
            }
        }
    }

    /// Whether there is no work. Notices on the screen count as work, since the user may respond to them.
    private func isIdle() async -> Bool {
        guard workCount.load(ordering: .sequentiallyConsistent) == 0 else { return false }
        for host in hosts.withLock({ Array($0.values) }) where !(await host.isIdle()) { return false }
        return true
    }

    /// The identifiers of the apps that have stored something here or are connected.
    func knownApps() -> [String] {
        let connected = hosts.withLock { $0.filter { $0.value.isConnected }.map(\.key) }
        return Set(options.storage.apps()).union(connected).sorted()
    }

    func status() async -> AgentStatus {
        var status = AgentStatus(version: Release.version, folder: options.storage.path)
        for (id, host) in hosts.withLock({ $0 }) {
            status.pending[id] = await host.pendingCount()
            if let count = try? await host.damageCount(), count > 0 { status.damage[id] = count }
            guard let failure = host.failure else { continue }
            if failure.code == .appQuarantined { status.quarantined.append(id) } else { status.failing[id] = failure }
        }
        status.quarantined.sort()
        status.errors = await journalQueue.perform { [options] in options.journal?.entries() ?? [] }
        return status
    }
}
