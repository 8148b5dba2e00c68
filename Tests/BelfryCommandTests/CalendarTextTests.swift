import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("Notices as a calendar file (RFC 5545)", .takesTurns)
struct CalendarTextTests {
    private static let stamp = Date(timeIntervalSince1970: 1_767_225_600)

    private static func notice(_ id: String, _ content: NoticeContent) -> DeliveredNotice {
        DeliveredNotice(
            id: id,
            requestID: id,
            content: content,
            dueDate: stamp,
            date: stamp.addingTimeInterval(90.5),
            late: .zero,
            receipt: DeliveryReceipt(backend: "simulation", handle: "1")
        )
    }

    @Test("An event has an identifier of its own, a stamp, an instant and the texts") func event() {
        let content = NoticeContent(title: "A; b", subtitle: "c\\d", body: "e,\r\nf\u{7}\rg")
        let notices = [
            Self.notice("x", content), Self.notice("x", NoticeContent(title: "Again").with { $0.thread = "t" }),
        ]
        #expect(
            CalendarText(notices, stamp: Self.stamp).text.components(separatedBy: "\r\n") == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Belfry//preview \(Release.version)//EN",
                "CALSCALE:GREGORIAN", "BEGIN:VEVENT", "UID:20260101T000130Z-x@belfry", "DTSTAMP:20260101T000000Z",
                "DTSTART:20260101T000130Z", #"SUMMARY:A\; b"#, #"DESCRIPTION:c\\d\ne\,\nf\ng"#, "TRANSP:TRANSPARENT",
                "END:VEVENT", "BEGIN:VEVENT", "UID:20260101T000130Z-x-2@belfry", "DTSTAMP:20260101T000000Z",
                "DTSTART:20260101T000130Z", "SUMMARY:Again", "CATEGORIES:t", "TRANSP:TRANSPARENT", "END:VEVENT",
                "END:VCALENDAR", "",
            ]
        )
    }

    @Test("A line has 75 bytes at most, and what is unfolded is what was written", arguments: ["a", "ä", "😀", "शु"])
    func folding(letter: String) {
        let title = String(repeating: letter, count: 500)
        let text = CalendarText([Self.notice("x", NoticeContent(title: title))], stamp: Self.stamp).text
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(text.replacing("\r\n ", with: "").contains("\r\nSUMMARY:\(title)\r\n"))
    }
}
