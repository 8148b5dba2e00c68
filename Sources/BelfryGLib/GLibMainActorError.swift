/// Why ``GLibMainActor`` can't do what it was asked for. Permanent: the program has to change.
public enum GLibMainActorError: Error, Hashable, CustomStringConvertible {
    /// The call was made on a thread that is not the process's main one.
    ///
    /// In a program with an asynchronous `main` (an `await` in `main.swift` is one) that is so after the first `await`.
    case notOnMainThread(thread: Int32)
    /// ``GLibMainActor/run(until:)`` was called by work of the main actor, which would wait for itself.
    case calledFromMainActorWork

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .notOnMainThread(let thread):
            "GLibMainActor was called on thread \(thread), and only the process's main thread can run the main actor: "
                + "call it there, and in a program with an asynchronous main before the first 'await'."
        case .calledFromMainActorWork:
            "GLibMainActor.run(until:) was called by work of the main actor, which would wait for itself: "
                + "await the value of the task instead."
        }
    }
}
