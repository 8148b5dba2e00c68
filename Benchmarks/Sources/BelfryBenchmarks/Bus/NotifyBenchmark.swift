import Belfry
import BelfryBus
import BelfryDBus
import CBenchmarkBus
import Foundation

/// 20,000 calls of Notify to a server that only counts, on a bus of its own.
enum NotifyBenchmark {
    private static let count = Effort.count(20_000)
    /// Calls without an answer yet, ours and the C program's.
    static let window = 64

    static func run(_ report: inout BenchmarkReport) throws {
        let bus = try PrivateBus()
        defer { bus.end() }
        let time = try Alternation.medians(rounds: 5) {
            let time = try waiting { [address = bus.address] in try await deliver(to: address) }
            // Calls begin on several threads here: the order is the burst's matter.
            try bus.check(count, from: "the D-Bus backend", inOrder: false)
            return time
        } theirs: {
            try plainTime(bus, count)
        }
        let (ours, plain) = (Double(count) / time.ours, Double(count) / time.theirs)
        report.add(
            .more(
                "20,000 Notify calls through the D-Bus backend",
                ours,
                "1/s",
                against: "libdbus in C",
                plain,
                toBe: 1.5
            )
        )
        let alone = try waiting { [address = bus.address] in try await call(address) }
        try bus.check(count, from: "BelfryBus", inOrder: false)
        report.add(
            .more(
                "20,000 Notify calls through BelfryBus alone",
                Double(count) / alone,
                "1/s",
                against: "libdbus in C",
                plain
            )
        )
        var elapsed = 0.0
        guard benchmark_notify_libnotify(2_000, &elapsed) == 0 else {
            throw BenchmarkFault(description: "libnotify failed")
        }
        try bus.check(2_000, from: "libnotify")
        report.add(
            .more(
                "Notify calls through the D-Bus backend",
                ours,
                "1/s",
                against: "libnotify's blocking show",
                2_000 / elapsed,
                toBe: 5
            )
        )
        let runs = try ProgramRuns("notify-send", ["Reminder number 1", "What was to be done today"], count: 100)
        _ = try bus.count()
        report.add(
            .more(
                "Notify calls through the D-Bus backend",
                ours,
                "1/s",
                against: "notify-send, once for each",
                100 / runs.seconds,
                toBe: 100
            )
        )
        report.note(
            "Notify: at most \(window) calls unanswered, ours and the C program's, of the same message, argument for argument; "
                + "the server answers at once and counts. "
                + "libnotify waits for each answer (2,000 calls); notify-send is started 100 times."
        )
    }

    /// Seconds of the program in C.
    static func plainTime(_ bus: PrivateBus, _ count: Int) throws -> Double {
        var elapsed = 0.0
        let status = benchmark_notify_window(bus.address, count, window, &elapsed)
        guard status == 0 else { throw BenchmarkFault(description: "the program in C failed (\(-status))") }
        try bus.check(count, from: "the program in C")
        return elapsed
    }

    /// Seconds, from the first call to the last answer: the connection stands before.
    private static func deliver(to address: String) async throws -> Double {
        let backend = DBusBackend(bus: .address(address))
        let running = Task { try await backend.run { _ in } }
        _ = try await backend.capabilities()
        let clock = ContinuousClock()
        let begun = clock.now
        try await inWindow { number in
            _ = try await backend.deliver(
                Delivery(
                    id: String(number),
                    requestID: SampleRequests.identifier(number),
                    app: AppIdentity(id: "org.example.Benchmark", name: "Benchmark"),
                    content: SampleRequests.content(number),
                    dueDate: Date()
                )
            )
        }
        let time = clock.now - begun
        running.cancel()
        try? await running.value
        return time / .seconds(1)
    }

    private static func call(_ address: String) async throws -> Double {
        let bus = BusConnection(to: .address(address), configuration: BusConfiguration(window: window))
        try await bus.connect()
        let clock = ContinuousClock()
        let begun = clock.now
        try await inWindow { number in
            let content = SampleRequests.content(number)
            try await bus.call(
                BusMethodCall(
                    to: "org.freedesktop.Notifications",
                    "/org/freedesktop/Notifications",
                    "org.freedesktop.Notifications",
                    "Notify",
                    [
                        .string("Benchmark"), .uint32(0), .string(""), .string(content.title), .string(content.body),
                        .strings(["default", "Benchmark"]),
                        .options([
                            "urgency": .byte(1), "desktop-entry": .string("org.example.Benchmark"),
                            "sender-pid": .int64(Int64(getpid())),
                        ]), .int32(-1),
                    ],
                    expects: "u"
                )
            )
        }
        let time = clock.now - begun
        await bus.close()
        return time / .seconds(1)
    }

    private static func inWindow(_ call: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= window { try await group.next() }
                group.addTask { try await call(number) }
            }
            try await group.waitForAll()
        }
    }
}
