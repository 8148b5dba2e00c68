import CBelfryConsole
import Dispatch
import FoundationEssentials
import Glibc

/// Reads what comes from a terminal, byte by byte and unseen, on a queue of its own. Belongs to one run of a backend.
package final class TerminalReader {
    /// What keeps it from reading.
    package enum Hindrance: Sendable {
        /// Another reader of this process has the terminal.
        case isTaken
        /// The program is in the background at the start, or the terminal refuses; with the number of the error.
        case isRefused(Int32)
        /// The program is in the background now; it reads again when it is in front.
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
    ///   - terminal: The descriptor, which stays the caller's and open until the end.
    ///   - take: Given the bytes, in order, on the reader's queue.
    ///   - report: Told, once each, that reading waits until the program is in front again, and that there is nothing to
    ///     read any more.
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
            // The terminal is gone: this would be asked again at once, for ever.
            guard count > 0 else {
                source.cancel()
                return report(.isGone)
            }
            take(Array(buffer.prefix(Int(count))))
        }
        ended.enter()
        // Libdispatch lets go of the handlers, and so of the source itself, once it is cancelled.
        source.setCancelHandler { [ended] in ended.leave() }
    }

    /// Takes the terminal; what hinders is no failure of the backend, which goes on without reading.
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

    /// Returns when the terminal is as it was and nobody reads it any more.
    package func end() async {
        if let held { TerminalTurn.endKeys(on: held) }
        source.cancel()
        queue.async { [front] in front.end() }
        await withCheckedContinuation { continuation in
            ended.notify(queue: queue) { continuation.resume() }
        }
    }
}
