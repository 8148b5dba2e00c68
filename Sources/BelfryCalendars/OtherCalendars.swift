import BelfryRecurrence
import FoundationEssentials

/// The non-Gregorian calendars: Hebrew, Chinese, the Islamic ones and more.
///
/// The system's ICU computes them; most desktops have it (Debian: the package libicu with its version, as libicu72). It
/// is loaded on first use, so a program that doesn't use them is neither larger nor slower. Without this product, or
/// without ICU, a trigger with such a calendar is refused with an error that names it. Belfry has its own calendars
/// where ICU was found to be wrong. The Hebrew one uses arithmetic. The Chinese one is a table of the years 1900 to
/// 2100, so its triggers end there.
///
/// ```swift
/// import BelfryCalendars
///
/// OtherCalendars.enable()
/// let newYear = CalendarTrigger(
///     matching: DateFields(month: 1, day: 1, hour: 9),
///     repeats: true,
///     options: .init(calendar: .hebrew)
/// )
/// ```
public enum OtherCalendars {
    /// Enables other calendars in triggers until the program ends. Call it before creating a center, which reads stored
    /// triggers. May be called from any thread; a second call does nothing.
    public static func enable() {
        ForeignCalendars.enable { identifier throws(RecurrenceError) in try calendar(identifier) }
    }

    /// Creates the Chinese calendar from its table, the Hebrew one by arithmetic, and the others with ICU.
    private static func calendar(_ identifier: Calendar.Identifier) throws(RecurrenceError) -> any ForeignCalendar {
        switch identifier {
        case .chinese: return ChineseCalendar()
        case .hebrew: return HebrewCalendar()
        default: break
        }
        guard let keyword = keyword(of: identifier) else {
            throw RecurrenceError(
                code: .calendarUnavailable,
                message:
                    "The calendar '\(identifier)' is none that Belfry knows. Give the dates in the Gregorian calendar."
            )
        }
        guard let library = ICULibrary.shared, let calendar = ICUCalendar(keyword, of: library) else {
            throw RecurrenceError(
                code: .calendarUnavailable,
                message:
                    "The calendar '\(identifier)' is computed by ICU, which is not on this machine: install it "
                    + "(Debian: the package libicu with its version, as libicu72; Fedora: libicu)."
            )
        }
        return calendar
    }

    /// Unicode's name for a calendar (CLDR, key "ca"); nil if unknown.
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
