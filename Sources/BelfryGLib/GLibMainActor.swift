import CBelfryGLib
// Links libdispatch, which provides the main queue.
import Dispatch
import Glibc

/// Runs Swift's main actor in a program whose main thread runs GLib's main loop, as GTK programs do.
///
/// GLib's loop doesn't know libdispatch's main queue, on which the main actor runs. So in such a program a `Task` on
/// the main actor never begins, and an `await` there never returns. One call changes that:
///
/// ```swift
/// func runApplication(_ mainLoop: () -> Int32) throws -> Int32 {
///     try GLibMainActor.attach()
///     let serving = Task { try await center.run() }
///     let status = mainLoop()   // such as g_application_run
///     serving.cancel()
///     try? GLibMainActor.run(until: serving)
///     return status
/// }
/// ```
///
/// Make all calls on the process's main thread, where `MainActor.assumeIsolated` holds, also in GLib's callbacks.
public enum GLibMainActor {
    /// The source in GLib's default main context, while attached.
    @MainActor private static var sourceID: guint?
    /// Whether the source is currently running work of the main actor.
    @MainActor private static var isRunningJobs = false

    /// Makes GLib's default main context run the main actor and `DispatchQueue.main`, from the loop's next iteration
    /// on.
    ///
    /// Call it once, before the loop runs. Work that was queued earlier runs too. A second call does nothing. While the
    /// main actor has no work the loop sleeps: nothing polls. Work has the priority of events (`G_PRIORITY_DEFAULT`).
    ///
    /// A nested loop that main actor work runs (such as a modal dialog shown by a `Task`) doesn't run the main actor:
    /// only one piece of its work runs at a time.
    ///
    /// - Throws: ``GLibMainActorError/notOnMainThread(thread:)`` (permanent).
    public static func attach() throws(GLibMainActorError) {
        try requireMainThread()
        MainActor.assumeIsolated {
            guard sourceID == nil else { return }
            sourceID = g_unix_fd_add_full(
                G_PRIORITY_DEFAULT,
                _dispatch_get_main_queue_handle_4CF(),
                G_IO_IN,
                callback,
                nil,
                nil
            )
        }
    }

    /// Removes the main actor from GLib's default main context. Queued work of the main actor waits and runs after
    /// another ``attach()``.
    ///
    /// A program that ends need not call it. Without ``attach()`` it does nothing.
    ///
    /// - Throws: ``GLibMainActorError/notOnMainThread(thread:)`` (permanent).
    public static func detach() throws(GLibMainActorError) {
        try requireMainThread()
        MainActor.assumeIsolated {
            guard let id = sourceID else { return }
            sourceID = nil
            g_source_remove(id)
        }
    }

    /// Runs GLib's default main context, with the main actor, until a task has ended.
    ///
    /// Use it at the end of a program, after the loop has returned, to let a canceled task finish. It can also be the
    /// loop of a program without a window. Attaches first if ``attach()`` was not called.
    ///
    /// - Parameter task: A task of any actor.
    /// - Returns: The task's value.
    /// - Throws: The task's error. Permanent are ``GLibMainActorError/notOnMainThread(thread:)``, and in a task of the
    ///   main actor ``GLibMainActorError/calledFromMainActorWork``: `await` the task's value there.
    @available(*, noasync, message: "await the value of the task instead")
    @discardableResult
    public static func run<Value, Failure>(until task: Task<Value, Failure>) throws -> Value {
        try attach()
        guard !MainActor.assumeIsolated({ isRunningJobs }) else { throw GLibMainActorError.calledFromMainActorWork }
        let outcome = Outcome<Value, Failure>()
        Task { @MainActor in outcome.result = await task.result }
        while true {
            if let result = MainActor.assumeIsolated({ outcome.result }) { return try result.get() }
            g_main_context_iteration(nil, 1)
        }
    }

    /// Nonisolated, because it checks which thread runs it.
    nonisolated private static let callback: GUnixFDSourceFunc = { descriptor, _, _ in runJobs(descriptor) }

    /// Runs the main queue's work when GLib calls it. Returns whether the source stays.
    private static func runJobs(_ descriptor: CInt) -> gboolean {
        guard let thread = otherThread() else {
            // Clear it first: work that is queued from now on makes it readable again.
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
            MainActor.assumeIsolated {
                isRunningJobs = true
                _dispatch_main_queue_callback_4CF(nil)
                isRunningJobs = false
            }
            return 1
        }
        // libdispatch would end the process without a message.
        fatalError(
            "Thread \(thread) runs GLib's default main context, and the main actor runs on the main thread alone: "
                + "run the main loop on the main thread, or call GLibMainActor.detach() there before."
        )
    }

    private static func requireMainThread() throws(GLibMainActorError) {
        if let thread = otherThread() { throw .notOnMainThread(thread: thread) }
    }

    /// The current thread if it is not the process's main one (gettid(2)).
    private static func otherThread() -> Int32? {
        let thread = gettid()
        return thread == getpid() ? nil : thread
    }
}

/// The outcome of the task that ``GLibMainActor/run(until:)`` waits for.
@MainActor
private final class Outcome<Value: Sendable, Failure: Error> {
    var result: Result<Value, Failure>?

    nonisolated init() {}
}
