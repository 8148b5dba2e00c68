import Belfry
import BelfryTestSupport
import Foundation
import Synchronization
import Testing

@Suite("What is reported before, in and after a run", .takesTurns)
struct BackendListenerTests {
    private let events: [BackendEvent] = (1...4).map { .serverCame(server: "\($0)") }

    @Test("Events from before the run come first, and those between two runs are not lost")
    func early() throws {
        let listener = BackendListener("This test")
        let heard = Mutex<[BackendEvent]>([])
        let report: @Sendable (BackendEvent) -> Void = { event in heard.withLock { $0.append(event) } }
        listener.report([events[0], events[1]])
        try listener.begin(report)
        listener.report([events[2]])
        #expect(heard.withLock { $0 } == Array(events[..<3]))
        listener.end()
        listener.report([events[3]])
        #expect(heard.withLock { $0.count } == 3)
        try listener.begin(report)
        #expect(heard.withLock { $0 } == events)
    }

    @Test("Events are reported in order, one at a time, whoever reports one meanwhile")
    func inOrder() throws {
        let listener = BackendListener("This test")
        let heard = Mutex<[BackendEvent]>([])
        let calls = Mutex(0)
        // Each of the first two events makes another thread report the next one but one.
        let report: @Sendable (BackendEvent) -> Void = { [events] event in
            let concurrentCalls = calls.withLock { calls in
                calls += 1
                return calls
            }
            #expect(concurrentCalls == 1)
            defer { calls.withLock { $0 -= 1 } }
            let count = heard.withLock { heard in
                heard.append(event)
                return heard.count
            }
            guard count <= 2 else { return }
            onAnotherThread { listener.report([events[count + 1]]) }
        }
        listener.report([events[0], events[1]])
        try listener.begin(report)
        #expect(heard.withLock { $0 } == events)
    }

    @Test("There is one run at a time, and the second is told")
    func second() throws {
        let listener = BackendListener("This test")
        try listener.begin { _ in }
        let error = #expect(throws: NoticeError.self) { try listener.begin { _ in } }
        #expect(error?.code == .unsupported && error?.message.contains("This test is running already") == true)
        listener.end()
        try listener.begin { _ in }
    }

    @Test("What nobody takes is bounded")
    func bounded() throws {
        let listener = BackendListener("This test")
        for _ in 1...5_000 { listener.report([events[0]]) }
        let count = Mutex(0)
        try listener.begin { _ in count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1_000)
    }

    @Test("A report of very many events takes time in proportion to them", .timeLimit(.minutes(1)))
    func many() throws {
        let listener = BackendListener("This test")
        let last = Mutex<BackendEvent?>(nil)
        try listener.begin { event in last.withLock { $0 = event } }
        listener.report((1...200_000).map { .serverCame(server: "\($0)") })
        #expect(last.withLock { $0 } == BackendEvent.serverCame(server: "200000"))
    }
}

/// Returns when another thread has run the body.
private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        isDone.signal()
    }
    isDone.wait()
}
