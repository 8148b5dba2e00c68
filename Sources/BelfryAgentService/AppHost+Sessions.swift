import Belfry
import BelfryAgent
import BelfryBus
import Synchronization

/// The app's connections, and what goes to them.
extension AppHost: ResponseRelay {
    var isConnected: Bool { state.withLock { !$0.sessions.isEmpty } }

    /// Adds a connection of the app until it ends, or updates the wishes of a known one.
    func connect(_ session: AppSession, at name: String) async throws(NoticeError) {
        let isNew = state.withLock { state in
            state.launchEnd = nil
            return state.sessions.connect(session, at: name)
        }
        if session.receives { await offerResponses() }
        guard isNew else { return }
        do throws(BusError) {
            let watch = try await bus.watchOwner(of: name) { [weak self] owner in
                if owner == nil { self?.disconnect(name) }
            }
            // If the connection has ended meanwhile, it has been removed already, and its watch ends here.
            state.withLock { $0.sessions.keep(watch, of: name) }
        } catch {
            disconnect(name)
            throw NoticeError(agent: error)
        }
    }

    private func disconnect(_ name: String) {
        let watch = state.withLock { $0.sessions.disconnect(name) }
        watch?.cancel()
        look()
    }

    /// Stores how the app is named and started; omitted values keep their old ones. They are written only beside a
    /// store: an app that has stored nothing leaves nothing behind.
    func remember(
        name: String,
        icon: NoticeIcon?,
        command: [String]?,
        isActivatable: Bool?
    ) async throws(NoticeError) {
        let folder = try options.storage.folder(of: app.id)
        try await queue.perform { _ throws(NoticeError) in
            // Read on the queue: another registration may be in front of this one.
            let before = self.state.withLock { $0.record } ?? AppRecord.read(in: folder)
            var record = before ?? AppRecord(name: name)
            record.name = name
            if let icon { record.icon = icon }
            if let command { record.command = command }
            if let isActivatable { record.isActivatable = isActivatable }
            if record != before, try self.hasStore() { try record.write(in: folder) }
            self.state.withLock { $0.record = record }
        }
    }

    func session(where wanted: (AppSession) -> Bool) -> String? {
        state.withLock { $0.sessions.newest(where: wanted) }
    }

    /// Asks the app how to show a notice. Without a connection or a timely reply, the stored content is shown.
    func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation {
        guard
            let (name, sandboxed) = state.withLock({ state in
                // Looked up now, because the connection may have ended when the reply arrives.
                state.sessions.newest(where: \.presents).map { ($0, state.sessions.sandbox(of: $0)) }
            })
        else { return .present }
        do {
            let reply = try await bus.call(call("Present", delivery, to: name, expects: "s", within: .seconds(5)))
            return try await queue.value(
                NoticeCenter.Presentation.self,
                reply.first?.string ?? "",
                atMost: AgentCoding.requestLimit,
                checking: sandboxed.map(SandboxRules.init)?.check
            )
        } catch {
            if let error = error as? NoticeError { options.report("\(app.id): \(error)") }
            return .present
        }
    }

    /// Starts an app that doesn't run, for a response. The app receives the response when it connects.
    func arrived(_ response: NoticeResponse) {
        if session(where: \.receives) == nil { launch(for: response) }
    }

    /// Returns true when the app has handled the response; otherwise it is kept until the app connects.
    func relay(_ response: NoticeResponse) async -> Bool {
        guard let name = session(where: \.receives) else {
            // The command line has no handler; its responses are in the history.
            return app.id == AgentNames.commandLine
        }
        let connections = state.withLock { $0.sessions.connections }
        do {
            // The timeout allows for long handlers. If the app's process ends, the bus reports that immediately.
            try await bus.call(call("Receive", response, to: name, expects: "", within: .seconds(86_400)))
            return true
        } catch let error as BusError where !error.isRefusal {
            // The app has not seen it. The next registration or response offers it again, or else this.
            CenterThread.shared.wait(until: .now + .seconds(5)) { [weak self] in
                Task(executorPreference: CenterThread.shared) { await self?.offerResponses() }
            }
            return false
        } catch {
            // The app refused, or its connection has ended.
            state.withLock { $0.sessions.refused(name, since: connections) }
            return await relay(response)
        }
    }

    func happened(_ event: CenterEvent) async {
        if case .error(let error) = event { options.report("\(app.id): \(error)") }
        let names = state.withLock { $0.sessions.names(where: \.events) }
        guard let first = names.first,
            var call = try? await call("Happened", event, to: first, within: .seconds(5))
        else { return }
        for name in names {
            call.destination = name
            // A connection that does not read its messages is left to the bus; nothing waits for it.
            try? bus.send(call)
        }
    }

    private func call(
        _ method: String,
        _ value: some Encodable & Sendable,
        to name: String,
        expects: BusSignature? = nil,
        within limit: Duration
    ) async throws(NoticeError) -> BusMethodCall {
        let text = try await queue.text(value)
        let client = BusObject(name, AgentNames.clientPath, AgentNames.client, timeout: limit)
        return client.call(method, [.string(text)], expects: expects)
    }
}

extension BusError {
    /// Whether the called program refuses the call or has ended. Otherwise it may take the same call later.
    var isRefusal: Bool { code == .noReply || code == .noOwner || (!isTransient && code != .closed) }
}
