import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Testing

@Suite("Signals", .takesTurns, .enabled(if: hasDaemon, noDaemon), .timeLimit(.minutes(5)))
struct SignalTests {
    @Test("ten thousand signals arrive in the order of sending, also beside the function form")
    func order() async throws {
        let bus = try await TestBus()
        let sender = try await bus.connection()
        let receiver = try await bus.connection()
        let signals = try await receiver.signals(BusMatch(sender: sender.uniqueName, member: "Tick"), limit: 20_000)
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let subscription = try await receiver.subscribe(BusMatch(path: peerPath)) {
            continuation.yield($0.arguments.first?.integer() ?? -1)
        }
        for number in 0..<10_000 { try sender.emit(BusSignal(peerPath, peerName, "Tick", [.int32(Int32(number))])) }
        var next = 0
        for await signal in signals {
            #expect(signal.arguments == [.int32(Int32(next))])
            next += 1
            if next == 10_000 { break }
        }
        next = 0
        for await number in stream {
            #expect(number == next)
            next += 1
            if next == 10_000 { break }
        }
        withExtendedLifetime(subscription) {}
    }

    @Test("what is sent to one connection alone comes without a rule on the bus")
    func unicast() async throws {
        let bus = try await TestBus()
        let sender = try await bus.connection()
        let receiver = try await bus.connection()
        let signals = try await receiver.signals(BusMatch(member: "Private"), addsRule: false)
        try sender.emit(BusSignal(peerPath, peerName, "Private", [.string("to all")]))
        try sender.emit(BusSignal(peerPath, peerName, "Private", [.string("to you")], to: receiver.uniqueName))
        let signal = try #require(await signals.first { _ in true })
        #expect(signal.arguments == [.string("to you")])
        #expect(signal.destination == receiver.uniqueName)
    }

    @Test("a match on a well-known name takes only its owner's signals, whoever that is")
    func sender() async throws {
        let bus = try await TestBus()
        let first = try await bus.connection()
        let second = try await bus.connection()
        let liar = try await bus.connection()
        let receiver = try await bus.connection()
        #expect(try await first.requestName(peerName) == .owner)
        #expect(try await second.requestName(peerName) == .inQueue)
        let signals = try await receiver.signals(BusMatch(sender: peerName))
        let tell = { (connection: BusConnection, text: String, isPrivate: Bool) in
            try connection.emit(
                BusSignal(peerPath, peerName, "Said", [.string(text)], to: isPrivate ? receiver.uniqueName : nil)
            )
            // Answered after the signal has gone through the bus.
            _ = try await connection.owner(of: peerName)
        }
        try await tell(liar, "lie", true)
        try await tell(second, "not yet", true)
        try await tell(first, "first", false)
        try await first.releaseName(peerName)
        try await tell(first, "no more", true)
        try await tell(second, "second", false)
        var texts: [String] = []
        for await signal in signals {
            texts.append(signal.arguments.first?.string ?? "")
            if texts.count == 2 { break }
        }
        #expect(texts == ["first", "second"])
    }

    @Test("one rule on the bus serves many listeners, and goes with the last")
    func rulesAreShared() async throws {
        let bus = try await TestBus()
        let sender = try await bus.connection()
        let receiver = try await bus.connection()
        let match = BusMatch(member: "Shared")
        // More than the 512 rules that a connection may have.
        var all: [AsyncStream<BusSignal>] = []
        for _ in 0..<600 { all.append(try await receiver.signals(match)) }
        var last: AsyncStream<BusSignal>? = all.removeLast()
        all = []
        // A round trip: the others' ends have gone to the bus.
        _ = try await receiver.owner(of: peerName)
        try sender.emit(BusSignal(peerPath, peerName, "Shared", [.int32(1)]))
        #expect(await last?.first { _ in true }?.arguments == [.int32(1)])
        last = nil
        let unicast = try await receiver.signals(BusMatch(interface: peerName), addsRule: false)
        _ = try await receiver.owner(of: peerName)
        try sender.emit(BusSignal(peerPath, peerName, "Shared", [.int32(2)]))
        try sender.emit(BusSignal(peerPath, peerName, "End", [], to: receiver.uniqueName))
        #expect(await unicast.first { _ in true }?.member == "End")
    }

