import Belfry
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("What a request replaces", .takesTurns)
struct ReplacedRequestTests {
    @Test("A long series is found among as many pending requests at once")
    func longSeries() throws {
        let content = NoticeContent(title: "Mail")
        let series = NoticeSeries(id: "mail", content: content, spacing: .seconds(60), count: 5_000)
        let pending = try series.requests(startingAt: Date(timeIntervalSince1970: 0)).map {
            PendingNotice(request: $0, next: nil, fired: 0)
        }
        let time = processorTime {
            let replaced = ReplacedRequest(pending.map(\.id), in: pending, zone: .utc)
            #expect(replaced?.words == "'Mail', 5000 of a series")
        }
        #expect(time < .milliseconds(500))
    }
}
