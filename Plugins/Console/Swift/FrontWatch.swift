import CBelfryConsole
import Dispatch
import FoundationEssentials
import Glibc

/// Watches whether the process is in the foreground of its terminal. It suspends the key source in the background. Back
/// in the foreground, it switches the terminal to single keys again and resumes the source.
///
/// Unchecked: everything is used on the source's queue only.
final class FrontWatch: @unchecked Sendable {
    private let queue: DispatchQueue
    private let source: any DispatchSourceRead
    private var continued: (any DispatchSourceRead)?
    private let paused: @Sendable () -> Void
    private var isSuspended = false
    private var wasSuspended = false
    private var looksAgain = false

    /// The polling interval: a shell brings a running background program to the foreground without a signal.
    private static let interval = DispatchTimeInterval.milliseconds(500)

    /// - Parameter paused: Called when the source is suspended for the first time.
    init(of source: any DispatchSourceRead, on queue: DispatchQueue, paused: @escaping @Sendable () -> Void) {
        (self.source, self.queue, self.paused) = (source, queue, paused)
    }

    /// Starts checking after each SIGCONT.
    func begin() {
        let descriptor = belfry_console_keys_continued()
        guard descriptor >= 0 else { return }
        let continued = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        continued.setEventHandler { [weak self] in
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
            self?.look()
        }
        self.continued = continued
        continued.activate()
    }

    func end() {
        continued?.cancel()
        continued = nil
        // A suspended source would never call its cancel handler.
        if isSuspended { source.resume() }
        isSuspended = false
    }

    func look() {
        guard continued != nil else { return }
        let isBehind = belfry_console_keys_resume() == -EPERM
        if isBehind, !isSuspended { source.suspend() }
        if !isBehind, isSuspended { source.resume() }
        isSuspended = isBehind
        if isBehind, !wasSuspended {
            wasSuspended = true
            paused()
        }
        guard isBehind, !looksAgain else { return }
        looksAgain = true
        queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
            self?.looksAgain = false
            self?.look()
        }
    }
}
