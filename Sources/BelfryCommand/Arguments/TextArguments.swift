import Belfry
import BelfrySchedules
import Foundation

// What schedule files and arguments have in common, with the failure that an argument means.

extension DurationText {
    /// Throws ``CommandFailure`` that names the text and what is wrong with it.
    static func argument(_ text: String) throws(CommandFailure) -> Duration {
        do throws(NoticeError) { return try parse(text) } catch { throw CommandFailure(error) }
    }
}

extension DateText {
    /// `option` is named in the error.
    func argument(
        _ text: String,
        option: String,
        bareDate: BareDate = .firstSecond
    ) throws(CommandFailure) -> Date {
        do throws(NoticeError) {
            return try parse(text, option: option, bareDate: bareDate)
        } catch { throw CommandFailure(error) }
    }

    /// Nil where the option is not given.
    func argument(
        _ text: String?,
        option: String,
        bareDate: BareDate = .firstSecond
    ) throws(CommandFailure) -> Date? {
        guard let text else { return nil }
        return try argument(text, option: option, bareDate: bareDate) as Date
    }
}
