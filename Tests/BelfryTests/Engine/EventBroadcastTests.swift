import BelfryTestSupport
import Foundation
import Testing

@testable import Belfry

@Suite("The events of a listener that falls behind", .takesTurns, .timeLimit(.minutes(5)))
struct EventBroadcastTests {
    private let broadcast = EventBroadcast()

    private func error(_ number: Int) -> CenterEvent { .error(NoticeError(.backendMessage, "Number \(number).")) }

    private func entry(_ number: Int) -> CenterEvent {
        .history(HistoryEntry(requestID: "\(number)", date: .distantPast, outcome: .removed))
    }

    private func events(of listener: NoticeCenter.Events) async -> [CenterEvent] {
        var events: [CenterEvent] = []
        for await event in listener { events.append(event) }
        return events
    }

    @Test("Errors stay, whatever the history records meanwhile, and all keep their order") func errorsStay() async {
        let listener = NoticeCenter.Events(of: broadcast)
        broadcast.send(error(1))
        for number in 0..<1_500 { broadcast.send(entry(number)) }
        broadcast.send(error(2))
        for number in 1_500..<2_000 { broadcast.send(entry(number)) }
        broadcast.finish()
        #expect(listener.hasMore(than: 1_025) && !listener.hasMore(than: 1_026))
        let expected = [error(1)] + (976..<1_500).map(entry) + [error(2)] + (1_500..<2_000).map(entry)
        #expect(await events(of: listener) == expected)
    }

    @Test("Of too many errors the oldest are kept, and displace nothing else") func errorsAreBounded() async {
        let listener = NoticeCenter.Events(of: broadcast)
        broadcast.send(entry(0))
        for number in 0..<3_000 { broadcast.send(error(number)) }
        broadcast.send(entry(1))
        broadcast.finish()
        #expect(await events(of: listener) == [entry(0)] + (0..<1_024).map(error) + [entry(1)])
    }

    @Test("A listener whose task is canceled receives what was sent before, and nothing later") func canceled() async {
        let listener = NoticeCenter.Events(of: broadcast)
        for number in 0..<3 { broadcast.send(entry(number)) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var iterator = listener.makeAsyncIterator()
            let first = await iterator.next()
            broadcast.send(entry(3))
            return await [first, iterator.next(), iterator.next(), iterator.next()]
        }
        #expect(await task.value == [entry(0), entry(1), entry(2), nil])
        #expect(!broadcast.hasListeners)
    }

    @Test("A listener that is released is none any more") func released() async {
        var iterator: NoticeCenter.Events.AsyncIterator? = NoticeCenter.Events(of: broadcast).makeAsyncIterator()
        broadcast.send(entry(0))
        #expect(await iterator?.next() == entry(0))
        #expect(broadcast.hasListeners)
        iterator = nil
        #expect(!broadcast.hasListeners)
    }
}
