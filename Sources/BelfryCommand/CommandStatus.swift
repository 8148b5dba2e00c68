import Belfry

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

extension NoticeError {
    /// An argument that can't be read.
    static func unreadable(_ message: String) -> NoticeError { NoticeError(.invalidNotation, message) }

    /// Arguments that don't go together, or are missing.
    static func usage(_ message: String) -> NoticeError { NoticeError(.wrongUsage, message) }

    var status: CommandStatus { Self.wrongValues.contains(code) ? .usage : .failed }

    /// What was typed is wrong wherever and whenever it is typed. What can't be done here or now is another thing: a
    /// date that is past, a file that is missing.
    private static let wrongValues: Set<Code> = [
        .wrongUsage, .invalidNotation, .invalidIdentifier, .emptyContent, .invalidContent, .invalidInterval,
        .intervalTooShort, .invalidComponent, .unknownZone, .invalidRegion, .invalidSeries,
    ]
}

extension NoticeError.Code {
    /// The command line can't be understood; permanent.
    static let wrongUsage = Self(rawValue: "wrongUsage")
    /// Standard output does not take what is written; permanent until the disk has room.
    static let outputFailed = Self(rawValue: "outputFailed")
    /// Standard input can't be read; permanent.
    static let inputFailed = Self(rawValue: "inputFailed")
}
