/// The recent notices of threads that have a summary.
struct ArrivalTable: Sendable {
    /// A notice that was delivered recently, or is in flight.
    struct Arrival: Sendable {
        let member: SummaryMark.Member
        let boot: Int64
    }

    /// The arrivals of a thread, oldest first; no thread has an empty list.
    private var arrivals: [String: [Arrival]] = [:]

    var threads: some Collection<String> { arrivals.keys }

    /// The arrivals of a thread, oldest first.
    subscript(thread: String) -> [Arrival] {
        get { arrivals[thread] ?? [] }
        set { arrivals[thread] = newValue.isEmpty ? nil : newValue }
    }

    /// Returns the arrivals that a notice may be coalesced with: of other requests, and within the summary's time span.
    func recent(in thread: String, _ rule: SummaryRule, at boot: Int64, besides id: String) -> [Arrival] {
        self[thread].filter { boot - $0.boot < rule.within && $0.member.requestID != id }
    }
}
