#if CommandLine
import ArgumentParser
import Belfry
import BelfryAgent
import BelfryRecurrence
import BelfrySchedules

struct QuietHoursCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quiet-hours",
        abstract: "Set, show or turn off quiet hours.",
        discussion: """
            belfry quiet-hours
            belfry quiet-hours 22:00..07:00
            belfry quiet-hours 22:00..07:00 12:30..13:30 --on Mon..Fri
            belfry quiet-hours off

            Time-sensitive and critical notices are shown during quiet hours. Others are deferred until the end; with \
            --quietly they are shown at once, without a sound. Quiet hours apply to one app: this command's own \
            requests, or the app of --app.
            """
    )

    @Argument(help: .init("Local times of day, such as 22:00..07:00; or 'off'.", valueName: "from..to"))
    var windows: [String] = []

    @Option(help: .init("The days on which they begin: Mon..Fri, or Sat,Sun; by default every day.", valueName: "days"))
    var on: String?

    @Flag(
        help: "Show notices quietly instead of deferring them: without sound and, if the desktop can, without a popup."
    )
    var quietly = false

    @Option(
        help: .init("The identifier of the app in the agent.", valueName: "id"),
        completion: .appIDs
    )
    var app: String?

    @OptionGroup
    var store: StoreOptions

    @OptionGroup
    var output: OutputOptions

    func validate() throws {
        if app != nil, store.path != nil { throw ValidationError("--app is the agent's; a store has one app.") }
        guard windows.isEmpty || windows == ["off"] else { return }
        if on != nil || quietly { throw ValidationError("--on and --quietly need times, such as 22:00..07:00.") }
    }

    func run() async throws {
        let output = output.writer
        defer { store.reportDamage(of: app.map { AppIdentity(id: $0) } ?? .command(), to: output) }
        let center =
            if let app {
                AgentDirectory().center(of: app)
            } else {
                try await store.center(toWrite: !windows.isEmpty)
            }
        if !windows.isEmpty { try await center.setQuietHours(try hours()) }
        try Self.write(try await center.quietHours(), to: output)
    }

    /// Returns the quiet hours; nil for off.
    private func hours() throws -> QuietHours? {
        guard windows != ["off"] else { return nil }
        let days = try on.map { try WeekdayText.parse($0) } ?? Weekday.everyDay
        return QuietHours(
            try windows.map { try Self.period($0, days) },
            behavior: quietly ? .deliverQuietly : .wait
        )
    }

    private static func period(_ text: String, _ days: Set<Weekday>) throws(NoticeError) -> QuietHours.Period {
        let ends = text.split(separator: "..", maxSplits: 1).map { $0 == "24:00" ? "0:00" : String($0) }
        guard ends.count == 2, let start = try? TimeOfDay(parsing: ends[0]), let end = try? TimeOfDay(parsing: ends[1])
        else { throw .unreadable("'\(text.clipped)' are no quiet hours; write them as 22:00..07:00, or 'off'.") }
        return QuietHours.Period(from: start, to: end, on: days)
    }

    private static func write(_ hours: QuietHours?, to output: CommandOutput) throws {
        guard let hours else { return try output.result(["quietHours": JSONValue.null], "no quiet hours") }
        let periods: [JSONValue] = hours.periods.map { period in
            var fields: [String: JSONValue] = ["from": .string(text(period.start)), "to": .string(text(period.end))]
            fields["weekdays"] = days(of: period).map { .array($0.map(\.rawValue).sorted().map(\.json)) }
            return .object(fields)
        }
        try output.object(["quietHours": JSONValue.array(periods), "behavior": hours.behavior.rawValue])
        for period in hours.periods {
            let days = days(of: period).map { " on " + WeekdayText.text($0) } ?? ""
            let word = hours.behavior == .wait ? "notices wait" : "notices come quietly"
            try output.line("\(text(period.start))..\(text(period.end))\(days): \(word)")
        }
    }

    /// Returns a time such as `07:00`, as everywhere in this command's output.
    private static func text(_ time: TimeOfDay) -> String { time.hour < 10 ? "0\(time)" : "\(time)" }

    /// Returns the weekdays of a period; nil for every day.
    private static func days(of period: QuietHours.Period) -> Set<Weekday>? {
        period.weekdays == Weekday.everyDay ? nil : period.weekdays
    }
}

/// Weekdays in systemd.time's form: `Mon..Fri`, `Sat,Sun`, `Fri..Mon`. Full names are accepted too.
enum WeekdayText {
    static func parse(_ text: String) throws(NoticeError) -> Set<Weekday> {
        var days: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
            let numbers = ends.compactMap { ComponentName.weekday(String($0.trimmed)) }
            guard numbers.count == ends.count, var day = numbers.first, let last = numbers.last else {
                throw .unreadable("--on: '\(text.clipped)' are no weekdays; write them as Mon..Fri or Sat,Sun.")
            }
            days.insert(day)
            while day != last {
                day = day % 7 + 1
                days.insert(day)
            }
        }
        return Set(days.compactMap(Weekday.init(rawValue:)))
    }

    /// Returns the weekdays in words, from Monday, such as `Mon, Tue, Sun`.
    static func text(_ days: Set<Weekday>) -> String {
        (Weekday.allCases[1...] + [.sunday]).filter(days.contains)
            .map { CalendarNames.shortWeekdays[$0.rawValue - 1] }.joined(separator: ", ")
    }
}
#endif
