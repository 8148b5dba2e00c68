import Belfry
import BelfryRecurrence
import FoundationEssentials

/// The requests of an entry, and the reason if there are none.
struct PlanOutcome {
    var requests: [NoticeRequest]
    var remark: String?
}

/// The schedule of an entry before its beginning is known.
enum NoticePlan: Sendable {
    case trigger(any NoticeTrigger)
    /// An alarm of a calendar, whose event may have no occurrence left.
    case alarm(any NoticeTrigger)
    /// An interval between two dates; the rule counts on the wall clock from the first firing.
    case interval(seconds: Int64, starting: Date?, until: Date?, times: Int?)
    case series(NoticeSeries)
    case local(LocalRepeat)

    func outcome(
        of request: NoticeRequest,
        id: String,
        beginningAt anchor: Date,
        in zone: ZoneRules
    ) throws(NoticeError) -> PlanOutcome {
        var request = request
        request.id = id
        switch self {
        case .trigger(let trigger): request.trigger = trigger
        case .alarm(let trigger):
            do throws(NoticeError) { try trigger.validate() } catch {
                guard error.code == .neverFires else { throw error }
                return PlanOutcome(requests: [], remark: "It has no occurrence left.")
            }
            request.trigger = trigger
        case .interval(let seconds, let starting, let until, let times):
            let first =
                starting ?? Date(timeIntervalSince1970: anchor.timeIntervalSince1970.rounded(.up) + Double(seconds))
            if starting == nil, let until, until < first {
                return PlanOutcome(requests: [], remark: "It is over: its end is before its first firing.")
            }
            request.trigger = try RecurrenceTrigger(
                .rrule("FREQ=SECONDLY;INTERVAL=\(seconds)"),
                zone: .named("UTC"),
                starting: first,
                until: until,
                count: times
            )
        case .series(let series):
            var series = series
            series.id = id
            series.content = request.content
            var elements = try series.requests(startingAt: anchor)
            // The first one is due now, but an accepted date must be later than now.
            if series.first == nil, let first = elements.indices.first { elements[first].trigger = ImmediateTrigger() }
            for index in elements.indices { elements[index].languages = request.languages }
            return PlanOutcome(requests: elements)
        case .local(let local):
            guard let trigger = try local.trigger(beginningAt: anchor, in: zone) else {
                return PlanOutcome(requests: [], remark: "It is over: \(local.end.sentence).")
            }
            request.trigger = trigger
        }
        return PlanOutcome(requests: [request])
    }
}
