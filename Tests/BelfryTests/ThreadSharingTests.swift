import BelfryCalendars
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Belfry

/// All centers of a process share a thread: what takes one of them long is done elsewhere.
@Suite("One center's long work keeps no other from its alarm (rule 41)", .takesTurns, .timeLimit(.minutes(5)))
struct ThreadSharingTests {
    private static let tokyo = TriggerContext(zone: try! .named("Asia/Tokyo"))

    /// Long work that is held up while `meanwhile` is done; returns what `work` has come to.
    static func holdingUp<Value: Sendable>(
        _ center: NoticeCenter,
        _ work: @escaping @Sendable () async throws -> Value,
        meanwhile: (_ isDone: () -> Bool) async throws -> Void
    ) async throws -> Value {
        let engine = try #require(center.engine as? EmbeddedEngine)
        let queues = [engine.longWork, engine.setup.fileWork]
        let isDone = Atomic(false)
        queues.forEach { $0.suspend() }
        async let value = {
            defer { isDone.store(true, ordering: .sequentiallyConsistent) }
            return try await work()
        }()
        // More turns than all else that the work has to do there.
        for _ in 0..<1_000 { await CenterThread.shared.letOthersWork() }
        do { try await meanwhile { isDone.load(ordering: .sequentiallyConsistent) } } catch {
            queues.forEach { $0.resume() }
            throw error
        }
        queues.forEach { $0.resume() }
        return try await value
    }

    @Test("The list of what is pending is sorted off the thread, and another center works meanwhile") func sorting()
        async throws
    {
        try await World.run { world in
            try await world.center.add((0..<3_000).map { .sample("\($0)", .after(.seconds(90_000 - $0))) })
            let listed = try await Self.holdingUp(world.center) {
                try await world.center.pending().map(\.id)
            } meanwhile: { isDone in
                try await World.run { try await $0.center.add(.sample("other")) }
                // What goes while the list is made is not in it.
                try await world.center.remove("17")
                #expect(!isDone())
            }
            let numbers = stride(from: 2_999, through: 0, by: -1).filter { $0 != 17 }
            #expect(listed == numbers.map { "\($0)" })
        }
    }

    @Test("Rules are compiled for a new zone off the thread; what is added meanwhile follows the zone too") func zones()
        async throws
    {
        let rules = try (0..<20).map { number in
            try RecurrenceTrigger(.rrule("FREQ=DAILY;COUNT=400;BYHOUR=\(number)"), starting: World.start)
        }
        try await World.run { world in
            try await world.center.add(
                rules.enumerated().map { .sample("rule \($0)", $1) }
                    + [.sample("before", CalendarTrigger(matching: DateFields(hour: 8), repeats: true))]
            )
            try await Self.holdingUp(world.center) {
                try await world.clock.changeZone(to: Self.tokyo.zone)
            } meanwhile: { isDone in
                try await world.center.add(
                    .sample("meanwhile", CalendarTrigger(matching: DateFields(hour: 8), repeats: true))
                )
                #expect(!isDone())
                #expect(rules.allSatisfy { $0.dates.compilationCount == 1 })
            }
            #expect(rules.allSatisfy { $0.dates.compilationCount == 2 }, "once for each zone")
            for (number, rule) in rules.enumerated() {
                let next = try await world.center.nextFireDate(of: "rule \(number)")
                #expect(next == rule.nextDate(after: World.start, in: Self.tokyo))
            }
            // 8:00 in Tokyo is 23:00 UTC.
            let eight = World.start.addingTimeInterval(23 * 3_600)
            #expect(try await world.center.nextFireDate(of: "before") == eight)
            #expect(try await world.center.nextFireDate(of: "meanwhile") == eight)
        }
    }

