import Dispatch
import Foundation

@testable import Belfry

/// Wake-ups of a whole process in a minute with nothing due: of one with a center, and of one that has only begun a
/// task.
///
/// Each is this program again, as a process of its own, so that nothing of the benchmark counts.
enum IdleBenchmark {
    enum Kind: String, CaseIterable {
        /// No task at all.
        case nothing
        /// One task that ends at once.
        case task
        /// A center with a thousand requests that are due in a year, which has delivered one.
        case center
        /// As in HelloNotice: a center around a body on the main actor.
        case program
    }

    /// Longer than the limit of a call to the backend, whose watch ends with it.
    private static let settling = Effort.seconds(35)
    private static let minute = Effort.seconds(60)

    static func run(_ report: inout BenchmarkReport) throws {
        let children = try Kind.allCases.map { kind in (kind: kind, child: try IdleProcess(kind)) }
        defer { for (_, child) in children { child.end() } }
        for (_, child) in children { try child.waitUntilReady() }
        sleep(settling)
        let before = try children.map { try $0.child.voluntarySwitches() }
        sleep(minute)
        let after = try children.map { try $0.child.voluntarySwitches() }
        let counts = Dictionary(
            uniqueKeysWithValues: zip(children.map(\.kind), zip(after, before).map { Double($0 - $1) })
        )
        let (center, task, nothing) = (counts[.center] ?? .nan, counts[.task] ?? .nan, counts[.nothing] ?? .nan)
        let program = counts[.program] ?? .nan
        var row = BenchmarkRow.bound(
            "wake-ups in a minute with nothing due",
            center,
            "1/min",
            target: "0",
            reached: center == 0
        )
        row.theirs = task
        row.against = "one Task.detached that has ended"
        report.add(row)
        report.add(
            .bound(
                "wake-ups in a minute of the program HelloNotice, nothing due",
                program,
                "1/min",
                target: "0",
                reached: program == 0
            )
        )
        report.add(.reported("wake-ups in a minute of a process without tasks", nothing, "1/min"))
        report.note(
            "Wake-ups are the voluntary context switches of all threads of a process (/proc/PID/task/*/status) in 60 s, after 35 s "
                + "to settle, the processes side by side."
        )
    }

    /// What the process of its own does: gets ready, says so, and stays until its input ends.
    static func stay(as kind: Kind) throws {
        switch kind {
        case .nothing: break
        case .task: try waiting {}
        case .center: try waiting(on: CenterThread.shared) { try await startCenter() }
        case .program:
            // The main thread is the main actor's.
            Thread.detachNewThread {
                readToTheEnd()
                exit(0)
            }
            Task { @MainActor in try await runProgram() }
            dispatchMain()
        }
        sayReady()
        readToTheEnd()
    }

    private static func sayReady() {
        print("ready")
        fflush(nil)
    }

    private static func readToTheEnd() {
        var byte: UInt8 = 0
        while read(0, &byte, 1) > 0 {}
    }

    @MainActor private static func runProgram() async throws {
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Idle"), backend: ClockedBackend())
        try await center.run { center in
            try await center.add(NoticeRequest(id: "tea", title: "Tea is ready", trigger: .after(.seconds(86_400))))
            sayReady()
            _ = await center.responses().first { _ in true }
        }
    }

    private static func startCenter() async throws {
        let backend = ClockedBackend()
        let center = NoticeCenter(app: AppIdentity(id: "org.example.Idle"), backend: backend)
        Task(executorPreference: CenterThread.shared) { try await center.run() }
        let year = Date().addingTimeInterval(365 * 86_400)
        try await center.add(
            (0..<1_000).map { number in
                NoticeRequest(
                    id: SampleRequests.identifier(number),
                    content: SampleRequests.content(number),
                    trigger: DateTrigger(date: year.addingTimeInterval(Double(number)))
                )
            }
        )
        try await center.add(NoticeRequest(id: "now", title: "Now", trigger: .after(.milliseconds(50))))
        await backend.delivered(1)
    }
}
