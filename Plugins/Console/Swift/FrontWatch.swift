import CBelfryConsole
import Dispatch
import FoundationEssentials
import Glibc

/// Whether the process is in front of its terminal, as far as keys go: in the background their source is suspended, and
/// in front again the terminal gives single keys and the source goes on.
///
/// Unchecked: all of it is used on the source's queue alone.
final class FrontWatch: @unchecked Sendable {
    private let queue: DispatchQueue
    private let source: any DispatchSourceRead
    private var continued: (any DispatchSourceRead)?
    private let paused: @Sendable () -> Void
    private var isSuspended = false
    private var wasSuspended = false
    private var looksAgain = false

    /// A shell brings a program that runs in the background to the front without a signal.
    private static let interval = DispatchTimeInterval.milliseconds(500)

    /// - Parameter paused: Called when the source is suspended for the first time.
    init(of source: any DispatchSourceRead, on queue: DispatchQueue, paused: @escaping @Sendable () -> Void) {
        (self.source, self.queue, self.paused) = (source, queue, paused)
    }

    /// Looks at each SIGCONT from now on.
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
        // A suspended source would never tell that it was cancelled.
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
