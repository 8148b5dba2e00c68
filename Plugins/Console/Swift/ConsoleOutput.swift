import Belfry
import Dispatch
import FoundationEssentials
import Glibc

/// The output of a console backend.
///
/// ```swift
/// let output = ConsoleOutput.writer { lines in print(lines, terminator: "") }
/// let center = NoticeCenter(app: app, backend: ConsoleBackend(format: .json, output: output))
/// ```
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

    /// Writes through a closure. It receives whole lines, one call at a time, on its own queue. A
    /// ``Belfry/NoticeError`` that it throws is the error of the delivery, transient or permanent. Others become
    /// ``Belfry/NoticeError/Code/systemFailure`` (permanent).
    public static func writer(_ write: @escaping @Sendable (String) throws -> Void) -> ConsoleOutput {
        ConsoleOutput(target: .writer(write))
    }

    var isTerminal: Bool {
        if case .descriptor(let number) = target { isatty(number) == 1 } else { false }
    }
}

/// Writes whole texts one after another on its own queue, so that waiting for a reader blocks nothing else.
final class ConsoleWriter: Sendable {
    private let limit: Duration
    private let queue = DispatchQueue(label: "org.belfry.console")
    private let write: @Sendable (String, _ deadline: ContinuousClock.Instant) -> NoticeError?

    init(_ output: ConsoleOutput, limit: Duration) {
        self.limit = limit
        switch output.target {
        case .writer(let writer): write = { text, _ in Self.write(text, by: writer) }
        case .descriptor(let number):
            let writer = DescriptorWriter(number)
            write = { text, deadline in Self.error(writer.write(Array(text.utf8), until: deadline), limit) }
        }
    }

    /// Writes a text and returns when all of it is written.
    ///
    /// Throws ``NoticeError/Code/serverBusy`` (transient) if the reader doesn't read in time, and
    /// ``NoticeError/Code/systemFailure`` if there is no reader any more.
    func write(_ text: String) async throws(NoticeError) {
        let deadline = ContinuousClock.now + limit
        if let failure = await queue.perform({ self.write(text, deadline) }) { throw failure }
    }

    /// Writes a text when there is room, and reports no errors.
    func writeLater(_ text: String) {
        let deadline = ContinuousClock.now + limit
        queue.async { _ = self.write(text, deadline) }
    }

    private static func write(_ text: String, by writer: (String) throws -> Void) -> NoticeError? {
        do {
            try writer(text)
            return nil
        } catch let error as NoticeError {
            return error
        } catch {
            return NoticeError(.systemFailure, "The writer of the console backend failed.", cause: "\(error)")
        }
    }

    /// Returns the notice error of an error number of ``DescriptorWriter``; nil for 0.
    private static func error(_ number: Int32, _ limit: Duration) -> NoticeError? {
        let cause = String(cString: strerror(number))
        return switch number {
        case 0: nil
        case ETIMEDOUT:
            NoticeError(
                .serverBusy,
                "Nobody has read what the console backend writes for \(limit.seconds) s; read faster."
            )
        case EPIPE:
            NoticeError(.systemFailure, "Nobody reads what the console backend writes any more: the pipe is closed.")
        case ENOSPC, EDQUOT:
            NoticeError(.failedForNow, "There is no room for what the console backend writes.", cause: cause)
        default: NoticeError(.systemFailure, "The console backend can't write.", cause: cause)
        }
    }
}
