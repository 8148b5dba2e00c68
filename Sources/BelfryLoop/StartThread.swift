import CLinux
import Glibc

/// Starts a detached thread that runs `body`.
///
/// Foundation's `Thread` would add all of Foundation, and ICU, to every app.
///
/// - Parameter name: For debuggers and `ps`; 15 bytes at most (proc(5)).
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    let start = ThreadStart(name: name, body: body)
    var thread = pthread_t()
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context { Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
    let status = pthread_create(&thread, nil, run, Unmanaged.passRetained(start).toOpaque())
    // Without the thread nothing would ever fire, and no error would be reported.
    guard status == 0 else {
        fatalError(
            "The thread '\(name)' could not be started (error \(status)): the machine has reached its limit of threads."
        )
    }
    pthread_detach(thread)
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
