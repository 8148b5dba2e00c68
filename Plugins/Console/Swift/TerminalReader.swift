package import Belfry
import CBelfryConsole
import Dispatch
import FoundationEssentials
import Glibc

/// Reads keys and replies from a terminal without echo, on its own queue. Belongs to one run of a backend.
///
/// In the background of its terminal it pauses. Back in the foreground, it switches the terminal to single keys again.
///
/// Unchecked: its variables are used on its queue only, except `held`, which the run uses.
package final class TerminalReader: @unchecked Sendable {
    let terminal: Int32
    let queue = DispatchQueue(label: "org.belfry.console.keys")
    let source: any DispatchSourceRead
    private let consequence: String
    private let take: @Sendable (TerminalInputParser.Input) -> Void
    private let report: @Sendable (NoticeError, _ isOver: Bool) -> Void
    private var parser = TerminalInputParser()
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
    ///   - consequence: What is impossible if it can't read: the beginning of error messages.
    ///   - take: Receives the inputs, in order, on the reader's queue.
    ///   - report: Receives the reason why it can't read, and whether it has given up. If not, reading resumes in the
    ///     foreground; this is reported once.
    package init(
        _ terminal: Int32,
        consequence: String,
        _ take: @escaping @Sendable (TerminalInputParser.Input) -> Void,
        report: @escaping @Sendable (NoticeError, _ isOver: Bool) -> Void
    ) {
        (self.terminal, self.consequence, self.take, self.report) = (terminal, consequence, take, report)
        source = DispatchSource.makeReadSource(fileDescriptor: terminal, queue: queue)
        ended.enter()
        source.setEventHandler { [weak self] in self?.read() }
        // Once the source is canceled, Libdispatch releases the handlers, and so the source itself.
        source.setCancelHandler { [ended] in ended.leave() }
    }

    /// Starts reading. If that is impossible, this is reported, and the backend continues without reading.
    package func begin() {
        guard let device = TerminalTurn.Terminal(terminal) else {
            source.activate()
            return giveUp("the terminal is gone")
        }
        queue.async { self.watchFront() }
        let status = TerminalTurn.beginKeys(self, on: device)
        guard status != 0 else {
            held = device
            return
        }
        let isTaken = status == -EBUSY
        giveUp(isTaken ? "another backend reads the terminal" : "this program is in the background", -status)
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
        guard count > 0 else { return giveUp("the terminal is gone") }
        for byte in buffer.prefix(Int(count)) {
            if let input = parser.input(after: byte) { take(input) }
        }
    }

    private func giveUp(_ reason: String, _ number: Int32? = nil) {
        source.cancel()
        report(error(reason, cause: number.map { String(cString: strerror($0)) }), true)
    }

    private func error(_ reason: String, cause: String? = nil) -> NoticeError {
        NoticeError(.unsupported, "\(consequence): \(reason).", cause: cause)
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
            report(error("this program is in the background; bring it to the front ('fg')"), false)
        }
        guard isBehind, !looksAgain else { return }
        looksAgain = true
        queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
            self?.looksAgain = false
            self?.look()
        }
    }
}
