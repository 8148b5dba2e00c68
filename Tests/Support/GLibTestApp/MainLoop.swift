import CBelfryGLib

/// GLib's main loop in its default main context, as a program without a window has it.
@MainActor
final class MainLoop {
    private let loop: OpaquePointer

    /// How often GLib's poll has returned, in the whole process.
    private(set) static var turns = 0

    init() {
        loop = g_main_loop_new(nil, 0)
        g_main_context_set_poll_func(nil) { descriptors, count, timeout in
            MainActor.assumeIsolated { MainLoop.turns += 1 }
            return g_poll(descriptors, count, timeout)
        }
    }

    /// The main actor's: nobody else has the loop.
    isolated deinit { g_main_loop_unref(loop) }

    func run() { g_main_loop_run(loop) }
    func quit() { g_main_loop_quit(loop) }

    /// Runs the loop for some milliseconds.
    func run(for milliseconds: guint) {
        after(milliseconds: milliseconds) { self.quit() }
        run()
    }

    /// Whether something is ready to run, without running it.
    static var hasWork: Bool { g_main_context_pending(nil) != 0 }

    /// Runs what is ready, at most so many turns of the loop.
    static func turn(_ count: Int) {
        for _ in 0..<count { g_main_context_iteration(nil, 0) }
    }

    /// Has GLib call `body`, as it calls the handler of a click: through a C function that knows nothing of actors.
    func after(milliseconds: guint = 0, _ body: @escaping @MainActor () -> Void) {
        let handler = Unmanaged.passRetained(Handler(body)).toOpaque()
        g_timeout_add_full(
            G_PRIORITY_DEFAULT,
            milliseconds,
            { handler in
                let handler = Unmanaged<Handler>.fromOpaque(handler!).takeUnretainedValue()
                MainActor.assumeIsolated { handler.body() }
                return 0
            },
            handler,
            { handler in Unmanaged<Handler>.fromOpaque(handler!).release() }
        )
    }
}

private final class Handler: Sendable {
    let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
}
