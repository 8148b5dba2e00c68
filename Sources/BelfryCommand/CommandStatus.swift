import Belfry
import BelfrySchedules

/// The exit statuses that scripts rely on.
enum CommandStatus: Int32, Sendable {
    case done = 0
    /// The command failed; the message has the reason and what to do.
    case failed = 1
    /// The arguments are invalid (EX_USAGE of sysexits.h).
    case usage = 64
    /// The command was interrupted by SIGINT, SIGTERM or SIGHUP.
    case interrupted = 130
}

extension NoticeError {
    /// Returns the error of an argument that can't be parsed.
    static func unreadable(_ message: String) -> NoticeError { NoticeError(.invalidNotation, message) }

    /// Returns the error of arguments that are missing or exclude each other.
    static func usage(_ message: String) -> NoticeError { NoticeError(.wrongUsage, message) }

    var status: CommandStatus { Self.wrongValues.contains(code) ? .usage : .failed }

    /// The errors of arguments that are always wrong. Errors that depend on the machine or the time are not included,
    /// such as a past date or a missing file.
    private static let wrongValues: [Code] = [
        .wrongUsage, .invalidNotation, .invalidIdentifier, .emptyContent, .invalidContent, .invalidInterval,
        .intervalTooShort, .invalidComponent, .unknownZone, .invalidRegion, .invalidSeries,
    ]
}

extension ScheduleError {
    /// The errors as a command reports them, one for each diagnostic.
    var errors: [NoticeError] { zip(diagnostics, lines).map { NoticeError($0.code, $1) } }
}

extension NoticeError.Code {
    /// The command line is invalid; permanent.
    static let wrongUsage = Self(rawValue: "wrongUsage")
    /// Writing to standard output fails; permanent until the disk has room.
    static let outputFailed = Self(rawValue: "outputFailed")
    /// Standard input can't be read; permanent.
    static let inputFailed = Self(rawValue: "inputFailed")
}
