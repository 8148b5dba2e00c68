/// The recent notices of threads that have a summary.
struct ArrivalTable: Sendable {
    /// A notice that was delivered recently, or is in flight.
    struct Arrival: Sendable {
        let member: SummaryMark.Member
        let boot: Int64
        /// The end of its summary's time span.
        let until: Int64

        init(_ record: DeliveryRecord, _ rule: SummaryRule, at boot: Int64) {
            member = SummaryMark.Member(record)
            self.boot = boot
            until = boot + rule.within
        }
    }

    /// The arrivals of a thread, oldest first; no thread has an empty list.
    private var arrivals: [String: [Arrival]] = [:]
    /// The number of threads at which those are dropped that have had no notice for too long.
    private var limit = Self.lowestLimit
    private static let lowestLimit = 1_024

    var threads: some Collection<String> { arrivals.keys }

    /// The arrivals of a thread, oldest first.
    subscript(thread: String) -> [Arrival] {
        get { arrivals[thread] ?? [] }
        set {
            arrivals[thread] = newValue.isEmpty ? nil : newValue
            if let newest = newValue.last, arrivals.count >= limit { dropOld(at: newest.boot) }
        }
    }

    private mutating func dropOld(at boot: Int64) {
        arrivals = arrivals.filter { $0.value.contains { $0.until >= boot } }
        limit = max(Self.lowestLimit, arrivals.count * 2)
    }

    /// Returns the arrivals that a notice may be coalesced with: of other requests, and within the summary's time span.
    func recent(in thread: String, _ rule: SummaryRule, at boot: Int64, besides id: String) -> [Arrival] {
        self[thread].filter { boot - $0.boot < rule.within && $0.member.requestID != id }
    }
}
