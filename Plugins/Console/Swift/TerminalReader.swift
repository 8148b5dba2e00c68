import CBelfryConsole
import Dispatch
import FoundationEssentials
import Glibc

/// Reads single bytes from a terminal without echo, on its own queue. Belongs to one run of a backend.
package final class TerminalReader {
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

    private let terminal: Int32
    private let queue = DispatchQueue(label: "org.belfry.console.keys")
    private let source: any DispatchSourceRead
    private let front: FrontWatch
    private let ended = DispatchGroup()
    private var held: TerminalTurn.Terminal?

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
        self.terminal = terminal
        source = DispatchSource.makeReadSource(fileDescriptor: terminal, queue: queue)
        front = FrontWatch(of: source, on: queue) { report(.isPaused) }
        source.setEventHandler { [source, front] in
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = belfry_console_keys_read(terminal, &buffer, buffer.count)
            guard count != -EAGAIN else { return }
            if count == -EIO, !Self.isInFront(terminal) { return front.look() }
            // The terminal is gone: without this, the source would fire continuously.
            guard count > 0 else {
                source.cancel()
                return report(.isGone)
            }
            take(Array(buffer.prefix(Int(count))))
        }
        ended.enter()
        // Once the source is cancelled, Libdispatch releases the handlers, and so the source itself.
        source.setCancelHandler { [ended] in ended.leave() }
    }

    /// Starts reading. Returns what prevents it; the backend continues without reading then.
    package func begin() -> Hindrance? {
        guard let device = TerminalTurn.Terminal(terminal) else {
            source.activate()
            source.cancel()
            return .isGone
        }
        queue.async { [front] in front.begin() }
        let status = TerminalTurn.beginKeys(
            TerminalTurn.Keys(descriptor: terminal, source: source, queue: queue),
            on: device
        )
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
        queue.async { [front] in front.end() }
        await withCheckedContinuation { continuation in
            ended.notify(queue: queue) { continuation.resume() }
        }
    }
}
