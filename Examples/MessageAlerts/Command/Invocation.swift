import Belfry
import MessageAlertsKit

/// What the command line asks for: a message and how it alerts.
struct Invocation {
    var plan = AlertPlan()
    var sender = ""
    var text = ""

    static let usage = """
        usage: message-alerts [--repeating] [--every SECONDS] [--times N] [--quiet-hours FROM..TO] SENDER TEXT
        Shows an alert of the message now and again until you respond: every 300 seconds, 10 times, as a series of
        notices, or with --repeating as one notice that comes back (then every 60 seconds or more). In quiet hours,
        such as 22:00..07:00, it waits for their end.
        """

    /// Nil where the usage is to be shown.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.first, option.hasPrefix("--") {
            rest = rest.dropFirst()
            switch option {
            case "--repeating": plan.shape = .repeating
            case "--every":
                // What is no sensible spacing is refused by the center, with a reason.
                guard let seconds = rest.popFirst().flatMap(Int32.init) else { return nil }
                plan.spacing = .seconds(seconds)
            case "--times":
                guard let count = rest.popFirst().flatMap(Int.init) else { return nil }
                plan.count = count
            case "--quiet-hours":
                let ends = (rest.popFirst() ?? "").split(separator: "..").map(String.init)
                guard ends.count == 2, let start = try? TimeOfDay(parsing: ends[0]),
                    let end = try? TimeOfDay(parsing: ends[1])
                else { return nil }
                plan.quietHours = QuietHours([QuietHours.Period(from: start, to: end)])
                plan.isUrgent = false
            default: return nil
            }
        }
        guard rest.count == 2, let first = rest.first, let last = rest.last else { return nil }
        sender = first
        text = last
    }
}
