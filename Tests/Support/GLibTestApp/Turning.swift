import BelfryGLib
import CBelfryGLib

/// How the loop turns.
@MainActor
struct Turning {
    private let loop = MainLoop()

    /// An actor of the center's kind: a call goes there and comes back to the main actor.
    private actor Elsewhere {
        private(set) var callCount = 0

        func call() { callCount += 1 }
    }

    func idle() throws {
        try GLibMainActor.attach()
        let elsewhere = Elsewhere()
        let calls = Task {
            for _ in 0..<1_000 { await elsewhere.call() }
            loop.quit()
            return await elsewhere.callCount
        }
        loop.run()
        let turnsOfCalls = MainLoop.turns
        print("calls: \(try GLibMainActor.run(until: calls))")
        print("turns of calls: \(turnsOfCalls)")
        print("work left: \(MainLoop.hasWork)")
        let before = (turns: MainLoop.turns, time: clock())
        loop.run(for: 500)
        print("turns: \(MainLoop.turns - before.turns)")
        print("milliseconds of processor time: \((clock() - before.time) * 1_000 / CLOCKS_PER_SEC)")
    }

    func busy() throws {
        try GLibMainActor.attach()
        let endless = Task { while !Task.isCancelled { await Task.yield() } }
        loop.run(for: 1)
        print("a timeout of GLib came beside a task that never waits")
        endless.cancel()
        try GLibMainActor.run(until: endless)
    }

    func nested() throws {
        try GLibMainActor.attach()
        var order: [String] = []
        var turns = 0
        let outer = Task {
            order.append("outer begins")
            Task { order.append("other") }
            let before = MainLoop.turns
            loop.run(for: 50)
            turns = MainLoop.turns - before
            order.append("outer ends")
        }
        try GLibMainActor.run(until: outer)
        try GLibMainActor.run(until: Task {})
        print("order: \(order.joined(separator: ", "))")
        print("turns: \(turns)")
    }
}
