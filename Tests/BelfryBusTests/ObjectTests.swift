import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Dispatch
import Synchronization
import Testing

@Suite("Exported objects", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(5)))
struct ObjectTests {
    private let properties = "org.freedesktop.DBus.Properties"

    private func standard(
        _ interface: String,
        _ method: String,
        _ arguments: [BusValue] = [],
        at path: BusObjectPath = peerPath
    )
        -> BusMethodCall
    {
        BusMethodCall(to: peerName, path, interface, method, arguments)
    }

    private func makeObject(_ bus: TestBus) async throws -> (BusConnection, BusSubscription) {
        let connection = try await bus.connection()
        let volume = Mutex(UInt32(5))
        let interface = BusInterface(
            peerName,
            methods: [
                BusMethod(
                    "Add",
                    takes: [BusArgument("<a>", "i"), BusArgument("b", "i")],
                    returns: [BusArgument("sum", "i")],
                    atOnce: { call in
                        [.int32((call.arguments[0].integer() ?? 0) &+ (call.arguments[1].integer() ?? 0))]
                    }
                ),
                BusMethod("Wrong", returns: [BusArgument("n", "i")], atOnce: { _ in [.string("no number")] }),
                BusMethod("Bad", returns: [BusArgument("s", "s")], atOnce: { _ in [.string("a\0b")] }),
                BusMethod("OddError", atOnce: { _ in throw BusError.reply("not a name", "a\0b") }),
                BusMethod("Cancelled", later: { _ in throw CancellationError() }),
            ],
            properties: [
                BusProperty(
                    "Volume",
                    "u",
                    changes: .announced,
                    read: { .uint32(volume.withLock { $0 }) },
                    write: { value in volume.withLock { $0 = value.integer() ?? 0 } }
                ),
                BusProperty("Maker", "s", changes: .never, read: { .string("Belfry") }),
            ],
            signals: [BusSignalDeclaration("Rang", [BusArgument("times", "u")])]
        )
        let export = try await connection.export([interface], at: peerPath)
        try await connection.requestName(peerName)
        return (connection, export)
    }

    @Test("methods are answered; what is wrong with a call has the standard error")
    func methods() async throws {
        let bus = try await TestBus()
        let (object, export) = try await makeObject(bus)
        let connection = try await bus.connection()
        #expect(try await connection.call(.peer("Add", [.int32(2), .int32(3)], expects: "i")) == [.int32(5)])
        var elsewhere = BusMethodCall.peer("Add")
        elsewhere.path = "/nowhere"
        var otherInterface = BusMethodCall.peer("Add")
        otherInterface.interface = "org.example.Other"
        let wrong: [(BusMethodCall, String)] = [
            (.peer("Add", [.int32(1)]), "InvalidArgs"), (.peer("Add", [.string("1"), .string("2")]), "InvalidArgs"),
            (.peer("Subtract"), "UnknownMethod"), (elsewhere, "UnknownObject"), (otherInterface, "UnknownInterface"),
            (.peer("Wrong"), "Failed"), (.peer("Bad"), "Failed"), (.peer("OddError"), "Failed"),
            (.peer("Cancelled"), "Failed"),
        ]
        for (call, name) in wrong {
            let error = try await failure { try await connection.call(call) }
            #expect(error.name == "org.freedesktop.DBus.Error.\(name)", "\(call.method)")
        }
        withExtendedLifetime((object, export)) {}
    }

    @Test("properties are read, set and announced; read-only ones and wrong types are refused")
    func propertyAccess() async throws {
        let bus = try await TestBus()
        let (object, export) = try await makeObject(bus)
        let connection = try await bus.connection()
        let get = standard(properties, "Get", [.string(peerName), .string("Volume")])
        #expect(try await connection.call(get) == [.variant(.uint32(5))])
        let set = { (name: String, value: BusValue) in
            standard(properties, "Set", [.string(peerName), .string(name), .variant(value)])
        }
        try await connection.call(set("Volume", .uint32(11)))
        let all = try await connection.call(standard(properties, "GetAll", [.string(peerName)]))
        #expect(all == [.options(["Maker": .string("Belfry"), "Volume": .uint32(11)])])
        let wrong: [(BusMethodCall, String)] = [
            (set("Volume", .string("loud")), "InvalidArgs"), (set("Maker", .string("me")), "PropertyReadOnly"),
            (set("Colour", .string("red")), "UnknownProperty"), (standard(properties, "Get"), "InvalidArgs"),
            (standard(properties, "GetAll", [.string("org.example.Other")]), "UnknownInterface"),
        ]
        for (call, name) in wrong {
            let error = try await failure { try await connection.call(call) }
            #expect(error.name == "org.freedesktop.DBus.Error.\(name)")
        }
        let signals = try await connection.signals(BusMatch(sender: peerName, interface: properties))
        try object.emitPropertiesChanged(at: peerPath, peerName, ["Volume": .uint32(12)], invalidated: ["Maker"])
        let signal = try #require(await signals.first { _ in true })
        #expect(signal.arguments == [.string(peerName), .options(["Volume": .uint32(12)]), .strings(["Maker"])])
        withExtendedLifetime(export) {}
    }

