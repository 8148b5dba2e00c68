import Belfry
import BelfryBus
import BelfryBusBackend
import BelfryBusTestSupport
import BelfryTestSupport
import Synchronization
import Testing

@Suite("The parts that backends over a bus share", .takesTurns, .timeLimit(.minutes(5)))
struct BusBackendTests {
    private func run() -> BackendRun<Int> { BackendRun(of: "test") { NoticeError(bus: $0) } }

    @Test("whoever waits for a run is always woken, however short the limit")
    func running() async throws {
        let run = run()
        for round in 0..<20_000 {
            let limit = Duration.nanoseconds(round % 3 * 500)
            let error = await #expect(throws: NoticeError.self) {
                try await run.session(within: limit, listening: limit)
            }
            guard error?.code == .backendStopped else { break }
        }
        let bus = try await TestBus()
        let waiting = Task { try await run.session(within: .seconds(3600), listening: .seconds(3600)) }
        let first = Task {
            try await run.run(1, on: BusConnection(to: .address(bus.address))) {
                []
            } failed: { _ in
            }
        }
        #expect(try await waiting.value == 1)
        let second = await #expect(throws: NoticeError.self) {
            try await run.run(2, on: BusConnection(to: .address(bus.address))) {
                []
            } failed: { _ in
            }
        }
        #expect(second?.code == .unsupported)
        #expect(await (try? run.session(within: .zero, listening: .zero)) == 1)
        first.cancel()
        try await first.value
        await #expect(throws: NoticeError.self) { try await run.session(within: .zero, listening: .zero) }
    }

    @Test("what is listened for is begun again after a limit was reached")
    func listening() async throws {
        let bus = try await TestBus(limits: ["max_match_rules_per_connection": 0])
        let connection = BusConnection(to: .address(bus.address), configuration: .quick)
        let run = run()
        let refusals = Mutex<[NoticeError]>([])
        let (attempts, continuation) = AsyncStream.makeStream(of: BusError.Code?.self)
        let task = Task {
            try await run.run(1, on: connection) { () async throws(BusError) in
                do throws(BusError) {
                    let signals = try await connection.subscribe(BusMatch(member: "A")) { _ in }
                    continuation.yield(nil)
                    return [signals]
                } catch {
                    continuation.yield(error.code)
                    throw error
                }
            } failed: { error in
                refusals.withLock { $0.append(error) }
            }
        }
        #expect(await attempts.first { _ in true } == .limitsExceeded)
        try bus.setLimits([:])
        try await bus.connection().call(BusDriver.call("ReloadConfig"))
        #expect(await attempts.first { $0 == nil } == .some(nil))
        #expect(try await run.session(within: .zero, listening: .seconds(10)) == 1)
        #expect(refusals.withLock { $0 }.isEmpty)
        task.cancel()
        try await task.value
    }

    @Test("the newest entries are kept, and what is inserted again is new again")
    func newest() {
        var entries = NewestEntries<Int, String>(limit: 3)
        for key in 1...6 { entries.insert("\(key)", for: key) }
        entries.insert("1 again", for: 1)
        entries[6] = "6 changed"
        entries[99] = "nobody"
        #expect(entries.count == 6)
        entries.insert("7", for: 7)
        #expect(entries.all == [1: "1 again", 6: "6 changed", 7: "7"])
        entries[6] = nil
        #expect(entries.all == [1: "1 again", 7: "7"])
        for key in 0..<10_000 {
            entries.insert("", for: key)
            #expect(entries.count <= 6)
        }
        #expect(Set(entries.all.keys).isSuperset(of: [9997, 9998, 9999]))
    }
}
