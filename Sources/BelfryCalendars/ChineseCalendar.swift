import BelfryRecurrence

/// The Chinese calendar from 10 February 1899 to 28 January 2101.
///
/// It uses a table, since a month begins on the day of the new moon in Beijing, and several of those are within minutes
/// of midnight. ICU before version 74, as in Debian 12, begins the year 2027 a day late and 2030 a day early.
struct ChineseCalendar: ForeignCalendar {
    var largest: (month: Int, dayOfYear: Int) { (12, 385) }

    func date(of day: Int) -> ForeignDate { ChineseTable.day(day)?.date ?? ForeignDate() }
    func monthLength(of day: Int) -> Int { ChineseTable.day(day)?.monthLength ?? Self.lengthOutsideTable(day) }
    func yearLength(of day: Int) -> Int { ChineseTable.day(day)?.yearLength ?? Self.lengthOutsideTable(day) }

    /// The table has no days before the first year, nor after the last one.
    private static func lengthOutsideTable(_ day: Int) -> Int {
        day < ChineseTable.firstDay ? ChineseTable.firstDay - day - 1 : 10_000
    }
}

/// The days of the Chinese calendar.
private enum ChineseTable {
    /// 10 February 1899, in days since 1 January 1970. Weeks of the first days of 1900 may belong to that year.
    static let firstDay = -25_892

    /// Returns a day; nil if it is not in the table.
    static func day(_ number: Int) -> CalendarDay? {
        // The last entry is the day after the table's last year.
        guard let next = starts.firstIndex(where: { $0 > number }), next > 0 else { return nil }
        let row = rows[next - 1]
        let dayOfYear = number - starts[next - 1] + 1
        var (index, left) = (0, dayOfYear)
        while left > row.length(ofMonth: index) {
            left -= row.length(ofMonth: index)
            index += 1
        }
        var date = ForeignDate()
        // Years are those of cycles of 60, counted from 2637 BC.
        date.extendedYear = firstYear + next - 1 + 2637
        date.era = (date.extendedYear - 1) / 60 + 1
        date.year = (date.extendedYear - 1) % 60 + 1
        date.month = row.leapMonth > 0 && index >= row.leapMonth ? index : index + 1
        date.isLeapMonth = row.leapMonth > 0 && index == row.leapMonth
        (date.day, date.dayOfYear) = (left, dayOfYear)
        let yearLength = starts[next] - starts[next - 1]
        return CalendarDay(date: date, monthLength: row.length(ofMonth: index), yearLength: yearLength)
    }

    /// One year: the leap month's number above 13 bits, one for each month of 30 days.
    private struct Row {
        let bits: UInt32
        /// The month that occurs twice; 0 for none.
        var leapMonth: Int { Int(bits >> 13) }
        var monthCount: Int { leapMonth > 0 ? 13 : 12 }
        func length(ofMonth index: Int) -> Int { bits >> UInt32(index) & 1 == 1 ? 30 : 29 }
    }

    /// The Gregorian year in which the first year begins.
    private static let firstYear = 1899

    /// The first day of each year, and the day after the last one.
    private static let starts: [Int] = rows.reduce(into: [firstDay]) { starts, row in
        starts.append(starts[starts.count - 1] + (0..<row.monthCount).reduce(0) { $0 + row.length(ofMonth: $1) })
    }

    /// Generated with Foundation's Chinese calendar; a test compares every day.
    private static let rows: [Row] = [
        0x00AD5,
        0x116D2, 0x00752, 0x00EA5, 0x0B64A, 0x0064B, 0x00A9B, 0x09556, 0x0056A, 0x00B59, 0x05752, 0x00752,
        0x0DB25, 0x00B25, 0x00A4B, 0x0B2AB, 0x00AAD, 0x0056A, 0x04B69, 0x00DA9, 0x0FD92, 0x00D92, 0x00D25,
        0x0BA4D, 0x00A56, 0x002B6, 0x095B5, 0x006D4, 0x00EA9, 0x05E92, 0x00E92, 0x0CD26, 0x0052B, 0x00A57,
        0x0B2B6, 0x00B5A, 0x006D4, 0x06EC9, 0x00749, 0x0F693, 0x00A93, 0x0052B, 0x0CA5B, 0x00AAD, 0x0056A,
        0x09B55, 0x00BA4, 0x00B49, 0x05A93, 0x00A95, 0x0F52D, 0x00536, 0x00AAD, 0x0B5AA, 0x005B2, 0x00DA5,
        0x07D4A, 0x00D4A, 0x10A95, 0x00A97, 0x00556, 0x0CAB5, 0x00AD5, 0x006D2, 0x08EA5, 0x00EA5, 0x0064A,
        0x06C97, 0x00A9B, 0x0F55A, 0x0056A, 0x00B69, 0x0B752, 0x00B52, 0x00B25, 0x0964B, 0x00A4B, 0x114AB,
        0x002AD, 0x0056D, 0x0CB69, 0x00DA9, 0x00D92, 0x09D25, 0x00D25, 0x15A4D, 0x00A56, 0x002B6, 0x0C5B5,
        0x006D5, 0x00EA9, 0x0BE92, 0x00E92, 0x00D26, 0x06A56, 0x00A57, 0x114D6, 0x0035A, 0x006D5, 0x0B6C9,
        0x00749, 0x00693, 0x0952B, 0x0052B, 0x00A5B, 0x0555A, 0x0056A, 0x0FB55, 0x00BA4, 0x00B49, 0x0BA93,
        0x00A95, 0x0052D, 0x08AAD, 0x00AB5, 0x135AA, 0x005D2, 0x00DA5, 0x0DD4A, 0x00D4A, 0x00C95, 0x0952E,
        0x00556, 0x00AB5, 0x055B2, 0x006D2, 0x0CEA5, 0x00725, 0x0064B, 0x0AC97, 0x00CAB, 0x0055A, 0x06AD6,
        0x00B69, 0x17752, 0x00B52, 0x00B25, 0x0DA4B, 0x00A4B, 0x004AB, 0x0A55B, 0x005AD, 0x00B6A, 0x05B52,
        0x00D92, 0x0FD25, 0x00D25, 0x00A55, 0x0B4AD, 0x004B6, 0x005B5, 0x06DAA, 0x00EC9, 0x11E92, 0x00E92,
        0x00D26, 0x0CA56, 0x00A57, 0x004D6, 0x086D5, 0x00755, 0x00749, 0x06E93, 0x00693, 0x0F52B, 0x0052B,
        0x00A5B, 0x0B55A, 0x0056A, 0x00B65, 0x0974A, 0x00B4A, 0x11A95, 0x00A95, 0x0052D, 0x0CAAD, 0x00AB5,
        0x005AA, 0x08BA5, 0x00DA5, 0x00D4A, 0x07C95, 0x00C96, 0x0F94E, 0x00556, 0x00AB5, 0x0B5B2, 0x006D2,
        0x00EA5, 0x08E4A, 0x0068B, 0x10C97, 0x004AB, 0x0055B, 0x0CAD6, 0x00B6A, 0x00752, 0x09725, 0x00B25,
        0x00A8B, 0x0549B, 0x004AB,
    ].map(Row.init)
}
