import Belfry
import BelfryRecorder
import BelfryTesting
import Foundation
import Testing

@Suite("Code that the articles quote runs")
struct ArticleCodeTests {
    @Test("Looking ahead, and the history of yesterday") func run() async throws {
        let center = NoticeCenter(
            app: AppIdentity(id: "org.example.Tea"),
            backend: RecorderBackend(),
            clock: .manual(ManualTriggerClock())
        )
        try await center.run { center in
            let trigger = CalendarTrigger.weekdays(at: "9:25")
            try await center.add(NoticeRequest(id: "stand-up", title: "Stand-up", trigger: trigger))
            try await ArticleCode().lookAhead(trigger, center)
            try await ArticleCode().history(center, since: .distantPast)
        }
    }
}
