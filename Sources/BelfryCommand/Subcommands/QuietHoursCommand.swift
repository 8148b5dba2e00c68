import ArgumentParser
import Belfry
import BelfryAgent
import BelfrySchedules

struct QuietHoursCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quiet-hours",
        abstract: "When notices wait: set it, turn it off, or see what is set.",
        discussion: """
            belfry quiet-hours
            belfry quiet-hours 22:00..07:00
            belfry quiet-hours 22:00..07:00 12:30..13:30 --on Mon..Fri
            belfry quiet-hours off

            What is time-sensitive or critical comes all the same; the rest comes when they end, or with --quietly at once, \
            without a sound. They are those of one app: of this command's own requests, or of --app.
            """
    )

    @Argument(help: ArgumentHelp("Local times of day, over midnight too; or 'off'.", valueName: "from..to"))
    var windows: [String] = []

    @Option(
        help: ArgumentHelp(
            "The days on which they begin: Mon..Fri, or Sat,Sun; every day otherwise.",
            valueName: "days"
        )
    )
    var on: String?

    @Flag(help: "What comes meanwhile is shown without a sound and without a popup where the desktop can.")
    var quietly = false

    @Option(help: ArgumentHelp("The app whose notices wait, by its identifier in the agent.", valueName: "id"))
    var app: String?

    @OptionGroup
    var keeping: StoreOptions

    @OptionGroup
    var speech: OutputOptions

    func validate() throws {
        if app != nil, keeping.store != nil { throw ValidationError("--app is the agent's; a store has one app.") }
        guard windows.isEmpty || windows == ["off"] else { return }
        if on != nil || quietly { throw ValidationError("--on and --quietly need times, such as 22:00..07:00.") }
    }

    func run() async throws {
        let output = speech.output
        defer { keeping.reportDamage(of: app.map { AppIdentity(id: $0) } ?? .command(), to: output) }
        let center =
            if let app { AgentDirectory().center(of: app) } else { try await keeping.center() }
        if !windows.isEmpty { try await center.setQuietHours(try hours()) }
        try Self.tell(try await center.quietHours(), output)
    }

    /// Nil is off.
    private func hours() throws(CommandFailure) -> QuietHours? {
        guard windows != ["off"] else { return nil }
        let days = try on.map { text throws(CommandFailure) in try WeekdayText.parse(text) }
        var found: [QuietWindow] = []
        for text in windows { found.append(try Self.window(text, days)) }
        return QuietHours(found, behaviour: quietly ? .deliverQuietly : .wait)
    }

    static func window(_ text: String, _ days: Set<Int>?) throws(CommandFailure) -> QuietWindow {
        let ends = text.split(separator: "..", maxSplits: 1).map { QuietWindow.minutes(String($0)) }
        guard ends.count == 2, let start = ends[0], let end = ends[1] else {
            throw .unreadable("'\(text.clipped)' are no quiet hours; write them as 22:00..07:00, or 'off'.")
        }
        return QuietWindow(start: start, end: end, weekdays: days)
    }

    private static func tell(_ hours: QuietHours?, _ output: CommandOutput) throws {
        guard let hours else {
            try output.object([("quietHours", .null)])
            return try output.line("no quiet hours")
        }
        let windows: [JSONValue] = hours.windows.map { window in
            var fields: [String: JSONValue] = [
                "from": .string(QuietWindow.text(window.start)), "to": .string(QuietWindow.text(window.end)),
            ]
            if let days = window.weekdays { fields["weekdays"] = .array(days.sorted().map { .int(Int64($0)) }) }
            return .object(fields)
        }
        try output.object([
            ("quietHours", .array(windows)), ("behaviour", .string(hours.behaviour.rawValue)),
        ])
        for window in hours.windows {
            let days = window.weekdays.map { " on " + WeekdayText.text($0) } ?? ""
            let word = hours.behaviour == .wait ? "notices wait" : "notices come quietly"
            try output.line("\(QuietWindow.text(window.start))..\(QuietWindow.text(window.end))\(days): \(word)")
        }
    }
}
