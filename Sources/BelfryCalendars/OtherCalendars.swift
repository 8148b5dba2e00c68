import BelfryRecurrence
import FoundationEssentials

/// The calendars other than the Gregorian: Hebrew, Chinese, the Islamic ones and more.
///
/// The system's ICU computes them, which most desktops have (Debian: the package libicu with its version, as libicu72).
/// It is loaded when the first of them is used, so a program that never does is neither larger nor slower. Without
/// this product, and on a machine without ICU, a trigger of such a calendar is refused by name. Where ICU was found to be
/// wrong, a calendar is Belfry's own: the Hebrew one by its arithmetic, and the Chinese one, a table of the years 1900 to
/// 2100; its triggers end there.
///
/// ```swift
/// import BelfryCalendars
///
/// OtherCalendars.enable()
/// let newYear = CalendarTrigger(matching: DateFields(month: 1, day: 1, hour: 9), repeats: true, options: .init(calendar: .hebrew))
/// ```
public enum OtherCalendars {
    /// Lets triggers count by other calendars, from now until the program ends. Call it before a center is made: what is
    /// stored is read then. From any thread; a second call does nothing.
    public static func enable() { ForeignCalendars.take(from: OtherCalendarSource()) }
}

/// Makes the Chinese calendar from its table, the Hebrew one by its arithmetic, and the others with ICU.
private struct OtherCalendarSource: ForeignCalendarSource {
    var isAvailable: Bool { ICULibrary.shared != nil }

    func calendar(_ identifier: Calendar.Identifier, _ weeks: WeekRules) throws(RecurrenceError) -> any ForeignCalendar
    {
        switch identifier {
        case .chinese: return ChineseCalendar(weeks: weeks)
        case .hebrew: return HebrewCalendar(weeks: weeks)
        default: break
        }
        guard let keyword = Self.keyword(of: identifier) else {
            throw RecurrenceError(
                code: .calendarUnavailable,
                message:
                    "The calendar '\(identifier)' is none that Belfry knows. Give the dates in the Gregorian calendar."
            )
        }
        guard let library = ICULibrary.shared, let calendar = ICUCalendar(keyword, weeks, of: library) else {
            throw RecurrenceError(
                code: .calendarUnavailable,
                message:
                    "The calendar '\(identifier)' is computed by ICU, which is not on this machine: install it (Debian: the "
                    + "package libicu with its version, as libicu72; Fedora: libicu)."
            )
        }
        return calendar
    }

    /// Unicode's name for a calendar (CLDR, key "ca"); nil for one that is not known.
    private static func keyword(of identifier: Calendar.Identifier) -> String? {
        switch identifier {
        case .gregorian, .iso8601: "gregorian"
        case .buddhist: "buddhist"
        case .coptic: "coptic"
        case .ethiopicAmeteMihret: "ethiopic"
        case .ethiopicAmeteAlem: "ethiopic-amete-alem"
        case .indian: "indian"
        case .islamic: "islamic"
        case .islamicCivil: "islamic-civil"
        case .islamicTabular: "islamic-tbla"
        case .islamicUmmAlQura: "islamic-umalqura"
        case .japanese: "japanese"
        case .persian: "persian"
        case .republicOfChina: "roc"
        default: nil
        }
    }
}