    @Test("introspection describes the object, and the way to it")
    func introspection() async throws {
        let bus = try await TestBus()
        let (object, export) = try await makeObject(bus)
        let connection = try await bus.connection()
        let introspectable = "org.freedesktop.DBus.Introspectable"
        let text = try await connection.call(standard(introspectable, "Introspect")).first?.string ?? ""
        for part in [
            "<interface name=\"org.example.Peer\">", "<arg name=\"&lt;a&gt;\" type=\"i\" direction=\"in\"/>",
            "<arg name=\"sum\" type=\"i\" direction=\"out\"/>",
            "<property name=\"Volume\" type=\"u\" access=\"readwrite\">",
            "<signal name=\"Rang\">", "<interface name=\"org.freedesktop.DBus.Properties\">",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        let root = try await connection.call(standard(introspectable, "Introspect", at: .root)).first?.string ?? ""
        #expect(root.contains("<node name=\"org\"/>"))
        let none = try await failure {
            try await connection.call(standard(introspectable, "Introspect", at: "/org/example/Other"))
        }
        #expect(none.name == "org.freedesktop.DBus.Error.UnknownObject")
        try await connection.call(standard("org.freedesktop.DBus.Peer", "Ping"))
        withExtendedLifetime((object, export)) {}
    }

    @Test("an object is there once, and gone when it is taken back, with what it was answering")
    func takingBack() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let again = try await failure { _ = try await peer.export([BusInterface(peerName)], at: peerPath) }
        #expect(again.code == .alreadyExported)
        let (answers, answer) = AsyncStream.makeStream(of: Result<[BusValue], BusError>.self)
        try connection.call(.peer("Never")) { answer.yield($0) }
        // The peer serves in order: after this answer it has the other call.
        try await connection.call(.peer("Echo", [.variant(.byte(1))]))
        export.cancel()
        #expect(
            try await failure { try await connection.call(.peer("Echo", [.variant(.byte(1))])) }.code == .unknownMember
        )
        #expect(try await failure { _ = try await answers.first { _ in true }?.get() }.code == .remoteError)
        let once = try await peer.export([BusInterface(peerName)], at: peerPath)
        withExtendedLifetime(once) {}
    }

    @Test("what arrives after an object was taken back is not answered by it, however busy its connection is")
    func takingBackWhileBusy() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let connection = try await bus.connection()
        let (isBusy, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let busy = try await peer.subscribe(BusMatch(interface: "org.example.Busy")) { _ in
            isBusy.signal()
            mayGoOn.wait()
        }
        try connection.emit(BusSignal(peerPath, "org.example.Busy", "Now"))
        await offThePool { isBusy.wait() }
        export.cancel()
        let (answers, answer) = AsyncStream.makeStream(of: Result<[BusValue], BusError>.self)
        try connection.call(.peer("Echo", [.variant(.byte(1))])) { answer.yield($0) }
        // The bus serves in order: by now it has handed the call over.
        #expect(try await connection.owner(of: peerName) == peer.uniqueName)
        mayGoOn.signal()
        let first = await answers.first { _ in true }
        #expect(throws: BusError.self) { try #require(first).get() }
        withExtendedLifetime(busy) {}
    }

    @Test("one caller can't have all that are answered at a time")
    func floodOfCalls() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let greedy = try await bus.connection()
        for _ in 0..<2000 { try greedy.send(.peer("Never")) }
        // It is served in order: by now the peer has them all.
        let refused = try await failure { try await greedy.call(.peer("EchoLater", [.variant(.byte(1))])) }
        #expect(refused.code == .limitsExceeded && refused.isTransient)
        let other = try await bus.connection()
        #expect(try await other.call(.peer("EchoLater", [.variant(.byte(1))])) == [.variant(.byte(1))])
        withExtendedLifetime((peer, export)) {}
    }

    @Test("one caller can't have all the memory")
    func largeCalls() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        var configuration = BusConfiguration.quick
        configuration.outgoingLimit = 512 << 20
        let greedy = try await bus.connection(configuration)
        let large: [BusValue] = [.variant(.bytes([UInt8](repeating: 7, count: 30 << 20)))]
        for _ in 0..<4 { try greedy.send(.peer("NeverWith", large)) }
        let refused = try await failure { try await greedy.call(.peer("EchoLater", large)) }
        #expect(refused.code == .limitsExceeded && refused.isTransient)
        #expect(try await greedy.call(.peer("EchoLater", [.variant(.byte(1))])) == [.variant(.byte(1))])
        let other = try await bus.connection()
        #expect(try await other.call(.peer("EchoLater", [.variant(.byte(1))])) == [.variant(.byte(1))])
        withExtendedLifetime((peer, export)) {}
    }

    @Test("many callers can't have all that are answered at a time either")
    func floodOfCallers() async throws {
        let bus = try await TestBus()
        let (peer, export) = try await makePeer(bus)
        let waiting = try await bus.connection()
        try waiting.send(.peer("Never"))
        var greedy: [BusConnection] = []
        for _ in 0..<30 {
            let connection = try await bus.connection()
            for _ in 0..<200 { try connection.send(.peer("Never")) }
            // It is served in order: by now the peer has them all.
            let refused = try await failure { try await connection.call(.peer("EchoLater", [.variant(.byte(1))])) }
            #expect(refused.code == .limitsExceeded)
            greedy.append(connection)
        }
        for connection in [waiting, try await bus.connection()] {
            #expect(try await connection.call(.peer("EchoLater", [.variant(.byte(1))])) == [.variant(.byte(1))])
        }
        withExtendedLifetime((peer, export, greedy)) {}
    }

    @Test("declarations that D-Bus can't carry are refused")
    func badDeclarations() async throws {
        let bus = try await TestBus()
        let connection = try await bus.connection()
        let bad = [
            BusInterface("nodots"), BusInterface(peerName, methods: [BusMethod("a b", atOnce: { _ in [] })]),
            BusInterface(peerName, signals: [BusSignalDeclaration("9")]), BusInterface(properties),
            BusInterface(peerName, properties: [BusProperty("a.b", "s", read: { .string("") })]),
        ]
        for interface in bad {
            let error = try await failure { _ = try await connection.export([interface], at: peerPath) }
            #expect(!error.isTransient)
        }
    }
}
