import BelfryTestSupport
import Synchronization
import Testing

@testable import Belfry

@Suite("The queue of what is to be stored", .takesTurns)
struct CommitQueueTests {
    private static var outcome: CommitQueue.Item { .event(.acknowledged(responseID: "r")) }
    private static var woke: CommitQueue.Item { .event(.woke) }

    private static func call(refuse: @escaping @Sendable (NoticeError) -> Void = { _ in }) -> CommitQueue.Item {
        .call(Call(size: { _ in 1 }, decide: { _, _ in nil }, refuse: refuse))
    }

    /// How many items each group has, until nothing is left.
    private static func groupSizes(of queue: inout CommitQueue) -> [Int] {
        var sizes: [Int] = []
        while let group = queue.next() { sizes.append(group.count) }
        return sizes
    }

    @Test("One takes turns at a time, until nothing is left") func turns() {
        var queue = CommitQueue()
        let beginsInVain = queue.begin()
        #expect(!beginsInVain && queue.isIdle)
        queue.append(Self.woke)
        let (isFirst, isSecond) = (queue.begin(), queue.begin())
        #expect(isFirst && !isSecond && !queue.isIdle)
        let group = queue.next()
        #expect(group?.count == 1 && !queue.isIdle, "what was taken is being stored")
        queue.append(Self.woke)
        let beginsBeside = queue.begin()
        #expect(!beginsBeside)
        #expect(Self.groupSizes(of: &queue) == [1] && queue.isIdle)
        queue.append(Self.woke)
        let isFirstAgain = queue.begin()
        #expect(isFirstAgain)
    }

    @Test("Calls share a transaction, and so do outcomes; the two never mix, and nothing is overtaken") func groups() {
        var queue = CommitQueue()
        let items = [
            Self.call(), Self.call(), Self.outcome, Self.outcome, Self.outcome, Self.woke, Self.woke, Self.call(),
            .fixes,
            .backend(.serverGone(server: nil)), .backend(.serverGone(server: nil)), Self.call(),
        ]
        for item in items { queue.append(item) }
        #expect(queue.count == items.count)
        #expect(Self.groupSizes(of: &queue) == [2, 3, 1, 1, 1, 1, 1, 1, 1])
    }

    @Test("No transaction is shared by more than the limit") func groupLimit() {
        var queue = CommitQueue()
        for _ in 0..<CommitQueue.groupLimit + 1 { queue.append(Self.call()) }
        #expect(Self.groupSizes(of: &queue) == [CommitQueue.groupLimit, 1])
    }

    @Test("Events that waited for an outcome come before all others, in order") func prepending() {
        var queue = CommitQueue()
        queue.append(Self.woke)
        queue.prepend([.serverGone(server: "a"), .serverCame(server: "b")])
        var servers: [String?] = []
        while let group = queue.next() {
            switch group[0] {
            case .backend(.serverGone(let server)), .backend(.serverCame(let server)): servers.append(server)
            default: servers.append(nil)
            }
        }
        #expect(servers == ["a", "b", nil])
    }

    @Test("Where the store can't be opened whoever waits is told, and the next item tries again") func refusing() async
    {
        let refused = Mutex<[NoticeError.Code]>([])
        await withCheckedContinuation { fence in
            var queue = CommitQueue()
            queue.append(Self.call { error in refused.withLock { $0.append(error.code) } })
            queue.append(.fence(fence))
            queue.append(Self.woke)
            _ = queue.begin()
            queue.refuseAll(with: NoticeError(.storeFailed, "The disk is gone."))
            #expect(queue.isIdle && !queue.isOpen)
            queue.append(Self.woke)
            let triesAgain = queue.begin()
            #expect(triesAgain)
        }
        #expect(refused.withLock(\.self) == [.storeFailed])
    }
}
