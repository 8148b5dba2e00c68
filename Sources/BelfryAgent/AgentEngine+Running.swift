import Belfry
import BelfryBus

extension AgentEngine {
    /// Takes the agent's calls, until the task is cancelled; an agent that comes anew is told of this app again.
    func run() async throws(NoticeError) {
        let isFirst = state.withLock { state in
            defer { state.hasRun = true }
            return !state.hasRun
        }
        guard isFirst else { throw NoticeError(.centerStopped, "This center has run already: make another one.") }
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
        // Without an agent, or a bus, the run waits for one.
        do throws(BusError) { try await connect() } catch { eventBroadcast.send(.error(NoticeError(agent: error))) }
        // Before the app goes on: it may be done in no time.
        await renew()
        begin()
        // Whoever came to listen between the registration and here has not been told of.
        if state.withLock({ $0.registeredWishes != nil && $0.registeredWishes != $0.wishes(options) }) {
            await registerAnew()
        }
        await followAgents()
        export.cancel()
        await bus.close()
    }

    /// Until the task is cancelled; over losses of the bus too.
    private func followAgents() async {
        for await case .connected in bus.states() {
            // Fails where the bus has gone again meanwhile: its return is another state.
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
        } catch { eventBroadcast.send(.error(NoticeError(agent: error))) }
    }

    private func begin() { state.withLock { $0.hasBegun = true } }

    func begun() async { await state.wait { $0.hasBegun } }

    func finishWork() async {
        _ = await withTimeout(.seconds(5)) {
            await self.quiet()
            // What was acknowledged has left this process when the bus has answered what was asked after it.
            _ = try? await self.bus.owner(of: AgentNames.agent)
        }
    }

    /// Returns when the app's code works on nothing that the agent has sent. What the agent does is its own affair.
    func quiet() async { await state.wait { $0.handling == 0 } }

    // MARK: What the agent calls

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
                    // At once: events stay in order.
                    atOnce: { [weak self] call in try self?.happened(call) ?? [] }
                ),
            ]
        )
    }

    /// What the agent sends. Only the agent may: others on the bus could make an app believe that it was answered.
    private func value<Value: Decodable>(of call: BusIncomingCall) throws(BusError) -> Value {
        guard state.withLock({ $0.agent }) == call.sender else {
            throw .answer("org.freedesktop.DBus.Error.AccessDenied", "Only the agent may call this.")
        }
        do throws(NoticeError) { return try coding.value(Value.self, call.arguments.first?.string ?? "") } catch {
            throw BusError.answer(error)
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

    /// The reply to this call is the acknowledgement: it is on its way before the work counts as done. Without a
    /// delegate it is sent when a listener has handled the response, which is not waited for at the end.
    private func receive(_ call: BusIncomingCall, _ reply: BusReply) {
        state.withLock { $0.handling += 1 }
        Task {
            do throws(BusError) {
                let response: NoticeResponse = try value(of: call)
                await handle(response.handedOver(by: self), reply)
            } catch { reply.send(error) }
            state.withLock { $0.handling -= 1 }
        }
    }

    private func handle(_ response: NoticeResponse, _ reply: BusReply) async {
        if let delegate = state.withLock({ $0.delegate }) {
            if response.undisplayed == nil { responseListeners.send(response) }
            await delegate.receive(response, of: app)
            reply.send([])
        } else if let delivery = response.undisplayedDelivery(of: app) {
            // It waits there for the first listener: a refusal would stop the agent from sending responses.
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
            // Whoever came to listen meanwhile has not heard it yet.
            case .released: self?.offer(response, reply)
            }
        }
        guard !isHeard else { return }
        reply.send(BusError.answer(NoticeError(.notFound, "Nobody in this app takes responses now.")))
    }

    private func happened(_ call: BusIncomingCall) throws -> [BusValue] {
        let event: CenterEvent = try value(of: call)
        eventBroadcast.send(event)
        if case .history(let entry) = event, entry.outcome == .delivered || entry.outcome == .missed,
            state.withLock({ $0.forwards })
        {
            Task { await renew() }
        }
        return []
    }
}
