import Belfry
import BelfryRecurrence

/// The exit statuses that scripts rely on.
enum CommandStatus: Int32, Sendable {
    case done = 0
    /// It could not be done; the message says why and what to do.
    case failed = 1
    /// What was typed can't be understood (EX_USAGE of sysexits.h).
    case usage = 64
    /// By SIGINT, SIGTERM or SIGHUP.
    case interrupted = 130
}

/// Why a command could not be done, with the status that tells a script so.
struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
    let code: NoticeError.Code
    /// A full sentence: the bad value, and what to do.
    let message: String
    let status: CommandStatus

    init(_ code: NoticeError.Code, _ message: String, status: CommandStatus = .failed) {
        self.code = code
        self.message = message
        self.status = status
    }

    init(_ error: NoticeError) {
        self.init(error.code, error.description, status: Self.wrongValues.contains(error.code) ? .usage : .failed)
    }

    init(_ error: RecurrenceError) {
        let code: NoticeError.Code =
            error.code == .impossibleDate ? .neverFires : NoticeError.Code(rawValue: error.code.rawValue)
        self.init(code, error.message, status: Self.wrongValues.contains(code) ? .usage : .failed)
    }

    /// What was typed is wrong wherever and whenever it is typed. What can't be done here or now is another thing: a date
    /// that is past, a file that is missing.
    private static let wrongValues: Set<NoticeError.Code> = [
        .invalidNotation, .invalidIdentifier, .emptyContent, .invalidContent, .invalidInterval, .intervalTooShort,
        .invalidComponent, .unknownZone, .invalidRegion, .invalidSeries,
    ]

    /// An argument that can't be read.
    static func unreadable(_ message: String) -> CommandFailure {
        CommandFailure(.invalidNotation, message, status: .usage)
    }

    /// Arguments that don't go together, or are missing.
    static func usage(_ message: String) -> CommandFailure {
        CommandFailure(.wrongUsage, message, status: .usage)
    }

    var description: String { message }
}

extension NoticeError.Code {
    /// The command line can't be understood; permanent.
    static let wrongUsage = Self(rawValue: "wrongUsage")
    /// Standard output does not take what is written; permanent until the disk has room.
    static let outputFailed = Self(rawValue: "outputFailed")
    /// Standard input can't be read; permanent.
    static let inputFailed = Self(rawValue: "inputFailed")
}
