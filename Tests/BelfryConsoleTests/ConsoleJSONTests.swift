import Belfry
import BelfryConsole
import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@Suite("The console writes JSON", .takesTurns)
struct ConsoleJSONTests {
    private func lines(
        _ deliveries: Delivery...,
        zone: ZoneRules = .utc,
        then: (ConsoleBackend, [DeliveryReceipt]) async throws -> Void = { _, _ in }
    ) async throws -> [String] {
        let log = TextLog()
        let backend = ConsoleBackend(format: .json, output: log.output, input: nil, zone: zone)
        var receipts: [DeliveryReceipt] = []
        for delivery in deliveries { receipts.append(try await backend.deliver(delivery)) }
        try await then(backend, receipts)
        return log.all
    }

    private func object(_ line: String) throws -> [String: Any] {
        #expect(line.hasSuffix("}\n"))
        #expect(line.filter { $0.isNewline }.count == 1)
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test("One object on a line, keys sorted, absent where there is nothing")
    func writesTheLeast() async throws {
        let lines = try await lines(makeDelivery())
        #expect(
            lines == [
                #"{"app":"org.example.Tea","at":"2027-01-15T08:00:00Z","delivery":"delivery of tea","id":"tea","#
                    + #""late":0,"level":"active","title":"Tea is ready"}"# + "\n"
            ]
        )
    }

    @Test("Every field stands in the object")
    func writesEverything() async throws {
        let content = NoticeContent(
            title: "Ä \"quoted\" / 🫖",
            subtitle: "Sub",
            body: "line\nline",
            icon: .named("tea"),
            image: .file("/pot.png"),
            sound: .named("bell"),
            level: .timeSensitive,
            actions: [
                NoticeAction("a", title: "Again", icon: "redo"),
                NoticeAction("r", title: "Say", kind: .reply(placeholder: "What?")),
            ],
            progress: 0.25,
            userInfo: ["n": .int(7)]
        ).with {
            $0.bodyFormat = .markup
            $0.category = "drinks"
            $0.thread = "kitchen"
            $0.badge = 0
            $0.desktop.expiry = .after(.milliseconds(1500))
        }
        var delivery = makeDelivery("tea", content, late: .microseconds(2_345_678))
        delivery.lost = [DeliveryReceipt.LostFeature(.body, "cut")]
        delivery.series = "pot"
        delivery.isPossiblyRepeated = true
        let line = try await lines(delivery, zone: try .named("Asia/Kathmandu"))[0]
        let found = try object(line)
        let expected: [String: Any] = [
            "id": "tea", "delivery": "delivery of tea", "app": "org.example.Tea", "title": "Ä \"quoted\" / 🫖",
            "subtitle": "Sub", "body": "line\nline", "bodyFormat": "markup", "at": "2027-01-15T13:45:02+05:45",
            "late": 2.346, "level": "timeSensitive", "thread": "kitchen", "series": "pot", "category": "drinks",
            "actions": [
                ["id": "a", "title": "Again", "icon": "redo"], ["id": "r", "title": "Say", "reply": "What?"],
            ],
            "progress": 0.25, "badge": 0, "icon": "tea", "image": "/pot.png", "sound": "bell", "expires": 1.5,
            "possiblyRepeated": true, "lost": ["body: cut"], "userInfo": ["n": 7],
        ]
        #expect(NSDictionary(dictionary: found) == NSDictionary(dictionary: expected))
        let keys = line.matches(of: /"(\w+)":/).map { String($0.1) }
        let outer = keys.filter { found[$0] != nil && !["n", "reply"].contains($0) }
        #expect(outer.first == "actions")
    }

    @Test("Any text comes back byte for byte, on one line, with nothing that a terminal obeys")
    func escapesText() async throws {
        let nasty = "\u{1B}[31m\u{9B}2J\u{7F}\u{85}\u{2028}\u{2029}\r\n\t\0\u{FFFF}\\\"'"
        let line = try await lines(makeDelivery(nasty, NoticeContent(title: nasty, body: nasty)))[0]
        let found = try object(line)
        #expect((found["title"] as? String).map { Array($0.utf8) } == Array(nasty.utf8))
        #expect(found["id"] as? String == nasty)
        #expect(!line.dropLast().unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
    }

    @Test("Numbers that JSON lacks are texts, and no crash")
    func survivesOddNumbers() async throws {
        let content = NoticeContent(title: "Odd", progress: .nan, userInfo: ["x": .double(-.infinity)])
        let found = try object(try await lines(makeDelivery("odd", content))[0])
        #expect(found["progress"] as? String == "NaN")
    }

    @Test("Taking back is an object of its own kind, once")
    func takesBack() async throws {
        let lines = try await lines(makeDelivery()) { backend, receipts in
            try await backend.withdraw(receipts[0])
            try await backend.withdraw(receipts[0])
        }
        #expect(lines.dropFirst() == ["{\"withdrawn\":{\"id\":\"tea\"}}\n"])
    }

    @Test("The time follows the zone of the moment where none is given")
    func followsTheSystem() async throws {
        let log = TextLog()
        _ = try await ConsoleBackend(format: .json, output: log.output, input: nil).deliver(makeDelivery())
        let at = try #require(try object(log.text)["at"] as? String)
        let date = try #require(ISO8601DateFormatter().date(from: at))
        #expect(date == Date(timeIntervalSince1970: 1_800_000_000))
    }
}
