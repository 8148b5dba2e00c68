import Belfry
import BelfryAgent
import BelfryAgentService
import BelfryBus
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite(
    "One call can't end the agent, or keep it busy",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentLimitsTests {
    private static let poison = [
        #""misfire":{"deliverLate":{"within":[9223372036854775807,0]}},"content":{"title":"T"}"#,
        #""content":{"title":"T","expiry":{"after":{"_0":[500000000000000000,0]}}}"#,
        #""content":{"title":"T"},"trigger":{"kind":"location","value":{"region":{"latitude":1,"longitude":1,"radius":9},"#
            + #""edge":"entry","dwell":[900000000000000000,0],"repeats":false}}"#,
        #""content":{"title":"T"},"trigger":{"kind":"recurrence","value":{"rule":{"rrule":{"_0":"FREQ=DAILY"}},"#
            + #""zone":"UTC","starting":1e19}}"#,
        #""content":{"title":"T"},"trigger":{"kind":"forwarded-dates","value":{"repeats":true,"original":1,"#
            + #""dates":[1e19]}}"#,
    ]

    @Test("A number that no clock can hold is refused by name, by every method that takes a request", arguments: poison)
    func numbers(_ fields: String) async throws {
        let world = try await AgentWorld()
        let request = #"{"id":"x","# + fields + "}"
        try await world.agent {
            let caller = try await RawCaller(world)
            let response =
                #"{"id":"r","requestID":"x","deliveryID":"d","kind":{"opened":{}},"at":0,"userInfo":{},"#
                + #""request":"# + request + "}"
            let codes = [
                await caller.call("Add", .strings([request]), .boolean(true)),
                await caller.call("Show", .string(request)),
                await caller.call(
                    "Synchronize",
                    .string("owner"),
                    .strings([#"{"key":"k","fingerprint":"f","name":"n","requests":["# + request + "]}"]),
                    .boolean(false)
                ),
                await caller.call("Snooze", .string(response), .string("belfry.snooze.after.300")),
            ]
            for code in codes {
                // A trigger is not looked at where the notice is shown now, or again.
                #expect(code != nil || fields.contains("forwarded-dates"), "\(codes)")
                #expect(["invalidInterval", "invalidComponent", nil].contains(code), "\(codes)")
            }
            #expect(codes[0] != nil && codes[2] != nil)
            try await world.clock.advance(by: .seconds(86_400))
            let sound = String(decoding: try JSONEncoder().encode(world.request("sound")), as: UTF8.self)
            #expect(await caller.call("Add", .strings([sound]), .boolean(true)) == nil)
            try await world.clock.advance(by: .seconds(60))
            #expect(world.recorder().deliveries.map(\.requestID).last == "sound")
        }
        // What was stored lets the next agent start.
        try await world.agent {
            let caller = try await RawCaller(world)
            #expect(await caller.call("Pending", .uint32(0)) == nil)
        }
    }

    @Test("An expiry in a preview, a badge, a query's date, a deep nesting, a long text")
    func others() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            let caller = try await RawCaller(world)
            let content = #"{"title":"T","expiry":{"after":{"_0":[500000000000000000,0]}}}"#
            #expect(
                await caller.call("PreviewDelivery", .string(content), .string("x"), .strings([])) == "invalidInterval"
            )
            #expect(await caller.call("History", .string(#"{"from":1e19,"newestFirst":false}"#), .uint32(0)) != nil)
            #expect(await caller.call("SetBadge", .int64(.min)) != nil)
            let deep = String(repeating: "[", count: 100_000)
            let nested = String(repeating: #"{"k":"#, count: 500) + "1" + String(repeating: "}", count: 500)
            let members = (0..<12).map { #""k\#($0)":"# + nested }.joined(separator: ",")
            let long = String(repeating: #"{"a":1},"#, count: 40_000)
            let longer = String(repeating: long, count: 7)
            for text in [
                deep, #"{"id":"x","content":{"title":"T","userInfo":{"# + members + "}}}",
                #"{"id":"x","content":{"title":"T","userInfo":{"list":["# + long + "1]}}}",
                #"{"id":"x","content":{"title":"T","userInfo":{"list":["# + longer + "1]}}}",
            ] {
                let (_, failure) = await caller.call(
                    "Add",
                    of: [.string(caller.app), .strings([text]), .boolean(true)]
                )
                #expect(failure?.code == "invalidContent", "\(String(describing: failure))")
                let message = failure?.message ?? ""
                let reasons = ["is not the JSON", "nested deeper than", "262144 are the most", "2097152 are the most"]
                #expect(reasons.contains { message.contains($0) }, "\(message)")
            }
        }
    }

    @Test(
        "A nesting of ten thousand levels is refused wherever it is, and the agent goes on",
        arguments: [
            #"{"id":"x","future":DEEP,"content":{"title":"T"}}"#, #"{"id":"x","content":{"title":"T","future":DEEP}}"#,
            #"{"id":"x","content":{"title":"T","userInfo":{"k":DEEP}}}"#,
            #"{"id":"x","content":{"title":"T"},"trigger":{"kind":"future","value":DEEP}}"#, "DEEP",
        ]
    )
    func deepNesting(_ text: String) async throws {
        let world = try await AgentWorld()
        try await world.agent {
            let caller = try await RawCaller(world)
            for (opening, closing) in [("[", "]"), (#"{"k":"#, "}")] {
                let deep = String(repeating: opening, count: 10_000) + "1" + String(repeating: closing, count: 10_000)
                let request = text.replacing("DEEP", with: deep)
                #expect(await caller.call("Add", .strings([request]), .boolean(true)) == "invalidContent")
            }
            #expect(await caller.call("Pending", .uint32(0)) == nil)
        }
    }

    @Test("A request that fits in an app's process fits here, also with its keys, escapes and userInfo")
    func longRequests() async throws {
        let world = try await AgentWorld()
        let text = String(repeating: "A \"pot\" of tea\n", count: 700)
        var request = world.request("tea")
        for language in ["ar", "de", "en", "es", "fr", "hi", "it", "ja", "pt", "zh"] {
            let body = String(repeating: text, count: 9)
            request.content.translations[language] = NoticeContent.Translation(body: body)
        }
        for number in 1...20 { request.content.userInfo["\(number)"] = .string(text) }
        try RequestValidation().validate(request)
        try await world.agent {
            try await world.center().add(request)
            #expect(try await world.center().pending().map(\.request) == [request])
        }
    }

    @Test("An app's icon and command are short") func registration() async throws {
        let world = try await AgentWorld()
        let long = String(repeating: "x", count: 1 << 20)
        try await world.agent {
            let caller = try await RawCaller(world)
            func register(_ key: String, _ value: BusValue) async -> String? {
                await caller.call("Register", .string("Tea"), .options([key: value]))
            }
            for icon in [NoticeIcon.named(long), .file("/" + long)] {
                let text = try AgentCoding().text(icon)
                #expect(await register(RegistrationKey.icon, .string(text)) == "invalidContent")
            }
            let empty = Array(repeating: "", count: 1 << 17)
            for command in [["/bin/" + long], ["/bin/true"] + empty] {
                #expect(await register(RegistrationKey.command, .strings(command)) == "invalidContent")
            }
            let icon = try AgentCoding().text(NoticeIcon.named(String(repeating: "x", count: 8_192)))
            #expect(await register(RegistrationKey.icon, .string(icon)) == nil)
            #expect(await register(RegistrationKey.command, .strings(["/bin/true", "--response"])) == nil)
        }
    }

    @Test("A snooze has an identifier as requests have, and a count that the next agent can read")
    func snoozes() async throws {
        let world = try await AgentWorld()
        let choice = BusValue.string("belfry.snooze.after.300")
        func response(_ id: String, snoozes: Int) -> BusValue {
            .string(
                #"{"id":"r","requestID":"\#(id)","deliveryID":"d","kind":{"opened":{}},"at":0,"userInfo":{},"#
                    + #""request":{"id":"x","content":{"title":"T"}},"snoozes":\#(snoozes)}"#
            )
        }
        try await world.agent {
            let caller = try await RawCaller(world)
            try await world.center().add(world.request("later", after: 3_600))
            for id in ["", String(repeating: "x", count: 5_000)] {
                #expect(await caller.call("Snooze", response(id, snoozes: 0), choice) == "invalidIdentifier")
            }
            #expect(await caller.call("Snooze", response("most", snoozes: 2_147_483_647), choice) == nil)
            #expect(await caller.call("Snooze", response("negative", snoozes: -7), choice) == nil)
        }
        try await world.agent {
            let counts = try await world.center().pending().map { ($0.id, $0.snoozeCount) }
            #expect(
                Dictionary(uniqueKeysWithValues: counts) == ["later": 0, "most": 2_147_483_647, "negative": 1]
            )
        }
    }

    @Test("A picture of a million pixels goes through") func pictures() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let pixels = NoticeImage.Pixels(width: 1_000, height: 1_000, hasAlpha: true, bytes: bytes)
            try await world.center().run { center in
                _ = try await center.show(
                    NoticeRequest(id: "x", content: NoticeContent(title: "T", image: .pixels(pixels)))
                )
            }
            #expect(world.recorder().deliveries.first?.content.image == .pixels(pixels))
        }
    }

    @Test(
        "An application's identifier has the form of a bus name",
        arguments: [
            "-rf", "org..x", ".org", "org.", "", "org.-x", "a/b", "..", "org.exämple.x",
        ]
    )
    func identifiers(_ id: String) async throws {
        let storage = AgentStorage(path: "/tmp")
        let error = #expect(throws: NoticeError.self) { try storage.folder(of: id) }
        #expect(error?.code == .invalidIdentifier)
        #expect(try storage.folder(of: "org.example-2.Tea_Time") == "/tmp/org.example-2.Tea_Time")
    }
}
