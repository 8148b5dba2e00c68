/// Why a manual clock could not do what a test asked. All of them are permanent: mend the test or what it tests.
public struct ManualClockError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What can go wrong with a manual clock.
    public enum Code: String, Sendable, Hashable {
        /// A listener did not become quiet in time, or an alarm was made and never run.
        case notQuiet
        /// A listener asks to be woken again and again without time moving.
        case endlessWakes
        /// Time was asked to move back.
        case intoThePast
        /// An alarm runs that must not.
        case stillRunning
        /// The task was cancelled.
        case cancelled
    }

    /// What went wrong.
    public let code: Code
    /// What went wrong, with the value, and what to do.
    public let message: String
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
