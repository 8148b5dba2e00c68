import BelfryGLib
import CBelfryGLib
import Foundation

/// What `attach()` and `detach()` do, and refuse.
@MainActor
struct Attaching {
    func withoutAndWith() throws {
        var ran = false
        func say(_ when: String) {
            MainLoop.turn(1_000)
            print("\(when): \(ran ? "ran" : "did not run")")
        }
        Task { ran = true }
        say("without")
        try GLibMainActor.attach()
        try GLibMainActor.attach()
        say("attached")
        try GLibMainActor.detach()
        ran = false
        Task { ran = true }
        say("detached")
        try GLibMainActor.attach()
        say("attached again")
        try GLibMainActor.detach()
        try GLibMainActor.detach()
    }

    func misuse() throws {
        nonisolated(unsafe) var refusals: [String] = []
        let thread = Thread {
            do { try GLibMainActor.attach() } catch { refusals.append(Self.name(error)) }
            do { try GLibMainActor.detach() } catch { refusals.append(Self.name(error)) }
            do { try GLibMainActor.run(until: Task {}) } catch { refusals.append(Self.name(error)) }
        }
        thread.start()
        while !thread.isFinished { usleep(1_000) }
        print("on another thread: \(refusals)")
        let inside = Task { waitInside() }
        try GLibMainActor.run(until: inside)
        struct Failed: Error {}
        do { try GLibMainActor.run(until: Task { throw Failed() }) } catch { print("of a task that fails: \(error)") }
        print("of a task that returns: \(try GLibMainActor.run(until: Task.detached { 42 }))")
    }

    /// The compiler refuses `run(until:)` in the task itself.
    private func waitInside() {
        do { try GLibMainActor.run(until: Task {}) } catch { print("in a task: \(Self.name(error))") }
    }

    func strange() throws {
        try GLibMainActor.attach()
        Task { print("never") }
        Thread { g_main_context_iteration(nil, 1) }.start()
        pause()
    }

    func leaks() throws {
        func attachAndDetach(_ count: Int) throws {
            for _ in 0..<count {
                try GLibMainActor.attach()
                try GLibMainActor.run(until: Task {})
                try GLibMainActor.detach()
            }
        }
        // What is made once is made here, by the measuring too.
        try attachAndDetach(1_000)
        _ = (try Self.residentKilobytes(), try Self.descriptorCount())
        let (memory, descriptors) = (try Self.residentKilobytes(), try Self.descriptorCount())
        try attachAndDetach(50_000)
        print("kilobytes: \(try Self.residentKilobytes() - memory)")
        print("descriptors: \(try Self.descriptorCount() - descriptors)")
    }

    private static func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// The second number of /proc/self/statm counts pages (proc(5)).
    private static func residentKilobytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (Int(fields[1]) ?? 0) * sysconf(CInt(_SC_PAGESIZE)) / 1_024
    }

    /// Without the number of the thread.
    nonisolated private static func name(_ error: any Error) -> String {
        guard case GLibMainActorError.notOnMainThread(let thread) = error else { return "\(error)" }
        return thread > 0 && thread != getpid() ? "notOnMainThread" : "notOnMainThread(\(thread))"
    }
}