    @Test("A change of zone is work in progress until its rules are compiled") func zoneInProgress() async throws {
        let rule = try RecurrenceTrigger(.rrule("FREQ=DAILY;COUNT=400"), starting: World.start)
        try await World.run { world in
            try await world.center.add(.sample("rule", rule))
            let engine = try #require(world.center.engine as? EmbeddedEngine)
            try await Self.holdingUp(world.center) {
                try await world.clock.changeZone(to: Self.tokyo.zone)
            } meanwhile: { _ in
                #expect(await !engine.isQuiet(exceptHandler: true))
            }
            await world.center.quiet()
            #expect(
                try await world.center.nextFireDate(of: "rule") == rule.nextDate(after: World.start, in: Self.tokyo)
            )
        }
    }

    @Test("Rules that are added are checked and compiled off the thread") func adding() async throws {
        let made = try RecurrenceTrigger(.rrule("FREQ=DAILY;COUNT=400"), starting: World.start)
        // As the agent gets it: making it has compiled nothing.
        let rule = try JSONDecoder().decode(RecurrenceTrigger.self, from: JSONEncoder().encode(made))
        try await World.run(zone: Self.tokyo.zone) { world in
            let report = try await Self.holdingUp(world.center) {
                try await world.center.add(.sample("rule", rule))
            } meanwhile: { isDone in
                #expect(!isDone())
                #expect(rule.dates.compilationCount == 0)
            }
            #expect(rule.dates.compilationCount == 2, "in UTC to check it, and in the system's zone")
            #expect(report.next == rule.nextDate(after: World.start, in: Self.tokyo))
        }
    }

    /// Calendar triggers that may take long: with bounds, in another calendar, and with many sets.
    private static let longCalendarTriggers = [
        CalendarTrigger(
            matching: DateFields(hour: 8),
            repeats: true,
            options: .init(starting: World.start.addingTimeInterval(86_400))
        ),
        CalendarTrigger(matching: DateFields(day: 1), repeats: true, options: .init(calendar: .hebrew)),
        CalendarTrigger(matching: (1...100).map { DateFields(dayOfYear: $0) }, repeats: true),
    ]

    @Test("So are calendar triggers that may take long", arguments: longCalendarTriggers.indices)
    func addingCalendarTriggers(_ index: Int) async throws {
        OtherCalendars.enable()
        let trigger = Self.longCalendarTriggers[index]
        try await World.run { world in
            let report = try await Self.holdingUp(world.center) {
                try await world.center.add(.sample("rule", trigger))
            } meanwhile: { isDone in
                #expect(!isDone())
            }
            #expect(report.next == trigger.nextDate(after: World.start, in: TriggerContext(zone: .utc)))
            try await world.clock.advance(by: .seconds(400 * 86_400))
            #expect(!world.recorder.deliveries.isEmpty)
            #expect(trigger.dates?.compilationCount == 1, "in UTC, for the check and all dates")
        }
    }

    @Test("Sets without a date in another calendar are searched for once, and not at each date")
    func setsWithoutDates() throws {
        OtherCalendars.enable()
        let options = CalendarTrigger.Options(calendar: .hebrew)
        let never = (1...3).map { DateFields(day: 30, dayOfYear: 1, hour: $0) }
        let trigger = CalendarTrigger(matching: never + [DateFields(month: 1, day: 1)], repeats: true, options: options)
        let plain = CalendarTrigger(matching: DateFields(month: 1, day: 1), repeats: true, options: options)
        let context = TriggerContext(zone: .utc)
        var found: Date?
        let searching = processorTime { found = trigger.nextDate(after: World.start, in: context) }
        let first = try #require(found)
        #expect(first == plain.nextDate(after: World.start, in: context))
        // A search takes a tenth of a second for each set.
        let later = processorTime { for _ in 0..<10 { _ = trigger.nextDate(after: first, in: context) } }
        #expect(later < searching * 3, "\(later) after \(searching)")
        #expect(throws: NoticeError.self) {
            try CalendarTrigger(matching: never, repeats: true, options: options).validate()
        }
    }

    @Test("So is what an owner wants; an ordinary request waits for nothing") func synchronizing() async throws {
        let rule = try RecurrenceTrigger(.rrule("FREQ=DAILY;COUNT=400"), starting: World.start)
        let wanted = OwnedRequests(
            owner: "file",
            entries: [OwnedRequests.Entry(key: "rule", fingerprint: "1", requests: [.sample("rule", rule)])]
        )
        try await World.run { world in
            let report = try await Self.holdingUp(world.center) {
                try await world.center.embedded.synchronize(wanted, isTrial: false)
            } meanwhile: { isDone in
                try await world.center.add([
                    .sample("now"), .sample("soon", .after(.seconds(10))), .sample("daily", .daily(at: "8:00")),
                ])
                #expect(!isDone())
            }
            #expect(report.added == ["rule"])
        }
    }

    /// Blocks its thread from its first step on, as a library may.
    private final class BlockingBackend: DeliveryBackend {
        let name = "blocking"
        let begun = Gate()
        private let release = DispatchSemaphore(value: 0)
        private let wasReleased = Atomic(false)

        func capabilities() -> DeliveryCapabilities { DeliveryCapabilities(server: name, features: []) }

        func deliver(_ delivery: Delivery) async -> DeliveryReceipt {
            begun.open()
            block()
            return DeliveryReceipt(backend: name, handle: delivery.id)
        }

        private func block() {
            let isReleased = release.wait(timeout: .now() + 25) == .success
            wasReleased.store(isReleased, ordering: .sequentiallyConsistent)
        }

        func unblock() { release.signal() }

        var hasBeenReleased: Bool { wasReleased.load(ordering: .sequentiallyConsistent) }

        func withdraw(_ receipt: DeliveryReceipt) {}
        func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) {}
    }

    @Test("A backend that blocks from its first step on keeps no other center from its work") func blocking()
        async throws
    {
        let backend = BlockingBackend()
        try await NoticeCenter(app: World.app, backend: backend).run { center in
            try await center.add(.sample("blocked"))
            await backend.begun.wait()
            try await World.run { world in
                try await world.center.add(.sample("other"))
                await world.center.quiet()
                #expect(world.deliveredIDs() == ["other"])
            }
            backend.unblock()
            await center.quiet()
        }
        #expect(backend.hasBeenReleased, "the other center was done while this one's backend was blocked")
    }

    @Test("Runs that block for good leave the threads for apps to others, also in chains", arguments: [false, true])
    func blockedRuns(inChains: Bool) async throws {
        let count = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let runs = BlockedRuns()
        let app = World.app
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                let center = NoticeCenter(
                    app: app,
                    backend: inChains ? BackendChain([runs]) : runs,
                    clock: .manual(ManualTriggerClock()),
                    location: inChains ? LocationProviderChain([runs]) : runs
                )
                group.addTask {
                    try await center.run { center in
                        let region = CircularRegion(latitude: 48, longitude: 11, radius: 100)
                        try await center.add(.sample("here", LocationTrigger(region: region)))
                        _ = try await center.show(.sample("x"))
                        // A backend and a location provider for each processor.
                        await runs.blocked.wait { $0 == 2 * count }
                        _ = try await center.show(.sample("y"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(!runs.isOverdue, "what the runs blocked went on only when they ended")
    }

    /// A backend and a location provider that read from something that blocks until they are canceled.
    private final class BlockedRuns: DeliveryBackend, LocationProvider {
        let name = "blocked"
        let mayBlock = true
        let blocked = AwaitedState(0)
        private let overdue = Atomic(false)

        var isOverdue: Bool { overdue.load(ordering: .sequentiallyConsistent) }

        private func block() async {
            let end = DispatchSemaphore(value: 0)
            await withTaskCancellationHandler {
                wait(for: end)
            } onCancel: {
                end.signal()
            }
        }

        private func wait(for end: DispatchSemaphore) {
            blocked.withLock { $0 += 1 }
            if end.wait(timeout: .now() + 60) == .timedOut { overdue.store(true, ordering: .sequentiallyConsistent) }
        }

        func capabilities() -> DeliveryCapabilities { DeliveryCapabilities(server: name, features: []) }

        func deliver(_ delivery: Delivery) async -> DeliveryReceipt {
            DeliveryReceipt(backend: name, handle: delivery.id)
        }

        func withdraw(_ receipt: DeliveryReceipt) {}
        func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) async { await block() }

        func run(
            demands: LocationDemand.Updates,
            reporting report: @escaping @Sendable (LocationFix) -> Void
        ) async { await block() }
    }

    @Test("A backend that promises not to block is called on the thread of all centers, others on one for apps")
    func promisedThread() async throws {
        for mayBlock in [true, false] {
            let backend = ProbedBackend(mayBlock: mayBlock)
            try await NoticeCenter(app: World.app, backend: backend).run { center in
                try await center.add(.sample("x"))
                await center.quiet()
                _ = await center.desktopPermission()
            }
            let expected = mayBlock ? "belfry-app" : "belfry"
            #expect(backend.threads.withLock { $0 } == ["deliver(_:)": expected, "desktopPermission(for:)": expected])
        }
    }

    private final class ProbedBackend: DeliveryBackend {
        let name = "probed"
        let mayBlock: Bool
        let threads = Mutex<[String: String]>([:])

        init(mayBlock: Bool) { self.mayBlock = mayBlock }

        private func note(_ part: String = #function) {
            let thread = currentThreadName()
            threads.withLock { $0[part] = thread }
        }

        func capabilities() -> DeliveryCapabilities { DeliveryCapabilities(server: name, features: []) }

        func deliver(_ delivery: Delivery) async -> DeliveryReceipt {
            note()
            return DeliveryReceipt(backend: name, handle: delivery.id)
        }

        func desktopPermission(for app: AppIdentity) async -> DesktopPermission {
            note()
            return .unknown
        }

        func withdraw(_ receipt: DeliveryReceipt) {}
        func run(reporting report: @escaping @Sendable (BackendEvent) -> Void) {}
    }

    @Test("Code of the app that is isolated to no actor runs on the threads for apps, by whatever way it is called")
    func appCode() async throws {
        let app = ProbedApp()
        let options = CenterOptions(contentProvider: { delivery in
            app.note("contentProvider")
            return delivery.content
        })
        try await World.run(prompt: app, options: options) { world in
            await world.center.setDelegate(app)
            var job = NoticeRequest.sample("job")
            job.content.isDisplayed = false
            try await world.center.add([.sample("x"), job])
            await world.center.quiet()
            try await world.person(.open, on: "x")
        }
        let parts = ["contentProvider", "ask(for:)", "presentation(of:)", "handle(_:)", "handleUndisplayed(_:)"]
        #expect(app.threads.withLock { $0 } == Dictionary(uniqueKeysWithValues: parts.map { ($0, "belfry-app") }))
    }

    /// An app's own code, compiled with `NonisolatedNonsendingByDefault` as this module is: remembers on which thread
    /// each of its parts ran.
    private final class ProbedApp: NoticeCenterDelegate, AuthorizationPrompt {
        let threads = Mutex<[String: String]>([:])

        func note(_ part: String = #function) {
            let thread = currentThreadName()
            threads.withLock { $0[part] = thread }
        }

        func ask(for app: AppIdentity) async -> AuthorizationStatus.Decision {
            note()
            return .allowed
        }

        func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation {
            note()
            return .present
        }

        func handle(_ response: NoticeResponse) async { note() }
        func handleUndisplayed(_ delivery: Delivery) async { note() }
    }
}
