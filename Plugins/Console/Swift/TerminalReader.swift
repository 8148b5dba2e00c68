import CBelfryConsole
import Dispatch
import FoundationEssentials
import Glibc

/// Reads single bytes from a terminal without echo, on its own queue. Belongs to one run of a backend.
///
/// In the background of its terminal it pauses. Back in the foreground, it switches the terminal to single keys again.
///
/// Unchecked: its variables are used on its queue only, except `held`, which the run uses.
package final class TerminalReader: @unchecked Sendable {
    /// The reasons why it can't read.
    package enum Hindrance: Sendable {
        /// Another reader of this process uses the terminal.
        case isTaken
        /// The program was in the background at the start, or the terminal refused; with the error number.
        case isRefused(Int32)
        /// The program is in the background; reading resumes in the foreground.
        case isPaused
        case isGone
    }

    let terminal: Int32
    let queue = DispatchQueue(label: "org.belfry.console.keys")
    let source: any DispatchSourceRead
    private let take: @Sendable ([UInt8]) -> Void
    private let report: @Sendable (Hindrance) -> Void
    private let ended = DispatchGroup()
    private var held: TerminalTurn.Terminal?
    /// Fires after each SIGCONT.
    private var continued: (any DispatchSourceRead)?
    private var isPaused = false
    private var wasPaused = false
    private var looksAgain = false

    /// The polling interval: a shell brings a running background program to the foreground without a signal.
    private static let interval = DispatchTimeInterval.milliseconds(500)

    package static func isInFront(_ terminal: Int32) -> Bool { belfry_console_is_in_front(terminal) == 1 }

    /// - Parameters:
    ///   - terminal: The descriptor, which the caller owns and keeps open until the end.
    ///   - take: Receives the bytes, in order, on the reader's queue.
    ///   - report: Called once each when reading pauses in the background, and when the terminal is gone.
    package init(
        _ terminal: Int32,
        _ take: @escaping @Sendable ([UInt8]) -> Void,
        report: @escaping @Sendable (Hindrance) -> Void
    ) {
        (self.terminal, self.take, self.report) = (terminal, take, report)
        source = DispatchSource.makeReadSource(fileDescriptor: terminal, queue: queue)
        ended.enter()
        source.setEventHandler { [weak self] in self?.read() }
        // Once the source is canceled, Libdispatch releases the handlers, and so the source itself.
        source.setCancelHandler { [ended] in ended.leave() }
    }

    /// Starts reading. Returns what prevents it; the backend continues without reading then.
    package func begin() -> Hindrance? {
        guard let device = TerminalTurn.Terminal(terminal) else {
            source.activate()
            source.cancel()
            return .isGone
        }
        queue.async { self.watchFront() }
        let status = TerminalTurn.beginKeys(self, on: device)
        guard status != 0 else {
            held = device
            return nil
        }
        source.cancel()
        return status == -EBUSY ? .isTaken : .isRefused(-status)
    }

    /// Returns when the terminal is restored and no longer read.
    package func end() async {
        if let held { TerminalTurn.endKeys(on: held) }
        source.cancel()
        queue.async { self.endWatching() }
        await withCheckedContinuation { continuation in
            ended.notify(queue: queue) { continuation.resume() }
        }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = belfry_console_keys_read(terminal, &buffer, buffer.count)
        guard count != -EAGAIN else { return }
        if count == -EPERM { return look() }
        // The terminal is gone: without this, the source would fire continuously.
        guard count > 0 else {
            source.cancel()
            return report(.isGone)
        }
        take(Array(buffer.prefix(Int(count))))
    }

    // MARK: the foreground

    private func watchFront() {
        let descriptor = belfry_console_keys_continued()
        guard descriptor >= 0 else { return }
        let continued = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        continued.setEventHandler { [weak self] in
            var count: UInt64 = 0
            _ = Glibc.read(descriptor, &count, MemoryLayout<UInt64>.size)
            self?.look()
        }
        self.continued = continued
        continued.activate()
    }

    private func endWatching() {
        continued?.cancel()
        continued = nil
        // A suspended source would never call its cancel handler.
        if isPaused { source.resume() }
        isPaused = false
    }

    private func look() {
        guard continued != nil else { return }
        let isBehind = belfry_console_keys_resume() == -EPERM
        if isBehind, !isPaused { source.suspend() }
        if !isBehind, isPaused { source.resume() }
        isPaused = isBehind
        if isBehind, !wasPaused {
            wasPaused = true
            report(.isPaused)
        }
        guard isBehind, !looksAgain else { return }
        looksAgain = true
        queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
            self?.looksAgain = false
            self?.look()
        }
    }
}
