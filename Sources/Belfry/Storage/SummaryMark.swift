/// What a delivery that is a summary stands for.
package struct SummaryMark: Sendable, Codable, Hashable {
    /// One of the notices that it is made of, and what an answer to it would end.
    package struct Member: Sendable, Codable, Hashable {
        package var requestID: String
        package var revision: Int64
        package var series: String?
        package var endsWhenAnswered: Bool
        package var dismissalEnds: Bool

        init(_ record: DeliveryRecord) {
            requestID = record.requestID
            revision = record.revision
            series = record.traits.series
            endsWhenAnswered = record.traits.endsWhenAnswered
            dismissalEnds = record.traits.dismissalEnds
        }
    }

    /// How many notices came.
    package var count: Int
    /// The newest ``limit`` of them, the one last whose content the summary is made from.
    package var members: [Member]

    /// How many are remembered one by one: a summary is stored anew with each.
    static let limit = 1_000

    mutating func add(_ member: Member) {
        if let index = members.firstIndex(where: { $0.requestID == member.requestID }) {
            // A repeat of one that is counted already.
            members.remove(at: index)
        } else {
            count += 1
        }
        members.append(member)
        if members.count > Self.limit { members.removeFirst(members.count - Self.limit) }
    }
}

/// ``ThreadSummary`` without what is shown.
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
