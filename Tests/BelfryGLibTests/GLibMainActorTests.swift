import BelfryTestSupport
import Foundation
import Testing

/// Each test runs a program of its own, since only a program's main thread can run GLib's main loop and the main actor.
@Suite("Swift's main actor on GLib's main loop", .takesTurns, .timeLimit(.minutes(5)))
struct GLibMainActorTests {
    @Test("What a click handler adds is delivered, the response comes to the main actor, and the loop ends")
    func delivery() async throws {
        #expect(
            try await lines(of: "add") == [
                #"delivered: ["tea"], on the main thread: true"#,
                "response: tea, on the main thread: true",
                "the loop has ended",
                "the center has ended",
            ]
        )
    }

    @Test("A Task on the main actor does not run without attach(); what has waited runs with it")
    func attaching() async throws {
        #expect(
            try await lines(of: "without") == [
                "without: did not run", "attached: ran", "detached: did not run", "attached again: ran",
            ]
        )
    }

    @Test("The loop turns for work of the main actor, and sleeps without any")
    func idle() async throws {
        let facts = try await facts(of: "idle")
        #expect(facts["calls"] == "1000")
        #expect(try number("turns of calls", facts) <= 3_000)
        #expect(facts["work left"] == "false")
        // One for the timeout that ends it. A loop that never sleeps turns some 100,000 times in this half second.
        #expect(try number("turns", facts) <= 5)
        #expect(try number("milliseconds of processor time", facts) <= 50)
    }

    @Test("A Task that never waits leaves GLib's own sources their turn")
    func busy() async throws {
        #expect(try await lines(of: "busy") == ["a timeout of GLib came beside a task that never waits"])
    }

    @Test("A loop that a Task runs does not run the main actor's other work, and sleeps")
    func nested() async throws {
        let facts = try await facts(of: "nested")
        #expect(facts["order"] == "outer begins, outer ends, other")
        #expect(try number("turns", facts) <= 5)
    }

    @Test("Calls that can't be obeyed throw, and a task's outcome comes through run(until:)")
    func misuse() async throws {
        #expect(
            try await lines(of: "misuse") == [
                #"on another thread: ["notOnMainThread", "notOnMainThread", "notOnMainThread"]"#,
                "in a task: GLibMainActor.run(until:) was called by work of the main actor, which would wait for "
                    + "itself: await the value of the task instead.",
                "of a task that fails: Failed()",
                "of a task that returns: 42",
            ]
        )
    }

    @Test("Another thread that runs the main context ends the program with the reason")
    func stranger() async throws {
        let command = "ulimit -c 0; SWIFT_BACKTRACE=enable=no exec \(BuildFolder.path)/GLibTestApp stranger 2>&1"
        let printed = try await output(of: "/bin/sh", ["-c", command])
        #expect(printed.contains("runs GLib's default main context, and the main actor runs on the main thread alone"))
        #expect(!printed.contains("never"))
    }

    @Test("Nothing is left of 50,000 times attach() and detach()")
    func leaks() async throws {
        let facts = try await facts(of: "leaks")
        // A source that stays takes more than 100 bytes: 5,000 KB.
        #expect(try number("kilobytes", facts) <= 1_000)
        #expect(facts["descriptors"] == "0")
    }

    @Test("With an asynchronous main the loop runs before the first await, and attach() throws after it")
    func asynchronousMain() async throws {
        let printed = try await output(of: BuildFolder.path + "/GLibAsyncTestApp")
        #expect(printed == "before the first await: ran on the main thread: true\nafter it: notOnMainThread\n")
    }

    private func lines(of scene: String) async throws -> [String] {
        try await output(of: BuildFolder.path + "/GLibTestApp", [scene]).split(separator: "\n").map(String.init)
    }

    /// The lines "name: value".
    private func facts(of scene: String) async throws -> [String: String] {
        var facts: [String: String] = [:]
        for line in try await lines(of: scene) {
            guard let colon = line.firstRange(of: ": ") else { continue }
            facts[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
        }
        return facts
    }

    private func number(_ name: String, _ facts: [String: String]) throws -> Int {
        try #require(facts[name].flatMap { Int($0) }, "no number '\(name)' in \(facts)")
    }
}
