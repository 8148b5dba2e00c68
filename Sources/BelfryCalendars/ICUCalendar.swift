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

    func value(of field: ForeignCalendarField, on day: Int) -> Int {
        handle.withLock { handle in
            handle.set(day)
            var status: Int32 = 0
            return field.ours(handle.library.get(handle.pointer, field.number, &status))
        }
    }

    func lastValue(of field: ForeignCalendarField, on day: Int) -> Int {
        handle.withLock { handle in
            handle.set(day)
            return limit(.actualMaximum, of: field, handle)
        }
    }

    func largestValue(of field: ForeignCalendarField) -> Int {
        handle.withLock { limit(.maximum, of: field, $0) }
    }

    private func limit(_ limit: ICULibrary.Limit, of field: ForeignCalendarField, _ handle: borrowing Handle) -> Int {
        var status: Int32 = 0
        return field.ours(handle.library.getLimit(handle.pointer, field.number, limit.rawValue, &status))
    }
}

extension ForeignCalendarField {
    /// ICU's number for the field (ucal.h, UCalendarDateFields).
    fileprivate var number: Int32 {
        switch self {
        case .era: 0
        case .year: 1
        case .month: 2
        case .day: 5
        case .dayOfYear: 6
        case .extendedYear: 19
        case .isLeapMonth: 22
        }
    }

    /// ICU's months begin with 0.
    fileprivate func ours(_ value: Int32) -> Int { Int(value) + (self == .month ? 1 : 0) }
}
