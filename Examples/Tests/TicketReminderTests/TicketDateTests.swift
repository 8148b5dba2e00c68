import Foundation
import Testing
import TicketReminderKit

@Suite("Dates of tickets")
struct TicketDateTests {
    @Test(
        "ISO 8601 is read with its zone",
        arguments: [
            ("2026-12-24T19:00:00+01:00", "2026-12-24T18:00:00Z"), ("2026-12-24T19:00+0100", "2026-12-24T18:00:00Z"),
            ("2026-12-24T19:00-05", "2026-12-25T00:00:00Z"), ("2026-12-24t19:00:00z", "2026-12-24T19:00:00Z"),
            ("2026-12-24T19:00:00.250+05:45", "2026-12-24T13:15:00Z"), ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00Z"),
        ]
    )
    func instants(text: String, instant: String) throws {
        #expect(try TicketDate(reading: text) == .instant(date(instant)))
    }

    @Test("A date alone is the whole day") func days() throws {
        #expect(try TicketDate(reading: "2026-12-24") == .day(year: 2026, month: 12, day: 24))
    }

    @Test(
        "What is no date is refused by name",
        arguments: [
            ("", TicketError.notADate("")), ("tomorrow", .notADate("tomorrow")),
            ("24.12.2026", .notADate("24.12.2026")),
            ("2026-12-24T19:00:00", .noZone("2026-12-24T19:00:00")), ("2026-12-24T19:00", .noZone("2026-12-24T19:00")),
            ("2026-02-29", .noSuchDate("2026-02-29")), ("2026-13-01", .noSuchDate("2026-13-01")),
            ("0000-01-01", .noSuchDate("0000-01-01")), ("2026-12-24T25:00:00Z", .noSuchDate("2026-12-24T25:00:00Z")),
            ("2026-12-24T19:60:00Z", .noSuchDate("2026-12-24T19:60:00Z")),
            ("2026-12-24T19:00:00+25:00", .noSuchDate("2026-12-24T19:00:00+25:00")),
            ("2026-12-24T19:00:00 Europe/Berlin", .notADate("2026-12-24T19:00:00 Europe/Berlin")),
            ("٢٠٢٦-١٢-٢٤", .notADate("٢٠٢٦-١٢-٢٤")), ("2026-12-24T19", .notADate("2026-12-24T19")),
        ]
    )
    func refused(text: String, error: TicketError) {
        #expect(throws: error) { try TicketDate(reading: text) }
    }

    @Test("A text of a megabyte is refused at once, and a ticket without a title too") func strange() {
        let long = String(repeating: "2", count: 1 << 20)
        #expect(throws: TicketError.notADate(long)) { try TicketDate(reading: long) }
        #expect(throws: TicketError.noTitle) { try Ticket(title: " \n", date: "2026-12-24") }
    }
}
