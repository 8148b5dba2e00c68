import BelfryBus
import BelfryDBus
import Foundation
import Synchronization

@testable import Belfry

/// 10,000 requests that are due in the same second, through a center and the D-Bus backend to a server that counts.
enum BurstBenchmark {
    private static let count = Effort.count(10_000)

    static func run(_ report: inout BenchmarkReport) throws {
        let bus = try PrivateBus()
        defer { bus.end() }
        let time = try Alternation.medians(rounds: 3) {
            let time = try waiting { [address = bus.address] in try await burst(to: address) }
            try bus.check(count, from: "the center")
            return time
        } theirs: {
            try NotifyBenchmark.plainTime(bus, count)
        }
        report.add(
            .within(
                1.3,
                "10,000 requests due in the same second, shown in order",
                time.ours,
                "s",
                against: "libdbus in C",
                time.theirs
            )
        )
        report.note(
            "Due in the same second: from the due time until the center has the receipt of the last one; the server has "
                + "counted all of them, in the order of adding. The program in C only calls Notify, \(NotifyBenchmark.window) "
                + "calls unanswered at most."
        )
    }

    private static func burst(to address: String) async throws -> Double {
        let backend = CountingBackend(DBusBackend(bus: .address(address)))
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Benchmark", name: "Benchmark"), backend: backend)
        return try await center.run { center in
            let due = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 3).rounded())
            for start in stride(from: 0, to: count, by: 1_000) {
                try await center.add(
                    (start..<start + 1_000).map { number in
                        NoticeRequest(
                            id: SampleRequests.identifier(number),
                            content: SampleRequests.content(number),
                            trigger: DateTrigger(date: due)
                        )
                    }
                )
            }
            guard Date() < due else { throw BenchmarkFault(description: "adding 10,000 requests took three seconds") }
            await backend.shown(count)
            return Date().timeIntervalSince(due)
        }
    }
}

/// A backend that tells when it has shown so many. It waits for nothing itself, so it works where the one within does.
private final class CountingBackend: DeliveryBackend {
    private struct State {
        var count = 0
        var goal = Int.max
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let backend: any DeliveryBackend
    private let state = Mutex(State())
    var name: String { backend.name }
    var mayBlock: Bool { false }

    init(_ backend: any DeliveryBackend) { self.backend = backend }

    func shown(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                guard state.count < count else { return true }
                (state.goal, state.waiter) = (count, continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    func capabilities() async throws(NoticeError) -> DeliveryCapabilities { try await backend.capabilities() }

    func deliver(_ delivery: Delivery) async throws(NoticeError) -> DeliveryReceipt {
        let receipt = try await backend.deliver(delivery)
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count += 1
            guard state.count == state.goal else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
        return receipt
    }

    func withdraw(_ receipt: DeliveryReceipt) async throws(NoticeError) { try await backend.withdraw(receipt) }

    func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async throws(NoticeError) {
        try await backend.run(reporting: report)
    }
}
