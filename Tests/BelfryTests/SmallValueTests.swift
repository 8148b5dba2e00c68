import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Values that apps read, store and print", .takesTurns, .timeLimit(.minutes(5)))
struct SmallValueTests {
    @Test(
        "A snooze is stored as the identifier of its button, and what is none is refused",
        arguments: [
            (SnoozeChoice.after(.seconds(300)), "belfry.snooze.after.300"),
            (.tomorrow(hour: 9, minute: 5), "belfry.snooze.tomorrow.09:05"),
        ]
    )
    func snoozes(choice: SnoozeChoice, text: String) throws {
        #expect(String(decoding: try JSONEncoder().encode([choice]), as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([SnoozeChoice].self, from: Data("[\"\(text)\"]".utf8)) == [choice])
        for wrong in ["", "belfry.snooze.after.0", "belfry.snooze.tomorrow.24:00", "belfry.snooze.sometime"] {
            let error = #expect(throws: NoticeError.self) {
                try JSONDecoder().decode([SnoozeChoice].self, from: Data("[\"\(wrong)\"]".utf8))
            }
            #expect(error?.message == "'\(wrong)' is no snooze, as 'belfry.snooze.after.300' is.")
        }
    }

    @Test("JSON values are read by their type; a whole number is a number too, and nothing else is converted")
    func json() {
        let values: [JSONValue] = [.bool(true), .int(3), .double(0.5), .string("x"), .null]
        #expect(values.map(\.boolValue) == [true, nil, nil, nil, nil])
        #expect(values.map(\.intValue) == [nil, 3, nil, nil, nil])
        #expect(values.map(\.doubleValue) == [nil, 3, 0.5, nil, nil])
        #expect(values.map(\.stringValue) == [nil, nil, nil, "x", nil])
    }

    @Test("A chain names the backends that it skips, with their errors, and none before the first call")
    func skipped() async throws {
        let (first, second) = (RecorderBackend(name: "first"), RecorderBackend(name: "second"))
        let gone = NoticeError(.noServer, "Nobody is there.")
        first.failAll(with: gone, on: .capabilities)
        let clock = ManualTriggerClock()
        let chain = BackendChain([first, second], clock: .manual(clock))
        #expect(chain.skipped.isEmpty)
        try await NoticeCenter(app: AppIdentity(id: "org.example.Chain"), backend: chain, clock: .manual(clock))
            .run { center in
                _ = try await center.show(NoticeRequest(id: "tea", title: "Tea"))
                #expect(chain.skipped.map(\.name) == ["first"] && chain.skipped.map(\.error) == [gone])
            }
    }

    @Test("A recurrence that ends before it starts is refused with both dates")
    func backwards() throws {
        let error = #expect(throws: NoticeError.self) {
            let (start, end) = (Date(timeIntervalSince1970: 86_400), Date(timeIntervalSince1970: 0))
            try RecurrenceTrigger(.onCalendar("daily"), starting: start, until: end).validate()
        }
        #expect(
            error?.message == "The recurrence ends (1970-01-01T00:00:00Z) before it starts (1970-01-02T00:00:00Z)."
        )
        #expect(error?.code == .neverFires)
    }

    @Test("An app that only awaits a delegate's call need not write its methods") func delegate() async throws {
        final class Silent: NoticeCenterDelegate {}
        try await World.run { world in
            await world.center.setDelegate(Silent())
            try await world.center.add(.sample("tea"))
            try await world.clock.settle()
            try await world.person(.open, on: "tea")
            await world.center.quiet()
            #expect(try await world.history(of: "tea") == [.delivered, .responded])
        }
    }
}
