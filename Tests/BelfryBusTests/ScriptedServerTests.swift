import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Testing

@Suite(
    "The scripted notification server",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct ScriptedServerTests {
    private let busName = ScriptedServer.busName

    private func notify(
        _ title: String,
        replaces: UInt32 = 0,
        hints: [String: BusValue] = [:],
        expects: BusSignature? = "u",
        limit: Duration = .seconds(60)
    ) -> BusMethodCall {
        BusMethodCall(
            to: busName,
            ScriptedServer.path,
            busName,
            "Notify",
            [
                .string("app"), .uint32(replaces), .string(""), .string(title), .string(""), .strings([]),
                .options(hints), .int32(-1),
            ],
            expects: expects,
            timeout: limit
        )
    }

    private func id(_ values: [BusValue]) -> UInt32 { values.first?.integer() ?? .max }

    @Test("each profile names itself, shows, and answers as its model does", arguments: ServerProfile.all.map(\.name))
    func profiles(name: String) async throws {
        let profile = try #require(ServerProfile.all.first { $0.name == name })
        let bus = try await TestBus()
        let server = ScriptedServer(profile, at: bus.address)
        try await server.start()
        let client = try await bus.connection()
        let signals = try await client.signals(BusMatch(sender: busName, interface: busName))
        let information = try await client.call(
            BusMethodCall(to: busName, ScriptedServer.path, busName, "GetServerInformation", expects: "ssss")
        )
        #expect(information.first?.string == name)
        #expect(id(try await client.call(notify("one"))) == 1)
        #expect(await server.call(titled: "one")?.sender == client.uniqueName)
        #expect(id(try await client.call(notify("two", replaces: 77))) == (profile.keepsUnknownIDs ? 77 : 2))
        server.press(1, "go")
        server.emit("End", [])
        var seen: [String] = []
        for try await signal in signals {
            if signal.member == "End" { break }
            if signal.arguments.count == 2, signal.arguments[0] == .uint32(1) { seen.append(signal.member) }
        }
        let expected: [String] =
            switch name {
            case "Plasma": ["ActivationToken", "ActionInvoked", "NotificationClosed"]
            case "hostile": ["NoSuchSignal", "ActionInvoked"]
            default: ["ActionInvoked", "NotificationClosed"]
            }
        #expect(seen == expected)
        #expect(server.standing.contains(1) == (name == "hostile"))
        await server.stop()
    }

    @Test("a stalled server answers later, in order; lies are told as they are; a restart forgets all")
    func script() async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(.minimal, at: bus.address)
        try await server.start()
        let client = try await bus.connection()
        server.stall()
        async let first = client.call(notify("a"))
        await #expect(throws: BusError.self) { try await client.call(notify("b", limit: .milliseconds(50))) }
        server.resume()
        #expect((1...2).contains(id(try await first)))
        // Nobody waits for the answer to this one any more.
        _ = await server.call(titled: "b")
        #expect(server.calls.map(\.title).sorted() == ["a", "b"])
        server.answerNext(.id(0), .error("org.example.No"), .id(.max), .never)
        #expect(id(try await client.call(notify("zero"))) == 0)
        let refused = await #expect(throws: BusError.self) { try await client.call(notify("refused")) }
        #expect(refused?.name == "org.example.No")
        #expect(id(try await client.call(notify("last"))) == .max)
        let silent = await #expect(throws: BusError.self) {
            try await client.call(notify("silent", limit: .milliseconds(50)))
        }
        #expect(silent?.code == .timedOut)
        try await server.lie(about: "Notify", [.string("seven"), .byte(7)])
        let lied = await #expect(throws: BusError.self) { try await client.call(notify("lie")) }
        #expect(lied?.code == .unexpectedReply)
        try await server.lie(about: "Notify", nil)
        let before = server.instance
        await server.stop()
        try await server.start()
        #expect(server.instance != before && server.standing.isEmpty)
        #expect(id(try await client.call(notify("anew"))) == 1)
        await server.stop()
    }

    @Test("a task that no longer waits for a call ends no other's wait")
    func cancelled() async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(.minimal, at: bus.address)
        try await server.start()
        let client = try await bus.connection()
        let (first, second) = (
            Task.immediate { await server.call(titled: "a") }, Task.immediate { await server.call(titled: "b") }
        )
        first.cancel()
        #expect(await first.value == nil)
        #expect(id(try await client.call(notify("b"))) == 1)
        #expect(await second.value?.title == "b")
        await server.stop()
    }

    @Test("GNOME's profile hangs on wrong hints, keeps three of an app, and its notices from others")
    func gnome() async throws {
        let bus = try await TestBus()
        let server = ScriptedServer(.gnome, at: bus.address)
        try await server.start()
        let (client, other) = (try await bus.connection(), try await bus.connection())
        let hung = await #expect(throws: BusError.self) {
            try await client.call(notify("hung", hints: ["urgency": .string("2")], limit: .milliseconds(50)))
        }
        #expect(hung?.code == .timedOut)
        for number in 1...4 { #expect(id(try await client.call(notify("\(number)"))) == UInt32(number)) }
        #expect(server.standing == [2, 3, 4])
        let foreign = await #expect(throws: BusError.self) { try await other.call(notify("theirs", replaces: 4)) }
        #expect(foreign?.name == "org.freedesktop.DBus.Error.InvalidArgs")
        await server.stop()
    }
}
