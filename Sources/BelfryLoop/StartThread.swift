import CLinux
import Glibc

/// Starts a detached thread that runs `body`. Traps if the system has no room for a thread: what starts one this way
/// can report no error, and without it nothing would ever fire.
///
/// - Parameter name: For debuggers and `ps`; 15 bytes at most (proc(5)).
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    let status = tryStartThread(named: name, body)
    guard status == 0 else {
        fatalError(
            "The thread '\(name)' could not be started (error \(status)): the machine has reached its limit of threads."
        )
    }
}

/// Starts a detached thread that runs `body`. Returns 0, or the `errno` value of the failure.
///
/// Foundation's `Thread` would add all of Foundation, and ICU, to every app.
package func tryStartThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var thread = pthread_t()
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context { Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
    let status = pthread_create(&thread, nil, run, start.toOpaque())
    if status == 0 { pthread_detach(thread) } else { start.release() }
    return status
}

private final class ThreadStart: Sendable {
    private let name: String
    private let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        // A thread that keeps the program's name works as well.
        _ = belfry_name_thread(name)
        body()
    }
}
