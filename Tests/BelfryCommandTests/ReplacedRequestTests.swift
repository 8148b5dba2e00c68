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
        func time(_ count: Int) throws -> Duration {
            let content = NoticeContent(title: "Mail")
            let series = NoticeSeries(id: "mail", content: content, spacing: .seconds(60), count: count)
            let pending = try series.requests(startingAt: Date(timeIntervalSince1970: 0)).map {
                PendingNotice(request: $0, next: nil, fired: 0)
            }
            return processorTime(leastOf: 3) {
                let replaced = ReplacedRequest(pending.map(\.id), in: pending, zone: .utc)
                #expect(replaced?.words == "'Mail', \(count) of a series")
            }
        }
        // Ten times as many take ten times as long, and a hundred times where each is looked for among all.
        #expect(try time(5_000) < time(500) * 40)
    }
}
