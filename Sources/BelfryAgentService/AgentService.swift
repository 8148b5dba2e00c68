import Belfry
import BelfryAgent
import BelfryBus
import Foundation
import Synchronization

/// The per-user process that keeps and fires the requests of apps that don't run.
///
/// Each app has a center of its own here, with a store of its own: what damages or stalls one leaves the others alone.
public final class AgentService: Sendable {
    let options: AgentServiceOptions
    let bus: BusConnection
    let lifetime: AgentLifetime
    private let hosts = Mutex<[String: AppHost]>([:])
    /// Who has told of itself, by unique bus name.
    private let connections = Mutex<[String: Connection]>([:])
    let coding = AgentCoding(triggers: .agent)
    let callsBeingAnswered = Atomic(0)

    public init(_ options: AgentServiceOptions) {
        self.options = options
        bus = BusConnection(to: options.bus, answeringOn: CenterThread.shared)
        lifetime = AgentLifetime(options.lifetime)
    }

    /// Works until nothing is left to be done, the bus is gone for good, or the task is cancelled; says which.
    ///
    /// Throws ``NoticeError/Code/noBus`` where there is no bus at the start, and ``NoticeError/Code/storeInUse`` where another
    /// agent runs.
    public func run() async throws(NoticeError) -> AgentEnd {
        do throws(BusError) {
            try await bus.connect()
            let export = try await bus.export([interface()], at: AgentNames.agentPath)
            // Before the name: who calls by the name finds every app's requests.
            try await openApps()
            guard try await requestName() != .taken else {
                await closeApps()
                await bus.close()
                return .anotherRuns
            }
            let end = await serve()
            await closeApps()
            export.cancel()
            await bus.close()
            return end
        } catch {
            await closeApps()
            await bus.close()
            throw NoticeError(agent: error)
        }
    }

    /// One agent serves: the one that doesn't get the name back after a loss of the bus ends.
    private func requestName() async throws(BusError) -> BusNameOutcome {
        try await bus.requestName(AgentNames.agent, .doNotQueue) { [lifetime] _ in lifetime.loseName() }
    }

    /// Returns when the name is given back and nobody has called meanwhile.
    private func serve() async -> AgentEnd {
        while true {
            let end = await lifetime.wait(for: bus) { await self.isIdle() }
            // New callers start the next agent; who called before that is answered by this one.
            try? await bus.releaseName(AgentNames.agent)
            guard end == .nothingToDo, !(await isIdle()) else { return end }
            let outcome = try? await requestName()
            if outcome == nil || outcome == .taken { return end }
        }
    }

    /// Has ``run()`` end.
    public func stop() async { lifetime.stop() }

    // MARK: Apps

    /// The apps that have left something here. One whose store can't be opened is told of, and leaves the others alone.
    private func openApps() async throws(BusError) {
        for id in options.place.apps() {
            do throws(NoticeError) { _ = try await host(of: AppIdentity(id: id)) } catch {
                options.report("\(id): \(error)")
            }
        }
    }

    /// The center of an app, made where there is none yet.
    func host(of app: AppIdentity) async throws(NoticeError) -> AppHost {
        let host = hosts.withLock { hosts -> AppHost in
            if let host = hosts[app.id] { return host }
            let host = AppHost(app, options, bus: bus) { [weak self] in self?.lifetime.look() }
            hosts[app.id] = host
            return host
        }
        do throws(NoticeError) { try await host.open() } catch {
            hosts.withLock { if $0[app.id] === host { $0[app.id] = nil } }
            throw error
        }
        return host
    }

    private func closeApps() async {
        for host in hosts.withLock({ Array($0.values) }) { await host.close() }
    }

    /// What has been shown and still stands counts: somebody may answer it.
    private func isIdle() async -> Bool {
        guard callsBeingAnswered.load(ordering: .sequentiallyConsistent) == 0, connections.withLock({ $0.isEmpty })
        else {
            return false
        }
        for host in hosts.withLock({ Array($0.values) }) where !(await host.isIdle()) { return false }
        return true
    }

    /// The identifiers of the apps that have left something here, or are connected.
    func knownApps() -> [String] {
        Array(Set(options.place.apps()).union(hosts.withLock { Array($0.keys) })).sorted()
    }

    func status() async -> AgentStatus {
        var pending: [String: Int] = [:]
        for (id, host) in hosts.withLock({ $0 }) { pending[id] = await host.pendingCount() }
        return AgentStatus(version: Release.version, folder: options.place.path, pending: pending)
    }

    // MARK: Sessions

    /// An app tells of itself, or of other wishes than before.
    func register(_ session: AppSession, at name: String) async throws(NoticeError) {
        try await host(of: session.app).connect(session, at: name)
        let isNew = connections.withLock { connections in
            guard connections[name] == nil else { return false }
            connections[name] = Connection()
            return true
        }
        guard isNew else { return }
        do throws(BusError) {
            let watch = try await bus.watchOwner(of: name) { [weak self] owner in
                if owner == nil { self?.forget(name) }
            }
            // One that has gone meanwhile is forgotten already, and its watch ends here.
            connections.withLock { $0[name]?.watch = watch }
        } catch {
            forget(name)
            throw NoticeError(agent: error)
        }
    }

    private func forget(_ name: String) {
        let connection = connections.withLock { $0.removeValue(forKey: name) }
        connection?.watch?.cancel()
        for host in hosts.withLock({ Array($0.values) }) { host.disconnect(name) }
        lifetime.look()
    }
}

/// Somebody on the bus, whatever it wants to hear.
private struct Connection {
    /// Tells when it goes; nil until that is set up.
    var watch: BusSubscription?
}
