import BelfryRecurrence
import Synchronization

/// A calendar of ICU, in UTC.
final class ICUCalendar: ForeignCalendar {
    /// ICU's calendar supports one thread at a time: it is used only under the lock of ``handle``.
    private struct Handle: ~Copyable, @unchecked Sendable {
        let library: ICULibrary
        let pointer: OpaquePointer
        /// The day that the calendar is set to.
        var day: Int?

        deinit { library.close(pointer) }

        mutating func set(_ new: Int) {
            guard day != new else { return }
            var status: Int32 = 0
            // Noon, in milliseconds.
            library.setMillis(pointer, Double(new) * 86_400_000 + 43_200_000, &status)
            day = new
        }

        func value(of field: Field) -> Int {
            var status: Int32 = 0
            return Int(library.get(pointer, field.rawValue, &status))
        }

        func limit(_ limit: ICULibrary.Limit, of field: Field) -> Int {
            var status: Int32 = 0
            return Int(library.getLimit(pointer, field.rawValue, limit.rawValue, &status))
        }
    }

    /// ICU's numbers for the fields (ucal.h, UCalendarDateFields).
    private enum Field: Int32 {
        case era = 0
        case year = 1
        case month = 2
        case day = 5
        case dayOfYear = 6
        case extendedYear = 19
        case isLeapMonth = 22
    }

    private let handle: Mutex<Handle>

    /// Creates a calendar; nil if ICU can't.
    init?(_ keyword: String, of library: ICULibrary) {
        var status: Int32 = 0
        let zone = Array("UTC".utf16)
        let opened = library.open(zone, Int32(zone.count), "en@calendar=\(keyword)", 0, &status)
        guard let opened, status <= 0 else { return nil }
        handle = Mutex(Handle(library: library, pointer: opened))
    }

    var largest: (month: Int, dayOfYear: Int) {
        handle.withLock { ($0.limit(.maximum, of: .month) + 1, $0.limit(.maximum, of: .dayOfYear)) }
    }

    func date(of day: Int) -> ForeignDate {
        handle.withLock { handle in
            handle.set(day)
            var date = ForeignDate()
            date.era = handle.value(of: .era)
            date.year = handle.value(of: .year)
            date.extendedYear = handle.value(of: .extendedYear)
            // ICU's months begin with 0.
            date.month = handle.value(of: .month) + 1
            date.isLeapMonth = handle.value(of: .isLeapMonth) != 0
            date.day = handle.value(of: .day)
            date.dayOfYear = handle.value(of: .dayOfYear)
            return date
        }
    }

    func monthLength(of day: Int) -> Int { last(.day, of: day) }
    func yearLength(of day: Int) -> Int { last(.dayOfYear, of: day) }

    private func last(_ field: Field, of day: Int) -> Int {
        handle.withLock { handle in
            handle.set(day)
            return handle.limit(.actualMaximum, of: field)
        }
    }
}
