import BelfryRecorder
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@testable import Belfry

@Suite("Numbers from outside are bounded where they come in", .takesTurns)
struct NumberBoundsTests {
    private static let endless = Duration(secondsComponent: .max, attosecondsComponent: 0) + .seconds(Int64.max)

    @Test("A duration of more seconds than 64 bits hold is converted all the same") func durations() {
        #expect(Self.endless.seconds > 1.8e19)
        #expect(Self.endless.microseconds == Int64.max / 4)
        #expect((.zero - Self.endless).microseconds == -(Int64.max / 4))
    }

    /// Of a JSON text, what is thrown when it is read as a request.
    private func refusal(_ fields: String) -> NoticeError? {
        let text = #"{"id":"x","content":{"title":"T"},"# + fields + "}"
        do {
            _ = try JSONDecoder().decode(NoticeRequest.self, from: Data(text.utf8))
            return nil
        } catch { return error as? NoticeError }
    }

    @Test(
        "A stored or sent number that is beyond its bound is refused with its name",
        arguments: [
            (
                #""misfire":{"deliverLate":{"within":[9223372036854775807,0]}}"#, "within",
                NoticeError.Code.invalidInterval
            ),
            (#""misfire":{"deliverLate":{"within":[-9223372036854775808,0]}}"#, "within", .invalidInterval),
            (
                #""trigger":{"kind":"location","value":{"region":{"latitude":1,"longitude":1,"radius":9},"edge":"entry","#
                    + #""dwell":[900000000000000000,0],"repeats":false}}"#, "dwell", .invalidInterval
            ),
            (#""trigger":{"kind":"date","value":{"date":1e19}}"#, "date", .invalidComponent),
            (
                #""trigger":{"kind":"recurrence","value":{"rule":{"rrule":{"_0":"FREQ=DAILY"}},"zone":"UTC","#
                    + #""starting":1e19}}"#, "starting", .invalidComponent
            ),
            (#""trigger":{"kind":"interval","value":{"seconds":1e19}}"#, "interval", .invalidInterval),
            (
                #""trigger":{"kind":"interval","value":{"seconds":60,"repeats":true,"times":2147483648}}"#, "times",
                .invalidContent
            ),
            (#""escalation":[{"from":9223372036854775807}]"#, "from", .invalidContent),
            (#""seriesPlace":{"number":1,"count":2,"kept":2,"first":-1e18}"#, "first", .invalidComponent),
        ]
    )
    func decoded(_ fields: String, _ name: String, _ code: NoticeError.Code) throws {
        let error = try #require(refusal(fields))
        #expect(error.code == code && error.message.contains(name), "\(error)")
    }

    @Test("The last date of all, which is beyond 9999 in UTC where the zone is west of Greenwich, is read back")
    func lastDate() throws {
        let trigger = CalendarTrigger(
            matching: DateFields(year: 9_999, month: 12, day: 31, hour: 23),
            repeats: false,
            options: .init(zone: .named("America/Los_Angeles"))
        )
        let next = try #require(trigger.nextDate(after: World.start, in: TriggerContext(zone: .utc)))
        let notice = PendingNotice(request: .sample("x", trigger), next: next, fired: 0)
        let read = try JSONDecoder().decode(PendingNotice.self, from: JSONEncoder().encode(notice))
        #expect(read.next == next)
    }

    @Test("An expiry of 2^63 s, a badge of 2^31") func contents() {
        for (field, name) in [
            (#""expiry":{"after":{"_0":[500000000000000000,0]}}"#, "_0"), (#""badge":2147483648"#, "badge"),
        ] {
            let text = #"{"title":"T","# + field + "}"
            let error = #expect(throws: NoticeError.self) {
                try JSONDecoder().decode(NoticeContent.self, from: Data(text.utf8))
            }
            #expect(error?.message.contains(name) == true)
        }
    }

    @Test("Readings of a clock that no clock shows are refused where a store's text is read") func readings() {
        func fails<Value: Decodable>(_ type: Value.Type, _ text: String) {
            #expect(throws: NoticeError.self, "\(text)") { try JSONDecoder().decode(type, from: Data(text.utf8)) }
        }
        fails(TriggerInstant.self, #"{"wall":9223372036854775807,"boot":1}"#)
        fails(TriggerInstant.self, #"{"wall":1,"boot":-9223372036854775808}"#)
        fails(DeliveryWait.self, #"{"for":"snoozeOnBoot","until":9223372036854775807}"#)
        // Seconds, which become too many microseconds.
        for time in ["10000000000000", "-10000000000000"] {
            fails(DeliveryWait.self, #"{"for":"snoozeToLocal","until":0,"local":\#(time)}"#)
        }
        fails(SummaryRule.self, #"{"moreThan":1,"within":9223372036854775807}"#)
    }

    @Test("In this process as well, add names what is too large, and nothing traps when it is due")
    func added() async throws {
        try await World.run { world in
            func refused(
                _ code: NoticeError.Code,
                _ name: String,
                _ trigger: (any NoticeTrigger)? = nil,
                _ change: (inout NoticeRequest) -> Void = { _ in }
            ) async {
                var request = NoticeRequest.sample("x", trigger)
                change(&request)
                let error = await expectError(code) { try await world.center.add(request) }
                #expect(error?.message.contains(name) == true, "\(String(describing: error))")
            }
            let never = Date(timeIntervalSince1970: 1e19)
            await refused(.invalidInterval, "within") { $0.misfire = .deliver(within: Self.endless) }
            await refused(.invalidContent, "expiry") { $0.content.desktop.expiry = .after(Self.endless) }
            await refused(.invalidInterval, "interval", Ticking(interval: Self.endless))
            await refused(.invalidInterval, "years", IntervalTrigger(after: Self.endless))
            await refused(.invalidContent, "badge") { $0.content.badge = 1 << 31 }
            await refused(.invalidContent, "from") {
                $0.escalation = [NoticeSeries.EscalationStep(from: .max, title: "!")]
            }
            await refused(.invalidComponent, "date", DateTrigger(date: never))
            // A store could not read it back.
            let often = 1 << 31
            let fields = DateFields(hour: 8)
            await refused(
                .invalidComponent,
                "\(often)",
                CalendarTrigger(matching: fields, repeats: true, options: .init(count: often))
            )
            await refused(.invalidInterval, "\(often)", IntervalTrigger(every: .seconds(60), count: often))
            await refused(.invalidComponent, "\(often)", try RecurrenceTrigger(.onCalendar("daily"), count: often))
            await refused(
                .invalidComponent,
                "starting",
                CalendarTrigger(matching: DateFields(hour: 8), repeats: true, options: .init(starting: never))
            )
            #expect(throws: NoticeError.self) { try RecurrenceTrigger(.rrule("FREQ=DAILY"), starting: never) }
            var longest = NoticeRequest.sample("longest")
            longest.misfire = .deliver(within: NumberBounds.longestDuration)
            try await world.center.add(longest)
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.shownIDs() == ["longest"])
        }
    }

    private struct Ticking: ElapsedTimeTrigger {
        static let kind: TriggerKind = "ticking"
        var interval: Duration
        var repeats: Bool { false }
    }

    @Test("Poison in a store is dormant, is told of by name, and stops nothing else") func stored() async throws {
        let store = MemoryRequestStore()
        let start = Int64(World.start.timeIntervalSince1970) * 1_000_000
        let poison: [(String, any NoticeTrigger, TriggerProgress)] = [
            ("anchor", .every(.seconds(60)), TriggerProgress(anchor: .max)),
            ("fired", .every(.seconds(60)), TriggerProgress(anchor: 0, fired: .max)),
            ("lastDue", .after(.seconds(60)), TriggerProgress(anchor: 0, lastDue: .min)),
            (
                "lastLocal", CalendarTrigger(matching: DateFields(hour: 8), repeats: true),
                TriggerProgress(anchor: start, lastLocal: 10_000_000_000_000)
            ),
            ("interval", .after(Self.endless), TriggerProgress(anchor: 0)),
            ("date", .date(Date(timeIntervalSince1970: 1e19)), TriggerProgress(anchor: start)),
        ]
        for (number, (id, trigger, progress)) in poison.enumerated() {
            try await store.commit([.putRequest(.sample(id, trigger), revision: Int64(number + 1), progress)])
        }
        let sound = NoticeRequest.sample("sound", .date(World.start.addingTimeInterval(60)))
        try await store.commit([.putRequest(sound, revision: 9, TriggerProgress(anchor: start))])
        try await World.run(store: store) { world in
            try await world.clock.advance(by: .seconds(86_400))
            #expect(world.shownIDs() == ["sound"])
            #expect(try await world.pendingIDs().sorted() == poison.map(\.0).sorted())
            for (id, _, _) in poison {
                #expect(try await world.lastDetail(of: id, .dormant)?.contains(id) == true, "\(id)")
            }
            try await world.center.remove(poison.map(\.0))
            #expect(try await world.pendingIDs() == [])
        }
    }
}
