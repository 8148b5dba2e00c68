/// An error of a manual clock. All are permanent: correct the test or the code under test.
///
/// ```swift
/// let clock = ManualTriggerClock()
/// do throws(ManualClockError) {
///     try await clock.advance(by: .seconds(-1))
/// } catch {
///     print(error.code == .intoThePast, error)   // true The clock can't advance by -1.0 s, …
/// }
/// ```
public struct ManualClockError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors of a manual clock.
    public enum Code: String, Sendable, Hashable {
        /// A listener did not become quiet in time, or an alarm was made and never run.
        case notQuiet
        /// A listener requests wake-ups again and again without time advancing.
        case endlessWakes
        /// A call would move time backward.
        case intoThePast
        /// An alarm is running during an operation that does not allow it.
        case stillRunning
        /// The task was canceled.
        case cancelled
    }

    /// The kind of the error.
    public let code: Code
    /// A description of the error with the wrong value and what to do.
    public let message: String
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
