package import Belfry
import CBelfryConsole
import Dispatch
import FoundationEssentials
import Glibc

/// Reads keys and replies from a terminal without echo, on its own queue. Belongs to one run of a backend.
///
/// While a question is open, and in the background of its terminal, it pauses. Afterwards it switches the terminal to
/// single keys again.
///
/// Unchecked: its variables are used on its queue only.
package final class TerminalReader: @unchecked Sendable {
    private let terminal: Int32
    private let queue = DispatchQueue(label: "org.belfry.console.keys")
    private let source: any DispatchSourceRead
    private let consequence: String
    private let take: @Sendable (TerminalInputParser.Input) -> Void
    private let report: @Sendable (NoticeError, _ isOver: Bool) -> Void
    private var parser = TerminalInputParser()
    private let ended = DispatchGroup()
    /// Whether this is the reader of keys; false before the beginning, after the end, and if it can't begin.
    private var isRegistered = false
    /// Whether the terminal was switched to single keys. In the background they can be without effect.
    private var hasKeys = false
    /// Whether the source is suspended.
    private var isPaused = false
    /// Fires after each SIGCONT.
    private var continued: (any DispatchSourceRead)?
    private var hasReportedPause = false
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
        queue.sync {
            source.activate()
            guard isatty(terminal) == 1 else { return giveUp("the terminal is gone") }
            isRegistered = TerminalTurn.register(self)
            guard isRegistered else { return giveUp("another backend reads the terminal", EBUSY) }
            watchFront()
            let status = takeTurn()
            guard status != 0 else { return }
            leave()
            giveUp("this program is in the background", -status)
        }
    }

    /// Returns when the terminal is restored and no longer read.
    package func end() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.leave()
                self.source.cancel()
                // A suspended source would never call its cancel handler.
                if self.isPaused { self.source.resume() }
            }
            ended.notify(queue: queue) { continuation.resume() }
        }
    }

    /// Waits for a handler that is running, which could read the reply to a question that has been opened.
    func turnHasChanged() { queue.sync { look() } }

    private func leave() {
        if hasKeys { belfry_console_keys_end() }
        hasKeys = false
        // Only now: the next reader begins with single keys of its own.
        if isRegistered { TerminalTurn.removeReader() }
        isRegistered = false
        continued?.cancel()
        continued = nil
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

    // MARK: whose turn it is

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

    /// Reads keys if it is this program's turn, else pauses. Returns 0, also while a question is open, or a negated
    /// errno.
    private func takeTurn() -> Int32 {
        let isAsked = TerminalTurn.hasQuestion
        var status: Int32 = 0
        if !isAsked {
            status = hasKeys ? belfry_console_keys_resume() : belfry_console_keys_begin(terminal)
            if status == 0 { hasKeys = true }
        } else if hasKeys {
            belfry_console_keys_end()
            hasKeys = false
        }
        // Any other error is found by reading: the terminal is gone.
        let pauses = isAsked || status == -EPERM
        if pauses, !isPaused { source.suspend() }
        if !pauses, isPaused { source.resume() }
        isPaused = pauses
        return status
    }

    private func look() {
        guard isRegistered else { return }
        let status = takeTurn()
        guard status != 0, isPaused else { return }
        if !hasReportedPause {
            hasReportedPause = true
            report(error("this program is in the background; bring it to the front ('fg')"), false)
        }
        guard !looksAgain else { return }
        looksAgain = true
        queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
            self?.looksAgain = false
            self?.look()
        }
    }
}
