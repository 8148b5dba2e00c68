import Belfry
import BelfryTesting
import Synchronization

/// A listener as small as one can be: fires entries on time and repeats them. It does in an actor, with tasks of its
/// own, what a center does, so that the clock's handshake is tried by something that is really concurrent.
actor AlarmScheduler: WakeListener {
    struct Firing: Equatable, Sendable {
        var name: String
        var at: Int64
    }

    struct Entry: Sendable {
        var name: String
        /// Microseconds on the wall clock, or on the boot clock.
        var wall: Int64?
        var boot: Int64?
        var every: Int64?

        var due: Int64 { wall ?? boot ?? .max }
    }

    let clock: any TriggerClock
    let alarm: any WakeAlarm
    private(set) var firings: [Firing] = []
    private(set) var reasons: [WakeReason] = []
    private let received = Mutex<[WakeReason]>([])
    private var entries = Heap()
    private var underWay = 0
    private var quietWaiters: [CheckedContinuation<Void, Never>] = []
    /// Work that a firing hands to a task of its own.
    private let work: @Sendable (Firing) async -> Void

    init(clock: any TriggerClock, work: @escaping @Sendable (Firing) async -> Void = { _ in }) throws {
        self.clock = clock
        self.work = work
        alarm = try clock.makeAlarm()
    }

    func add(_ entry: Entry) {
        entries.insert(entry)
        rearm()
    }

    func run() async throws { try await alarm.run(waking: self) }

    nonisolated func woke(_ reason: WakeReason) { received.withLock { $0.append(reason) } }

    func processedWakeUps() async {
        reasons += received.withLock { received in
            defer { received = [] }
            return received
        }
        let now = clock.now()
        while let entry = entries.first(dueAt: now) {
            let firing = Firing(name: entry.name, at: entry.wall == nil ? now.boot : now.wall)
            firings.append(firing)
            underWay += 1
            Task { [work] in
                await work(firing)
                finish()
            }
            if let every = entry.every {
                var next = entry
                if let wall = entry.wall { next.wall = wall + every }
                if let boot = entry.boot { next.boot = boot + every }
                entries.insert(next)
            }
        }
        rearm()
    }

    func quiet() async {
        guard underWay > 0 else { return }
        await withCheckedContinuation { quietWaiters.append($0) }
    }

    private func finish() {
        underWay -= 1
        guard underWay == 0 else { return }
        for waiter in quietWaiters { waiter.resume() }
        quietWaiters = []
    }

    private func rearm() { alarm.set(WakeDeadline(wall: entries.nextWall, boot: entries.nextBoot)) }

    /// Two binary heaps, one for each clock.
    private struct Heap {
        private var walls: [Entry] = []
        private var boots: [Entry] = []

        var nextWall: Int64? { walls.first?.wall }
        var nextBoot: Int64? { boots.first?.boot }

        mutating func insert(_ entry: Entry) {
            if entry.wall != nil { Self.insert(entry, into: &walls) } else { Self.insert(entry, into: &boots) }
        }

        mutating func first(dueAt now: TriggerInstant) -> Entry? {
            if let wall = nextWall, wall <= now.wall { return Self.removeFirst(of: &walls) }
            if let boot = nextBoot, boot <= now.boot { return Self.removeFirst(of: &boots) }
            return nil
        }

        private static func insert(_ entry: Entry, into heap: inout [Entry]) {
            heap.append(entry)
            var place = heap.count - 1
            while place > 0, heap[place].due < heap[(place - 1) / 2].due {
                heap.swapAt(place, (place - 1) / 2)
                place = (place - 1) / 2
            }
        }

        private static func removeFirst(of heap: inout [Entry]) -> Entry {
            heap.swapAt(0, heap.count - 1)
            let first = heap.removeLast()
            var place = 0
            while true {
                let smallest = [place, 2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
                    .min { heap[$0].due < heap[$1].due }
                guard let smallest, smallest != place else { return first }
                heap.swapAt(place, smallest)
                place = smallest
            }
        }
    }
}

/// Runs the scheduler while `body` does.
func running(
    _ schedulers: AlarmScheduler...,
    body: () async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for scheduler in schedulers { group.addTask { try await scheduler.run() } }
        try await body()
        group.cancelAll()
        try await group.waitForAll()
    }
}
