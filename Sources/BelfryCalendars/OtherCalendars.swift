import BelfryRecurrence
import FoundationEssentials
import FoundationInternationalization

/// The calendars other than the Gregorian: Hebrew, Chinese, the Islamic ones and more.
///
/// ICU computes them, which makes a statically linked program 44 MB larger. So they are a product of their own, and without it a
/// trigger of such a calendar is refused by name.
///
/// ```swift
/// import BelfryCalendars
///
/// OtherCalendars.enable()
/// let newYear = CalendarTrigger(matching: DateFields(month: 1, day: 1, hour: 9), repeats: true, options: .init(calendar: .hebrew))
/// ```
public enum OtherCalendars {
    /// Lets triggers count by other calendars, from now until the program ends. Call it before a center is made: what is stored
    /// is read then. From any thread; a second call does nothing.
    public static func enable() {
        // Something of ICU's has to be named, or a static linker leaves all of it out.
        guard !Locale.Language(identifier: "he").maximalIdentifier.isEmpty else { return }
        ForeignCalendarPattern.enable()
    }
}
