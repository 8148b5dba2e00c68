import Belfry
import BelfryBus
import FoundationEssentials

extension AgentEngine {
    /// Makes a call whose result is one JSON text.
    func ask<Value: Decodable>(
        _ method: String,
        _ arguments: BusValue...,
        within limit: Duration? = nil
    ) async throws(NoticeError) -> Value {
        let reply = try await call(method, arguments, expects: "s", within: limit)
        return try coding.value(Value.self, reply.first?.string ?? "")
    }

    func send(_ method: String, _ arguments: BusValue...) async throws(NoticeError) {
        _ = try await call(method, arguments, expects: "")
    }

    func date(_ method: String, _ arguments: BusValue...) async throws(NoticeError) -> Date? {
        let reply = try await call(method, arguments, expects: "bx")
        guard reply.count == 2, reply[0].boolean == true, let microseconds = reply[1].integer(Int64.self) else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(microseconds) / 1e6)
    }

    /// Returns a list that the agent sends in pages, so that no reply exceeds the limit of a bus. An element that is
    /// added or removed between two pages may be missing or come twice; duplicates are removed here. It does not run on
    /// the caller's actor, since thousands of elements may be decoded.
    @concurrent func list<Value: Decodable & Hashable>(
        _ method: String,
        _ arguments: BusValue...
    ) async throws(NoticeError) -> [Value] {
        var texts: [String] = []
        while true {
            let page = try await call(method, arguments + [.uint32(UInt32(texts.count))], expects: "asb")
            let found = page.first?.strings ?? []
            texts += found
            guard page.last?.boolean == true, !found.isEmpty else { break }
        }
        var seen: Set<Value> = []
        return try coding.values(Value.self, texts).filter { seen.insert($0).inserted }
    }

    /// The methods that are not repeated at the next agent: a notice could come twice, or that agent could end too.
    private static let doneOnce: Set<String> = ["Show", "AddSeries", "Release"]

    private func call(
        _ method: String,
        _ arguments: [BusValue],
        expects: BusSignature,
        within limit: Duration? = nil
    ) async throws(NoticeError) -> [BusValue] {
        let agent = AgentNames.object(within: limit ?? options.timeout)
        let call = agent.call(method, [.string(app.id)] + arguments, expects: expects)
        do throws(BusError) { return try await attempt(call) } catch {
            // The agent has just ended: repeat the call at the next one.
            guard error.code == .noReply || error.code == .noOwner, !Self.doneOnce.contains(method) else {
                throw NoticeError(agent: error)
            }
            state.withLock { $0.registeredAt = nil }
            do throws(BusError) { return try await attempt(call) } catch { throw NoticeError(agent: error) }
        }
    }

    private func attempt(_ call: BusMethodCall) async throws(BusError) -> [BusValue] {
        // While the engine runs, it is notified of another agent.
        if !state.withLock({ $0.hasBegun && $0.registeredAt != nil && $0.registeredWishes == $0.wishes(options) }) {
            try await connect()
        }
        return try await bus.call(call)
    }

    /// Connects to the bus and to an agent that knows this app.
    func connect() async throws(BusError) {
        if case .idle = bus.state { try await bus.connect() }
        let owner = try await findAgent()
        // An app that only makes calls, and has told all with its identifier, needs no registration.
        let tellsMore =
            !options.command.isEmpty || options.isActivatable || app.icon != nil
            || app.name != AppIdentity(id: app.id).name
        let isDone = state.withLock { state in
            state.registeredAt == owner && state.registeredWishes == state.wishes(options)
                || !state.hasRun && !tellsMore
        }
        if !isDone { try await register(at: owner) }
    }

    private func findAgent() async throws(BusError) -> String {
        do throws(BusError) {
            return try await bus.owner(starting: AgentNames.agent, within: options.timeout)
        } catch  where error.code == .noOwner {
            guard let program = AgentProgram.find(options.program) else {
                throw BusError(
                    .noOwner,
                    "Nobody on the bus has the name \(AgentNames.agent), and there is no 'belfryd' beside this program "
                        + "or in PATH. 'belfry agent install' sets it up."
                )
            }
            return try await AgentProgram.start(program, on: bus, within: options.timeout)
        }
    }

    /// Registers this app and the calls that it wants at the agent.
    ///
    /// One registration runs at a time, so that the last one that reaches the agent has the newest wishes. All callers
    /// that wait for it to end share the next one.
    func register(at owner: String) async throws(BusError) {
        let registration = state.withLock { state in
            if let next = state.nextRegistration, next.owner == owner { return next.task }
            let last = state.lastRegistration
            let task = Task(executorPreference: CenterThread.shared) {
                _ = await last?.value
                return await self.registerNow(at: owner)
            }
            state.nextRegistration = (owner, task)
            state.lastRegistration = task
            return task
        }
        try await registration.value.get()
    }

    private func registerNow(at owner: String) async -> Result<Void, BusError> {
        let wishes = state.withLock { state in
            state.nextRegistration = nil
            state.agent = owner
            return state.wishes(options)
        }
        var values: [String: BusValue] = [
            RegistrationKey.receives: .boolean(wishes.receives),
            RegistrationKey.presents: .boolean(wishes.presents),
            RegistrationKey.events: .boolean(wishes.events),
        ]
        if !options.command.isEmpty { values[RegistrationKey.command] = .strings(options.command) }
        if let icon = app.icon, let text = try? coding.text(icon) { values[RegistrationKey.icon] = .string(text) }
        if options.isActivatable { values[RegistrationKey.activatable] = .boolean(true) }
        let arguments: [BusValue] = [.string(app.id), .string(app.name), .options(values)]
        let call = AgentNames.object(of: owner, within: options.timeout).call("Register", arguments, expects: "")
        let note: @Sendable (Result<[BusValue], BusError>) -> Void = { result in
            guard case .success = result else { return }
            self.state.withLock { state in
                // A late reply may be that of a former agent.
                guard state.agent == owner else { return }
                state.registeredAt = owner
                state.registeredWishes = wishes
            }
        }
        return await bus.callToTheEnd(call, noted: note, late: note).map { _ in }
    }

    /// Registers the app again if its wishes have changed.
    func registerChanges() async {
        if state.withLock({ $0.registeredWishes != $0.wishes(options) }) { await registerAnew() }
    }

    /// Registers the app again after a change of its wishes. Before the run this is unnecessary: it registers first.
    func registerAnew() async {
        // Also at an agent that is still registering the app, or has failed to: it may call the app nevertheless.
        guard let owner = state.withLock({ $0.hasBegun ? $0.agent : nil }) else { return }
        do throws(BusError) { try await register(at: owner) } catch {
            // The next agent or the next call registers again.
            state.withLock { $0.registeredAt = nil }
            report(NoticeError(agent: error))
        }
    }
}
