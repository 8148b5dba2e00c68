import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "How an app registers at the agent",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentRegistrationTests {
    @Test("one registration at a time: the last one to arrive has all wishes") func inOrder() async throws {
        let world = try await AgentWorld()
        let agent = try await AgentDouble(world)
        try await world.center().run { center in
            agent.holdsRegistrations.withLock { $0 = true }
            async let events = center.events()
            await agent.registrations.wait { $0.count == 2 }
            async let responses = center.responses()
            try await agent.settle()
            #expect(agent.registrations.current.count == 2, "the agent has not replied yet")
            agent.registrations.current[1].reply.send([])
            await agent.registrations.wait { $0.count == 3 }
            let last = agent.registrations.current[2]
            #expect(last.events && last.receives)
            last.reply.send([])
            _ = await (events, responses)
        }
    }

    @Test("a registration that the agent confirms late counts") func late() async throws {
        let world = try await AgentWorld()
        let agent = try await AgentDouble(world, holdsRegistrations: true)
        let center = world.center(AgentWorld.tea) { options in
            options.command = ["/usr/bin/tea"]
            options.timeout = .seconds(3)
        }
        let error = await #expect(throws: NoticeError.self) { try await center.nextFireDate() }
        #expect(error?.code == .agentUnavailable)
        agent.registrations.current[0].reply.send([])
        try await agent.settle()
        #expect(try await center.nextFireDate() == nil)
        #expect(agent.registrations.current.count == 1)
    }

    @Test(
        "a wish that comes while the next agent registers the app, or after it has failed to, reaches that agent",
        arguments: [false, true]
    )
    func wishInBetween(hasFailed: Bool) async throws {
        let world = try await AgentWorld()
        let first = try await AgentDouble(world)
        try await world.center().run { center in
            let events = await center.events()
            try await first.bus.releaseName(AgentNames.agent)
            let agent = try await AgentDouble(world, holdsRegistrations: true)
            await agent.registrations.wait { $0.count == 1 }
            agent.holdsRegistrations.withLock { $0 = false }
            let reply = agent.registrations.current[0].reply
            if hasFailed {
                reply.send(BusError.reply(NoticeError(.storeFailed, "The disk is full.")))
                for await case .error(let error) in events where error.code == .storeFailed { break }
                _ = await center.responses()
            } else {
                async let responses = center.responses()
                try await agent.settle()
                reply.send([])
                _ = await responses
            }
            #expect(agent.registrations.current.map(\.receives) == [false, true])
        }
    }

    @Test("a call whose registration an ending agent refuses goes to the next one")
    func refusedAtTheEnd() async throws {
        let world = try await AgentWorld()
        let ending = try await AgentDouble(world, holdsRegistrations: true)
        let center = world.center(AgentWorld.tea) { $0.command = ["/usr/bin/tea"] }
        async let date = center.nextFireDate()
        await ending.registrations.wait { $0.count == 1 }
        try await ending.bus.releaseName(AgentNames.agent)
        let next = try await AgentDouble(world)
        let refusal = BusError.reply("org.freedesktop.DBus.Error.NoReply", "The agent is about to end.")
        ending.registrations.current[0].reply.send(refusal)
        let found = try await date
        #expect(found == nil)
        #expect(next.registrations.current.count == 1)
    }

    @Test("an app that has made calls before it runs is called back only when it runs") func beforeTheRun() async throws
    {
        let world = try await AgentWorld()
        let agent = try await AgentDouble(world)
        let center = world.center(AgentWorld.tea) { $0.command = ["/usr/bin/tea"] }
        await center.setDelegate(AppDouble())
        _ = try await center.nextFireDate()
        #expect(agent.registrations.current.map(\.receives) == [false])
        try await center.run { _ in }
        #expect(agent.registrations.current.map(\.receives) == [false, true])
    }
}
