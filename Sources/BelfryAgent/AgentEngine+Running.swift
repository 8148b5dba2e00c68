import Belfry
import BelfryBus

extension AgentEngine {
    /// Handles the agent's calls until the task is canceled, and registers the app at each new agent.
    func run() async throws(NoticeError) {
        state.withLock { $0.hasRun = true }
        defer {
            begin()
            eventBroadcast.finish()
            responseListeners.finish()
        }
        let export: BusSubscription
        do throws(BusError) { export = try await bus.export([callbacks()], at: AgentNames.clientPath) } catch {
            throw NoticeError(agent: error)
        }
        bus.start()
        // Without an agent or a bus, the run waits for one.
        do throws(BusError) { try await connect() } catch { report(NoticeError(agent: error)) }
        await withTaskGroup(of: Void.self) { group in
            // It begins before the first renewal reads the zone, so that no change is missed.
            if storesDates { group.addTask(executorPreference: CenterThread.shared) { await self.followZone() } }
            // Before `begin()` lets the app continue: the app may end soon after.
            await renew()
            begin()
            // A listener added since the registration is not known to the agent yet. If it failed, the next one has it.
            if state.withLock({ $0.registeredAt != nil }) { await registerChanges() }
            await followAgents()
            group.cancelAll()
        }
        export.cancel()
        await bus.close()
    }

    /// Renews stored dates when the system's zone changes, until the task is canceled.
    private func followZone() async {
        do throws(NoticeError) { try await options.clock.makeAlarm().run(waking: self) } catch { report(error) }
    }

    /// Follows the agents on the bus until the task is canceled, across losses of the bus.
    private func followAgents() async {
        for await case .connected in bus.states() {
            // This fails if the bus has gone again; its return is another state.
            guard let owners = try? await bus.owners(of: AgentNames.agent) else { continue }
            for await owner in owners { await agentChanged(owner) }
        }
    }

    private func agentChanged(_ owner: String?) async {
        guard let owner else {
            return state.withLock { state in
                state.registeredAt = nil
                state.agent = nil
            }
        }
        guard state.withLock({ $0.registeredAt }) != owner else { return }
        do throws(BusError) {
            try await register(at: owner)
            await renew()
        } catch { report(NoticeError(agent: error)) }
    }

    private func begin() { state.withLock { $0.hasBegun = true } }

    func begun() async { await state.wait { $0.hasBegun } }

    func finishWork() async {
        _ = await withTimeout(.seconds(5)) {
            await self.quiet()
            // Acknowledgements have left this process once the bus has replied to a later call.
            _ = try? await self.bus.owner(of: AgentNames.agent)
        }
    }

    /// Returns when the app's code is not handling any call of the agent. It does not wait for the agent's own work.
    func quiet() async { await state.wait { $0.handling == 0 } }

    // MARK: Calls from the agent

    private func callbacks() -> BusInterface {
        BusInterface(
            AgentNames.client,
            methods: [
                BusMethod(
                    "Present",
                    takes: [BusArgument("delivery", "s")],
                    returns: [BusArgument("presentation", "s")],
                    later: { [weak self] call in try await self?.present(call) ?? [] }
                ),
                BusMethod(
                    "Receive",
                    takes: [BusArgument("response", "s")],
                    replying: { [weak self] call, reply in self?.receive(call, reply) }
                ),
                BusMethod(
                    "Happened",
                    takes: [BusArgument("event", "s")],
                    // Run synchronously, so that events stay in order.
                    atOnce: { [weak self] call in try self?.happened(call) ?? [] }
                ),
            ]
        )
    }

    /// Returns the value that the agent sent. Other callers are refused: they could fake responses of the user.
    private func value<Value: Decodable>(of call: BusIncomingCall) throws(BusError) -> Value {
        guard state.withLock({ $0.agent }) == call.sender else {
            throw .reply("org.freedesktop.DBus.Error.AccessDenied", "Only the agent may call this.")
        }
        do throws(NoticeError) { return try coding.value(Value.self, call.arguments.first?.string ?? "") } catch {
            throw BusError.reply(error)
        }
    }

    private func present(_ call: BusIncomingCall) async throws -> [BusValue] {
        var delivery: Delivery = try value(of: call)
        state.withLock { $0.handling += 1 }
        defer { state.withLock { $0.handling -= 1 } }
        var changed: NoticeContent?
        if let provider = options.contentProvider {
            let content = await provider(delivery)
            delivery.content = content
            changed = content
        }
        var decision = await state.withLock { $0.delegate }?.presentation(of: delivery) ?? .present
        if case .present = decision, let changed { decision = .presentInstead(changed) }
        return [.string(try coding.text(decision))]
    }

    /// Handles a response. The reply to this call is the acknowledgement, sent before the work counts as done. Without
    /// a delegate it is sent when a listener has handled the response; `quiet()` does not wait for that.
    private func receive(_ call: BusIncomingCall, _ reply: BusReply) {
        state.withLock { $0.handling += 1 }
        Task(executorPreference: AppThreads.shared) {
            do throws(BusError) {
                let response: NoticeResponse = try self.value(of: call)
                await self.handle(response.attached(to: self), reply)
            } catch { reply.send(error) }
            self.state.withLock { $0.handling -= 1 }
        }
    }

    private func handle(_ response: NoticeResponse, _ reply: BusReply) async {
        if let delegate = state.withLock({ $0.delegate }) {
            if response.undisplayed == nil { responseListeners.send(response) }
            await delegate.receive(response, of: app)
            reply.send([])
        } else if let delivery = response.undisplayedDelivery(of: app) {
            // It waits in the broadcast for the first listener: after an error the agent would send no more responses.
            eventBroadcast.send(.undisplayed(delivery))
            reply.send([])
        } else {
            offer(response, reply)
        }
    }

    private func offer(_ response: NoticeResponse, _ reply: BusReply) {
        let isHeard = responseListeners.offer(response) { [weak self] outcome in
            switch outcome {
            case .handled: reply.send([])
            // A listener that was added meanwhile has not received it yet.
            case .released: self?.offer(response, reply)
            }
        }
        guard !isHeard else { return }
        reply.send(BusError.reply(NoticeError(.notFound, "Nobody in this app takes responses now.")))
    }

    private func happened(_ call: BusIncomingCall) throws -> [BusValue] {
        let event: CenterEvent = try value(of: call)
        eventBroadcast.send(event)
        if case .history(let entry) = event, entry.outcome == .delivered || entry.outcome == .missed,
            state.withLock({ $0.forwards })
        {
            Task(executorPreference: AppThreads.shared) { await self.renew() }
        }
        return []
    }
}
