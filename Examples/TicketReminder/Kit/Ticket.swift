import Belfry

/// Something to be at in time.
public struct Ticket: Sendable, Hashable {
    /// Unique among tickets.
    public let title: String
    public let date: TicketDate

    /// Throws ``TicketError`` where the title says nothing, or the date can't be read.
    public init(title: String, date: String) throws(TicketError) {
        guard title.contains(where: { !$0.isWhitespace }) else { throw .noTitle }
        self.title = title
        self.date = try TicketDate(reading: date)
    }

    /// The identifier of the ticket's reminder: pressed twice, there is still one.
    public var requestID: String { "ticket/\(title)" }

    var request: NoticeRequest {
        let body =
            switch date {
            case .instant: "In ten minutes."
            case .day: "Today."
            }
        var content = NoticeContent(title: title, body: body, level: .timeSensitive)
        content.thread = "tickets"
        // A machine that was off still says it, as long as that is of use.
        return NoticeRequest(
            id: requestID,
            content: content,
            trigger: date.reminder,
            misfire: .deliver(within: .seconds(3_600))
        )
    }
}
