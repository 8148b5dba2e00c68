/// The errors of ``GLibMainActor``. All are permanent: the program has to change.
///
/// ```swift
/// do throws(GLibMainActorError) {
///     try GLibMainActor.attach()
/// } catch {
///     print(error)   // in a program with an asynchronous main: call it before the first 'await'
/// }
/// ```
public enum GLibMainActorError: Error, Hashable, CustomStringConvertible {
    /// The call was made on a thread that is not the process's main one.
    ///
    /// This occurs after the first `await` of an asynchronous `main` (such as `main.swift` with an `await`).
    case notOnMainThread(thread: Int32)
    /// Main actor work called ``GLibMainActor/run(until:)``, which would wait for itself.
    case calledFromMainActorWork

    /// The error and what to do about it.
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