    @Test("a reader that doesn't read loses the newest, and gets what comes once it reads again")
    func bounded() async throws {
        let bus = try await TestBus()
        let sender = try await bus.connection()
        let receiver = try await bus.connection()
        let signals = try await receiver.signals(BusMatch(member: "Flood"), limit: 10)
        let end = try await receiver.signals(BusMatch(member: "End"))
        for number in 0..<1000 { try sender.emit(BusSignal(peerPath, peerName, "Flood", [.int32(Int32(number))])) }
        try sender.emit(BusSignal(peerPath, peerName, "End"))
        _ = await end.first { _ in true }
        var numbers: [Int] = []
        for await signal in signals {
            numbers.append(signal.arguments.first?.integer() ?? -1)
            if numbers.count == 10 { try sender.emit(BusSignal(peerPath, peerName, "Flood", [.int32(1000)])) }
            if numbers.count == 11 { break }
        }
        #expect(numbers == Array(0..<10) + [1000])
    }

    @Test("a loop over signals that nobody else holds goes on until it is left")
    func loop() async throws {
        let bus = try await TestBus()
        let sender = try await bus.connection()
        let receiver = try await bus.connection()
        let ready = try await receiver.signals(BusMatch(member: "Ready"))
        let count = Task {
            var count = 0
            for await signal in try await receiver.signals(BusMatch(interface: peerName)) {
                // Its own beginning, told to the sender.
                if count == 0 { try receiver.emit(BusSignal("/r", "org.example.Reader", "Ready")) }
                count += 1
                if signal.member == "End" { break }
            }
            return count
        }
        // Until the loop listens, then the rest.
        let first = Task { for await _ in ready { return } }
        let feeder = Task {
            while !Task.isCancelled {
                try sender.emit(BusSignal(peerPath, peerName, "Tick"))
                _ = try await sender.owner(of: peerName)
            }
        }
        await first.value
        feeder.cancel()
        try sender.emit(BusSignal(peerPath, peerName, "End"))
        #expect(try await count.value >= 2)
    }

    @Test("matches on path namespaces and arguments are the bus's, apostrophes included")
    func arguments() async throws {
        let bus = try await TestBus()
        let sender = try await bus.connection()
        let receiver = try await bus.connection()
        let below = try await receiver.signals(BusMatch(pathNamespace: "/org/example"))
        let quoted = try await receiver.signals(BusMatch(interface: peerName, arguments: [1: "it's 'so'\\"]))
        try sender.emit(BusSignal("/org/examples", peerName, "A"))
        try sender.emit(BusSignal("/org/example/a", peerName, "B", [.string("x"), .string("it's")]))
        try sender.emit(BusSignal("/elsewhere", peerName, "C", [.string("x"), .string("it's 'so'\\")]))
        #expect(await below.first { _ in true }?.member == "B")
        #expect(await quoted.first { _ in true }?.member == "C")
    }

    @Test("signals as they shouldn't be do no harm: no arguments, wrong types, forged messages of the bus")
    func odd() async throws {
        let bus = try await TestBus()
        let sender = try await bus.connection()
        let receiver = try await bus.connection()
        var owners = try await receiver.owners(of: peerName).makeAsyncIterator()
        #expect(await owners.next() == .some(nil))
        let end = try await receiver.signals(BusMatch(member: "End"))
        let me = receiver.uniqueName
        let forged: [[BusValue]] = [
            [], [.string(peerName)], [.int32(1), .int32(2), .int32(3)],
            [.string(peerName), .string(""), .string(":1.99")],
        ]
        for arguments in forged {
            try sender.emit(
                BusSignal("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", arguments, to: me)
            )
        }
        try sender.emit(BusSignal(peerPath, peerName, "End"))
        _ = await end.first { _ in true }
        try await sender.requestName(peerName)
        #expect(await owners.next() == sender.uniqueName)
    }
}
