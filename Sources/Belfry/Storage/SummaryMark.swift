/// The notices that a summary represents.
package struct SummaryMark: Sendable, Codable, Hashable {
    /// A member of the summary, and what a response to it would end.
    package struct Member: Sendable, Codable, Hashable {
        package var requestID: String
        package var revision: Int64
        package var series: String?
        package var endsWhenAnswered: Bool
        package var dismissalEnds: Bool
        /// ``DeliveryRecord/Fields/snoozedFrom`` of the notice.
        package var snoozedFrom: Int64?

        /// The revision of the request that a response may end.
        var requestRevision: Int64 { snoozedFrom ?? revision }

        init(_ record: DeliveryRecord) {
            requestID = record.requestID
            revision = record.revision
            series = record.traits.series
            endsWhenAnswered = record.traits.endsWhenAnswered
            dismissalEnds = record.traits.dismissalEnds
            snoozedFrom = record.snoozedFrom
        }
    }

    /// The number of notices.
    package var count: Int
    /// The newest ``limit`` members; the summary's content is made from the last one.
    package var members: [Member]

    /// The number of members kept individually; the summary is stored again with each new one.
    static let limit = 1_000

    /// Whether it contains only such members; false if it has more than are kept individually.
    func consists(of isIncluded: (Member) -> Bool) -> Bool {
        count == members.count && members.allSatisfy(isIncluded)
    }

    mutating func add(_ member: Member) {
        if let index = members.firstIndex(where: { $0.requestID == member.requestID }) {
            // A repetition of a member that is counted already.
            members.remove(at: index)
        } else {
            count += 1
        }
        members.append(member)
        if members.count > Self.limit { members.removeFirst(members.count - Self.limit) }
    }
}

/// The options of ``ThreadSummary`` that decide when to coalesce.
package struct SummaryRule: Sendable, Codable, Hashable {
    package var moreThan: Int
    /// Microseconds.
    package var within: Int64

    init(_ summary: ThreadSummary) {
        moreThan = summary.moreThan
        within = summary.within.microseconds
    }

    private enum CodingKeys: String, CodingKey { case moreThan, within }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        moreThan = try values.decode(Int.self, forKey: .moreThan)
        within = try values.decodeMicroseconds(forKey: .within)
    }
}
