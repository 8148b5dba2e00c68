import Belfry
import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("A whole center in simulated time", .takesTurns, .timeLimit(.minutes(5)))
struct CenterInSimulatedTimeTests {
    private let app = AppIdentity(id: "org.example.Birthdays")

    @Test("Ten years of a thousand birthdays pass in seconds at most, each delivered on its day")
    func remembersBirthdays() async throws {
        let clock = ManualTriggerClock()
        let recorder = RecorderBackend()
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
        let start = clock.date
        try await center.run { center in
            for number in 0..<1000 {
                let fields = DateFields(month: number % 12 + 1, day: number % 28 + 1, hour: number % 24)
                try await center.add(
                    NoticeRequest(
                        id: "person \(number)",
                        content: NoticeContent(title: "Birthday"),
                        trigger: CalendarTrigger(matching: fields, repeats: true)
                    )
                )
            }
            // Ten Gregorian years, the leap days in.
            try await clock.advance(to: start.addingTimeInterval(3653 * 86_400))
        }
        #expect(recorder.deliveries.count == 10_000)
        #expect(recorder.deliveries.allSatisfy { $0.late == .zero })
        #expect(Set(recorder.deliveries.map(\.requestID)).count == 1000)
        #expect(recorder.shown.count == 1000)
    }

    @Test("A server that goes away is waited for in simulated time, and the answer comes back")
    func retriesInSimulatedTime() async throws {
        let clock = ManualTriggerClock()
        let recorder = RecorderBackend()
        let center = NoticeCenter(app: app, backend: recorder, clock: .manual(clock))
        try await center.run { center in
            recorder.removeServer()
            try await center.add(
                NoticeRequest(id: "tea", title: "Tea", trigger: .after(.seconds(60)))
            )
            try await clock.advance(by: .seconds(600))
            #expect(recorder.deliveries.isEmpty)
            #expect(try await center.history(HistoryQuery(requestID: "tea")).contains { $0.outcome == .retrying })
            recorder.restoreServer()
            try await clock.settle()
            let delivery = try recorder.expectDelivery(of: "tea")
            #expect(delivery.late >= .seconds(500))
            let responses = await center.responses()
            try recorder.simulate(.open, on: "tea")
            try await clock.settle()
            for await response in responses {
                #expect(response.kind == .opened)
                break
            }
        }
    }
}
