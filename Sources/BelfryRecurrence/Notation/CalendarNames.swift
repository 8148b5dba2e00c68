/// English names of months and weekdays. The notations use their first letters.
package enum CalendarNames {
    package static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    /// Weekdays from Sunday.
    package static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    /// `Sun` to `Sat`.
    package static let shortWeekdays = weekdays.map { String($0.prefix(3)) }

    /// `JAN` to `DEC`, and `SUN` to `SAT`: readers compare names in upper case.
    static let monthCodes = months.map { $0.prefix(3).uppercased() }
    static let weekdayCodes = shortWeekdays.map { $0.uppercased() }
}
