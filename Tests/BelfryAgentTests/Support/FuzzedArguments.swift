import Belfry
import BelfryBus
import BelfryRecurrence
import Foundation
import SeededRandom

/// Arguments for the methods of the agent: valid ones, of which something was changed.
struct FuzzedArguments {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func argument(_ type: String, of method: String) -> BusValue {
        switch type {
        case "s": .string(text(for: method))
        case "as": .strings((0..<random.pick([0, 1, 1, 2])).map { _ in text(for: method) })
        case "b": .boolean(random.chance(50))
        case "u": .uint32(random.pick([0, 0, 1, 10_000, .max]))
        case "x": .int64(random.pick([0, 1, -1, .min, .max, 1 << 31]))
        case "a{sv}":
            .options([
                "receives": .boolean(random.chance(20)),
                "presents": random.pick([.boolean(false), .string("x"), .int64(.max)]),
                "events": .boolean(random.chance(20)),
                "command": random.pick([.strings(["/bin/true"]), .strings([]), .strings(["true"]), .byte(1)]),
            ])
        default: .string("")
        }
    }

    /// What the method's texts are JSON of, changed in most cases.
    private mutating func text(for method: String) -> String {
        let valid = random.pick(Self.texts[method] ?? Self.names)
        guard random.chance(85), let value = try? JSONDecoder().decode(JSONValue.self, from: Data(valid.utf8)) else {
            return valid
        }
        var changed = value
        for _ in 0..<random.pick([1, 1, 1, 2, 4]) { change(&changed) }
        var bytes = [UInt8](Self.text(changed).utf8)
        if random.chance(5), !bytes.isEmpty { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
        if random.chance(3), !bytes.isEmpty {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = random.pick(Array(0x20...0x7E))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Changes one value somewhere in it.
    private mutating func change(_ value: inout JSONValue) {
        switch value {
        case .array(var elements) where !elements.isEmpty && random.chance(90):
            let index = Int.random(in: 0..<elements.count, using: &random)
            switch random.pick([0, 0, 0, 0, 1, 2]) {
            case 1: elements.remove(at: index)
            case 2: elements += Array(repeating: elements[index], count: random.pick([1, 40]))
            default: change(&elements[index])
            }
            value = .array(elements)
        case .object(var members) where !members.isEmpty && random.chance(95):
            let key = random.pick(members.keys.sorted())
            if random.chance(5) {
                members[key] = nil
            } else if var member = members[key] {
                change(&member)
                members[key] = member
            }
            value = .object(members)
        case .int, .double: value = random.chance(80) ? .int(random.pick(Self.numbers)) : random.pick(Self.others)
        default: value = random.pick(Self.others)
        }
    }

    private static let numbers: [Int64] = [
        .min, .max, .max / 2, 900_000_000_000_000_000, 500_000_000_000_000_000, 1 << 31, -(1 << 31) - 1, 1 << 53,
        -1, 0, 1, 2, 59, 60, 61, 3_600, 86_400, 10_000, 253_402_300_800, 31_557_600_001,
    ]

    private static let others: [JSONValue] =
        [
            .null, true, false, .double(1e19), .double(-1e19), .double(1e300), .double(0.5), .double(-0.0), "", "x",
            "/etc/hostname", "\u{0}", "\u{202E}abc", .string("e" + String(repeating: "\u{301}", count: 9_000)),
            "belfry.snooze.after.1e300", "belfry.snooze.tomorrow.99:99", "9999999999999999999999", [], [:], [1, 2],
            "FREQ=SECONDLY;COUNT=2147483648", "Europe/Berlin", "\u{FFFD}",
            (0..<70).reduce(.null) { value, _ in [value] },
        ] + numbers.map(JSONValue.int)

    private static let names = ["x", "tea", "mail", "", "owner", "\u{FFFD}", "belfry.snooze.after.300"]

    /// By method, what its texts are; all others take names.
    private static let texts: [String: [String]] = {
        let content = text(FuzzedSamples.content)
        let entries = FuzzedSamples.requests.enumerated().map { number, request in
            #"{"key":"\#(number)","fingerprint":"\#(number)","name":"n","requests":[\#(text(request))]}"#
        }
        let responses = FuzzedSamples.responses.map(text)
        return [
            "Add": FuzzedSamples.requests.map(text), "Show": FuzzedSamples.requests.map(text),
            "AddSeries": [text(FuzzedSamples.series)], "Synchronize": entries,
            "Snooze": responses + responses + ["belfry.snooze.after.300", "belfry.snooze.tomorrow.09:00"],
            "Renew": names + [#"{"repeats":true,"original":{"id":"x"},"dates":[800000000,800000060],"beyond":3}"#],
            "History": [text(HistoryQuery(requestID: "x", limit: 3, outcomes: [.delivered], from: .distantPast))],
            "SetCategories": [text([FuzzedSamples.category])], "PreviewDelivery": [content],
            "SetQuietHours": [text(FuzzedSamples.quietHours), "null"],
            "SetAuthorization": [text(AuthorizationStatus.authorized)],
        ]
    }()

    private static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        // The same text in every process.
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// Valid values with something in every field.
private enum FuzzedSamples {
    static let content: NoticeContent = {
        var content = NoticeContent(title: "Tea", subtitle: "Earl Grey", body: "<b>Ready</b>")
        content.bodyFormat = .markup
        content.translations = ["de": .init(title: "Tee", actions: ["a": "Noch"])]
        content.icon = .named("alarm")
        content.image = .pixels(NoticeImage.Pixels(width: 2, height: 1, hasAlpha: true, bytes: Array(0..<8)))
        content.sound = .named("bell")
        content.category = "c"
        content.thread = "t"
        content.actions = [
            NoticeAction("a", title: "A"), NoticeAction("b", title: "B", kind: .reply(placeholder: "…")),
        ]
        content.reportsDismissal = true
        (content.progress, content.badge, content.relevance) = (0.5, 3, 0.25)
        content.desktop.expiry = .after(.seconds(10))
        content.desktop.category = "im.received"
        content.desktop.hints = ["x-hint": .int64(7), "transient": .bool(true), "value": .int(3)]
        content.userInfo = ["list": [1, 2.5, ["k": "v"]], "text": "x"]
        content.summary = ThreadSummary(moreThan: 2, within: .seconds(60), title: "{count}")
        content.desktop.appName = "Kettle"
        return content
    }()

    static let requests: [NoticeRequest] = triggers.enumerated().map { number, trigger in
        NoticeRequest(
            id: "r\(number)",
            content: content,
            trigger: trigger,
            misfire: number.isMultiple(of: 2) ? .deliver(within: .seconds(3_600)) : .skip,
            series: number == 3 ? "s" : nil,
            endsWhenAnswered: true,
            languages: ["de"],
            escalation: [NoticeSeries.EscalationStep(from: 2, level: .timeSensitive, title: "Again", sound: .standard)],
            seriesPosition: NoticeSeries.Position(number: 1, count: 2, kept: 2, first: start)
        )
    }

    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static let triggers: [(any NoticeTrigger)?] = [
        nil, IntervalTrigger(after: .seconds(60)), IntervalTrigger(every: .seconds(60), startsNow: true, count: 3),
        DateTrigger(date: start.addingTimeInterval(600)),
        CalendarTrigger(
            matching: [DateFields(month: 5, day: 10, hour: 8), DateFields(weekday: 3, hour: 19)],
            repeats: true,
            options: .init(zone: .named("Europe/Berlin"), starting: start, count: 7)
        ),
        try? RecurrenceTrigger(
            .rrule("FREQ=WEEKLY;BYDAY=MO"),
            starting: start,
            until: start.addingTimeInterval(1e8),
            count: 2,
            offset: RecurrenceTrigger.Offset(days: -1, seconds: 60)
        ),
        try? RecurrenceTrigger(.cron("*/5 * * * *"), zone: .named("UTC")),
        try? RecurrenceTrigger(.onCalendar("Mon..Fri 09:25")),
        LocationTrigger(
            region: CircularRegion(latitude: 52.5, longitude: 13.4, radius: 100),
            edge: .both,
            dwell: .seconds(60),
            repeats: true,
            during: "Mon..Fri 08..18:*"
        ),
        TriggerRegistry.UnknownTrigger(
            storedKind: "forwarded-interval",
            payload: [
                "repeats": true, "original": ["a": 1], "interval": [3, 4_659_767_778_871_345_152], "startsNow": false,
                "times": 3,
            ]
        ),
        TriggerRegistry.UnknownTrigger(
            storedKind: "forwarded-dates",
            payload: ["repeats": true, "original": ["a": 1], "dates": [821_692_801, 821_692_900], "beyond": 3]
        ),
        TriggerRegistry.UnknownTrigger(storedKind: "tide", payload: ["height": 1.5]),
    ]

    static let series = NoticeSeries(
        id: "s",
        content: content,
        first: start.addingTimeInterval(60),
        spacing: .seconds(60),
        count: 5,
        escalation: [NoticeSeries.EscalationStep(from: 2, title: "Again")]
    )

    static let category = NoticeCategory("c", actions: content.actions, reportsDismissal: true)

    static let quietHours = QuietHours([QuietHours.Period(from: "22:00", to: "07:00", on: [.monday, .tuesday])])

    static let responses: [NoticeResponse] = [NoticeResponse.Kind.opened, .reply(action: "b", text: "x")].map {
        NoticeResponse(
            id: "r",
            requestID: "x",
            deliveryID: "d",
            kind: $0,
            date: start,
            userInfo: content.userInfo,
            request: NoticeRequest(id: "x", content: content),
            thread: "t",
            snoozeCount: 1
        )
    }
}
