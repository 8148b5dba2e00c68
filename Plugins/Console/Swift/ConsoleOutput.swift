import Belfry
import CBelfryConsole
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// The output of a console backend.
public struct ConsoleOutput: Sendable {
    enum Target: Sendable {
        case descriptor(Int32)
        case writer(@Sendable (String) throws -> Void)
    }

    let target: Target

    /// Standard output.
    public static let standard = ConsoleOutput.descriptor(STDOUT_FILENO)

    /// Writes to an open file, pipe, socket or terminal, which the caller keeps owning.
    public static func descriptor(_ number: Int32) -> ConsoleOutput { ConsoleOutput(target: .descriptor(number)) }

    /// Writes through a closure. It receives whole lines, one call at a time, on its own queue. Errors that it throws
    /// become a ``Belfry/NoticeError``, unless they already are one.
    public static func writer(_ write: @escaping @Sendable (String) throws -> Void) -> ConsoleOutput {
        ConsoleOutput(target: .writer(write))
    }

    var isTerminal: Bool {
        if case .descriptor(let number) = target { isatty(number) == 1 } else { false }
    }
}

/// Writes whole texts one after another on its own queue, so that waiting for a reader blocks nothing else.
final class ConsoleWriter: Sendable {
    private let output: ConsoleOutput
    private let limit: Duration
    private let queue = DispatchQueue(label: "org.belfry.console")
    /// The rest of a text that was written in part before its reader paused; used on the queue only.
    private let unfinished = Mutex<[UInt8]>([])

    init(_ output: ConsoleOutput, limit: Duration) {
        self.output = output
        self.limit = limit
    }

    /// Writes a text and returns when all of it is written.
    ///
    /// Throws ``NoticeError/Code/serverBusy`` (transient) if the reader doesn't read in time, and
    /// ``NoticeError/Code/systemFailure`` if there is no reader any more.
    func write(_ text: String) async throws(NoticeError) {
        let deadline = ContinuousClock.now + limit
        let failure = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.perform(text, until: deadline)) }
        }
        if let failure { throw failure }
    }

    /// Writes a text when there is room, and reports no errors.
    func writeLater(_ text: String) {
        let deadline = ContinuousClock.now + limit
        queue.async { _ = self.perform(text, until: deadline) }
    }

    private func perform(_ text: String, until deadline: ContinuousClock.Instant) -> NoticeError? {
        switch output.target {
        case .writer(let write):
            do {
                try write(text)
                return nil
            } catch let error as NoticeError {
                return error
            } catch {
                return NoticeError(.systemFailure, "The writer of the console backend failed.", cause: "\(error)")
            }
        case .descriptor(let descriptor):
            return unfinished.withLock { write(text, to: descriptor, after: &$0, until: deadline) }
        }
    }

    private func write(
        _ text: String,
        to descriptor: Int32,
        after rest: inout [UInt8],
        until deadline: ContinuousClock.Instant
    ) -> NoticeError? {
        let bytes = rest + Array(text.utf8)
        let milliseconds = max(0, min((deadline - .now).seconds * 1000, 1e9))
        var written = 0
        let status = belfry_console_write(descriptor, bytes, bytes.count, Int32(milliseconds.rounded(.up)), &written)
        switch -status {
        case 0:
            rest = []
            return nil
        case ETIMEDOUT:
            // Next time, the rest of a line is finished first, so that no program reads half of one. The caller repeats
            // others.
            let end = written > rest.count ? bytes.count : rest.count
            rest = Array(bytes[written..<end])
            return NoticeError(
                .serverBusy,
                "Nobody has read what the console backend writes for \(limit.seconds) s; read faster."
            )
        case EPIPE:
            rest = []
            return NoticeError(
                .systemFailure,
                "Nobody reads what the console backend writes any more: the pipe is closed."
            )
        case let number where [ENOSPC, EDQUOT].contains(number):
            rest = []
            return NoticeError(
                .failedForNow,
                "There is no room for what the console backend writes.",
                cause: Self.text(number)
            )
        case let number:
            rest = []
            return NoticeError(.systemFailure, "The console backend can't write.", cause: Self.text(number))
        }
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
