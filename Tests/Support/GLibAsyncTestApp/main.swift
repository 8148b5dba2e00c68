import BelfryGLib
import CBelfryGLib
import Glibc

// A program whose main is asynchronous, as the tests of BelfryGLib need one: the main loop runs before the first await,
// and after it the main thread is no longer the main actor's. It prints what happened.

alarm(40)

@MainActor
func runMainLoop() throws {
    try GLibMainActor.run(
        until: Task { print("before the first await: ran on the main thread: \(gettid() == getpid())") }
    )
}

try runMainLoop()
// The main actor is busy with this: its own task can't have ended before the wait begins.
await Task {}.value
do { try GLibMainActor.attach() } catch GLibMainActorError.notOnMainThread { print("after it: notOnMainThread") }
