import Belfry
import BelfryAgent
import BelfryBus
import Foundation
import Synchronization

/// One app's center in the agent, and the app's connections to it.
final class AppHost: Sendable {
    let app: AppIdentity
    private let options: AgentServiceOptions
    private let bus: BusConnection
    private let coding = AgentCoding(triggers: .agent)
    /// Something may have ended that the agent stayed for.
    private let look: @Sendable () -> Void
    private let opening = Opening()
    private let state = Mutex(State())

    private struct State {
        var record: AppRecord?
        /// How often an app has connected, or said anew what it wants.
        var connections = 0
        var sessions: [String: AppSession] = [:]
        var isLaunching = false
    }

    init(_ app: AppIdentity, _ options: AgentServiceOptions, bus: BusConnection, look: @escaping @Sendable () -> Void) {
        self.app = app
        self.options = options
        self.bus = bus
        self.look = look
    }

    // MARK: The center

    /// Opens the store and runs the center, once; who comes meanwhile waits.
    func open() async throws(NoticeError) { _ = try await center() }

    func center() async throws(NoticeError) -> NoticeCenter {
        try await opening.value { () async throws(NoticeError) in try await self.begin() }
    }

    private func begin() async throws(NoticeError) -> RunningCenter {
        let folder = try options.place.folder(of: app.id)
        let store = try await options.openStore(folder)
        let record = AppRecordFile(folder: folder).read()
        state.withLock { $0.record = record }
        let named = AppIdentity(id: app.id, name: record?.name ?? app.name, icon: app.icon ?? record?.icon)
        var centerOptions = CenterOptions()
        centerOptions.triggers = .agent
        let center = NoticeCenter(
            app: named,
            backend: options.backend(named),
            store: store,
            clock: options.makeClock(),
            prompt: options.prompt?(named),
            location: options.location?(named),
            options: centerOptions
        )
        await center.setDelegate(AppRelay(host: self))
        await center.whenQuiet(look)
        let events = await center.events()
        let report = options.report
        let running = Task(executorPreference: CenterThread.shared) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    do throws(NoticeError) { try await center.run() } catch { report("\(self.app.id): \(error)") }
                }
                group.addTask { for await event in events { self.happened(event) } }
            }
        }
        // Opens the store; what is wrong with it is said to whoever asked.
        _ = try await center.nextFireDate()
        return RunningCenter(center: center, task: running)
    }

    func close() async { await opening.close() }

    /// Nothing pending, nothing on the screen, nothing that the app has not taken.
    func isIdle() async -> Bool {
        guard let center = await opening.opened else { return true }
        return await center.isIdle()
    }

    /// Nil where the store could not be opened.
    func pendingCount() async -> Int? { await opening.opened?.pendingCount() }

    // MARK: The app's connections

    func connect(_ session: AppSession, at name: String) async {
        state.withLock { state in
            state.sessions[name] = session
            state.connections += 1
            state.isLaunching = false
        }
        // What waited to be taken is offered anew.
        if session.receives, let center = await opening.opened { await center.setDelegate(AppRelay(host: self)) }
    }

    func disconnect(_ name: String) { _ = state.withLock { $0.sessions.removeValue(forKey: name) } }

    /// Keeps how the app is called and started; an app that says nothing of it changes nothing.
    func remember(
        name: String,
        icon: NoticeIcon?,
        command: [String]?,
        isActivatable: Bool?
    ) throws(NoticeError) {
        let before = state.withLock { $0.record }
        var record = before ?? AppRecord(name: name)
        record.name = name
        if let icon { record.icon = icon }
        if let command { record.command = command }
        if let isActivatable { record.isActivatable = isActivatable }
        guard record != before else { return }
        try AppRecordFile(folder: try options.place.folder(of: app.id)).write(record)
        state.withLock { [record] in $0.record = record }
    }

    private func session(where wanted: (AppSession) -> Bool) -> String? {
        // Of several processes of one app the one that came last: it is what the person looks at.
        state.withLock { state in
            state.sessions.filter { wanted($0.value) }.keys.max { ($0.count, $0) < ($1.count, $1) }
        }
    }

    // MARK: What goes to the app

    /// The app's say in what is shown; where it isn't there, or doesn't answer in time, the notice is shown as stored.
    func presentation(of delivery: Delivery) async -> Presentation {
        guard let name = session(where: \.presents) else { return .present }
        // Who answers may be gone by then.
        let sandboxed = state.withLock { $0.sessions[name]?.sandboxed }
        do {
            let answer = try await bus.call(
                call(name, "Present", [.string(try coding.text(delivery))], expects: "s", limit: .seconds(5))
            )
            let presentation = try coding.value(
                Presentation.self,
                answer.first?.string ?? "",
                atMost: RequestLength.limit
            )
            if let sandboxed, case .presentInstead(let content) = presentation {
                try SandboxRules(app: sandboxed).check(content)
            }
            return presentation
        } catch {
            if let error = error as? NoticeError { options.report("\(app.id): \(error)") }
            return .present
        }
    }

    /// Starts an app that doesn't run, for an answer: it takes the answer when it connects.
    func arrived(_ response: NoticeResponse) {
        if session(where: \.receives) == nil { launch(for: response) }
    }

    /// True when the app has taken it; else it is kept until the app connects.
    func relay(_ response: NoticeResponse) async -> Bool {
        guard let name = session(where: \.receives) else {
            // The command line has no handler: its answers are in the ledger.
            return app.id == AgentNames.commandLine
        }
        let connections = state.withLock { $0.connections }
        do {
            // As long as the app's handler takes: when its process ends, the bus says so at once.
            try await bus.call(
                call(name, "Receive", [.string(try coding.text(response))], expects: "", limit: .seconds(86_400))
            )
            return true
        } catch {
            // It refused, or has gone: it takes responses again when it says so, and may just have.
            state.withLock { state in
                if state.connections == connections { state.sessions[name]?.receives = false }
            }
            return await relay(response)
        }
    }

    private func happened(_ event: CenterEvent) {
        if case .problem(let error) = event { options.report("\(app.id): \(error)") }
        let names = state.withLock { state in state.sessions.filter { $0.value.events }.map(\.key) }
        guard !names.isEmpty, let text = try? coding.text(event) else { return }
        // One that doesn't read is the bus's affair: nobody waits for it.
        for name in names { try? bus.send(call(name, "Happened", [.string(text)], expects: nil, limit: .seconds(5))) }
    }

    private func launch(for response: NoticeResponse) {
        let record = state.withLock { state -> AppRecord? in
            // Dismissals and snoozes are told to an app that is there; nobody wants a program started by closing a popup.
            guard !state.isLaunching, response.kind != .dismissed, response.snoozedUntil == nil else { return nil }
            state.isLaunching = true
            return state.record
        }
        guard let record else { return }
        let launcher = AppLauncher(app: app, record: record, bus: bus)
        Task(executorPreference: CenterThread.shared) {
            do throws(NoticeError) { try await launcher.launch(response) } catch {
                self.options.report("\(self.app.id): \(error)")
            }
            // The next answer may try again.
            self.state.withLock { $0.isLaunching = false }
        }
    }

    private func call(
        _ name: String,
        _ method: String,
        _ arguments: [BusValue],
        expects: BusSignature?,
        limit: Duration
    ) -> BusMethodCall {
        BusMethodCall(
            to: name,
            AgentNames.clientPath,
            AgentNames.client,
            method,
            arguments,
            expects: expects,
            timeLimit: limit
        )
    }
}

/// The center's delegate in the agent: it stands for the app.
private struct AppRelay: ResponseRelay {
    let host: AppHost

    func presentation(of delivery: Delivery) async -> Presentation { await host.presentation(of: delivery) }
    func arrived(_ response: NoticeResponse) { host.arrived(response) }
    func relay(_ response: NoticeResponse) async -> Bool { await host.relay(response) }
}
