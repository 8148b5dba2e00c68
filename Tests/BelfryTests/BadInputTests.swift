import Belfry
import BelfryRecorder
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite("Bad input is a typed error or a defined cut, never a crash", .takesTurns)
struct BadInputTests {
    struct Custom: ElapsedTimeTrigger {
        static let kind: TriggerKind = "custom"
        var interval: Duration
        var repeats: Bool
    }

    private static func content(_ change: (inout NoticeContent) -> Void) -> NoticeRequest {
        var request = NoticeRequest.sample("x", .after(.seconds(60)))
        change(&request.content)
        return request
    }

    private static let requests: [(String, NoticeRequest, NoticeError.Code)] = {
        let file = "/nowhere/at/all.png"
        func custom(_ interval: Duration, _ repeats: Bool) -> NoticeRequest {
            .sample("x", Custom(interval: interval, repeats: repeats))
        }
        return [
            ("an empty identifier", .sample(""), .invalidIdentifier),
            ("a long identifier", .sample(String(repeating: "ä", count: 513)), .invalidIdentifier),
            ("an identifier with NUL", .sample("a\u{0}b"), .invalidIdentifier),
            ("no text", content { ($0.title, $0.body) = ("", "") }, .emptyContent),
            ("only white space", content { ($0.title, $0.body) = (" \n\t", "\u{2003}") }, .emptyContent),
            ("only control characters", content { ($0.title, $0.body) = ("\u{0}\u{1B}", "\u{7F}") }, .emptyContent),
            ("progress 1.5", content { $0.progress = 1.5 }, .invalidContent),
            ("progress −0.1", content { $0.progress = -0.1 }, .invalidContent),
            ("progress NaN", content { $0.progress = .nan }, .invalidContent),
            ("progress ∞", content { $0.progress = .infinity }, .invalidContent),
            ("relevance 2", content { $0.relevance = 2 }, .invalidContent),
            ("relevance NaN", content { $0.relevance = .nan }, .invalidContent),
            ("38: a negative badge", content { $0.badge = -1 }, .invalidContent),
            ("an expiry of nothing", content { $0.desktop.expiry = .after(.zero) }, .invalidContent),
            ("an expiry of years", content { $0.desktop.expiry = .after(.seconds(Int64.max)) }, .invalidContent),
            ("an action without name", content { $0.actions = [NoticeAction("", title: "?")] }, .invalidContent),
            (
                "an action's name with newline", content { $0.actions = [NoticeAction("a\n", title: "?")] },
                .invalidContent
            ),
            (
                "two actions of one name",
                content { $0.actions = [NoticeAction("a", title: "1"), NoticeAction("a", title: "2")] }, .invalidContent
            ),
            ("an image that isn't there", content { $0.image = .file(file) }, .fileUnreadable),
            ("an image that is a device", content { $0.image = .file("/dev/zero") }, .fileUnreadable),
            ("a sound that is a device", content { $0.sound = .file("/dev/zero") }, .fileUnreadable),
            ("an image that is a folder", content { $0.image = .file("/") }, .fileUnreadable),
            ("a relative path", content { $0.icon = .file("icon.png") }, .fileUnreadable),
            ("an empty path", content { $0.sound = .file("") }, .fileUnreadable),
            ("a path with NUL", content { $0.icon = .file("/etc/hostname\u{0}") }, .fileUnreadable),
            (
                "an attachment that isn't there",
                content { $0.attachments = [NoticeAttachment(id: "a", path: file)] }, .fileUnreadable
            ),
            ("an image of no size", pixels(0, 0, nil, 0), .invalidContent),
            ("an image too large", pixels(2_048, 1, nil, 1 << 20), .invalidContent),
            ("an image with too few bytes", pixels(10, 10, nil, 299), .invalidContent),
            ("an image of impossible size", pixels(.max, .max, nil, 3), .invalidContent),
            ("an image with an impossible stride", pixels(10, 10, .max, 3), .invalidContent),
            ("an image with a negative stride", pixels(10, 10, .min, 3), .invalidContent),
            ("a hint that is not a number", content { $0.desktop.hints = ["x": .double(.nan)] }, .invalidContent),
            ("a hint's name with NUL", content { $0.desktop.hints = ["x\u{0}": .bool(true)] }, .invalidContent),
            (
                "app data that JSON can't hold",
                content { $0.userInfo = ["x": .array([.object(["y": .double(.infinity)])])] },
                .invalidContent
            ),
            ("a zero interval of a custom kind", custom(.zero, false), .invalidInterval),
            ("a short repeat of a custom kind", custom(.seconds(59), true), .intervalTooShort),
            (
                "an unknown kind", .sample("x", TriggerRegistry.UnknownTrigger(storedKind: "tide", payload: .null)),
                .unknownTriggerKind
            ),
            (
                "a date out of range", .sample("x", DateTrigger(date: Date(timeIntervalSince1970: 1e18))),
                .invalidComponent
            ),
            (
                "a date that is none", .sample("x", DateTrigger(date: Date(timeIntervalSince1970: .nan))),
                .invalidComponent
            ),
            ("a place, without a provider", place(50, 10, 100), .locationUnavailable),
            ("a latitude of 91°", place(91, 10, 100), .invalidRegion),
            ("a longitude of NaN", place(50, .nan, 100), .invalidRegion),
            ("a latitude that is no number", place(.nan, 10, 100), .invalidRegion),
            ("a longitude without end", place(50, -.infinity, 100), .invalidRegion),
            ("a radius of nothing", place(50, 10, 0), .invalidRegion),
            ("a radius without end", place(50, 10, .infinity), .invalidRegion),
            ("a radius that is no number", place(50, 10, .nan), .invalidRegion),
            ("a radius of 1,001 km", place(50, 10, 1_001_000), .invalidRegion),
        ]
    }()

    private static func pixels(_ width: Int, _ height: Int, _ stride: Int?, _ count: Int) -> NoticeRequest {
        content {
            $0.image = .pixels(
                NoticeImage.Pixels(
                    width: width,
                    height: height,
                    rowStride: stride,
                    hasAlpha: false,
                    bytes: Array(repeating: 0, count: count)
                )
            )
        }
    }

    private static func place(_ latitude: Double, _ longitude: Double, _ radius: Double) -> NoticeRequest {
        .sample("x", LocationTrigger(region: CircularRegion(latitude: latitude, longitude: longitude, radius: radius)))
    }

    @Test("A request that makes no sense is refused by add and show, and leaves nothing") func refused() async throws {
        try await World.run { world in
            for (name, request, code) in Self.requests {
                let error = await expectError(code) { try await world.center.add(request) }
                #expect(error != nil, "\(name)")
                #expect((error?.message.count ?? 0) > 20, "\(name)")
                #expect(error?.isTransient == false, "\(name)")
            }
            for (name, request, code) in Self.requests where request.trigger is IntervalTrigger {
                let error = await expectError(code) { _ = try await world.center.show(request) }
                #expect(error != nil, "\(name)")
            }
            await world.center.quiet()
            let (pending, history) = (try await world.pendingIDs(), try await world.history())
            #expect(pending == [] && history == [])
            #expect(world.recorder.attempts == [])
        }
    }

    @Test("What is at the edge is taken") func taken() async throws {
        try await World.run { world in
            var request = NoticeRequest.sample(String(repeating: "x", count: 1_024))
            request.content.progress = 1
            request.content.relevance = 0
            request.content.badge = 0
            request.content.image = .pixels(
                NoticeImage.Pixels(width: 1, height: 1, hasAlpha: true, bytes: [1, 2, 3, 4])
            )
            request.content.title = ""
            request.content.desktop.hints = ["x-size": .double(.greatestFiniteMagnitude)]
            let shown = try await world.center.show(request)
            #expect(shown.receipt.lost == [])
        }
    }

    @Test("Reading of unreadable data is an error, not a trap")
    func unreadable() {
        for text in [
            "{}", "[]", "{\"id\": 7}", "{\"id\":\"x\",\"content\":7}",
            "{\"id\":\"x\",\"content\":{\"title\":\"t\"},\"trigger\":{\"kind\":\"interval\",\"value\":{\"seconds\":1e300}}}",
            "{\"id\":\"x\",\"content\":{\"title\":\"t\"},\"trigger\":{\"kind\":\"interval\",\"value\":{\"seconds\":\"x\"}}}",
            "{\"id\":\"x\",\"content\":{\"title\":\"t\"},\"trigger\":{\"kind\":\"interval\"}}",
            "{\"id\":\"x\",\"content\":{\"title\":\"t\"},\"trigger\":7}",
            "{\"id\":\"x\",\"content\":{\"title\":\"t\"},\"trigger\":{}}",
        ] {
            #expect(throws: (any Error).self, "\(text)") {
                try JSONDecoder().decode(NoticeRequest.self, from: Data(text.utf8))
            }
        }
    }

    @Test("A hint of the specification reaches every backend with its own type; what can't is refused by add")
    func hints() async throws {
        try await World.run { world in
            func request(_ hints: [String: NoticeContent.Hint]) -> NoticeRequest {
                NoticeRequest(id: "a", content: NoticeContent(title: "A").with { $0.desktop.hints = hints })
            }
            let given: [String: NoticeContent.Hint] = [
                "urgency": .int(2), "transient": .uint(1), "value": .double(40), "x": .int64(-7), "sender-pid": .int(9),
                "category": .string("im"), "x-my-own": .double(0.5),
            ]
            try await world.center.add(request(given))
            await world.center.quiet()
            let shown = try world.recorder.expectDelivery(of: "a")
            #expect(
                shown.content.desktop.hints == [
                    "urgency": .byte(2), "transient": .bool(true), "value": .int(40), "x": .int(-7),
                    "sender-pid": .int64(9), "category": .string("im"), "x-my-own": .double(0.5),
                ]
            )
            let wrong: [(String, NoticeContent.Hint)] = [
                ("urgency", .string("9")), ("urgency", .int(256)), ("transient", .int(2)), ("x", .int64(1 << 40)),
                ("category", .int(1)), ("image-data", .string("x")), ("value", .double(0.5)),
            ]
            for (name, hint) in wrong {
                let error = await #expect(throws: NoticeError.self) {
                    try await world.center.add(request([name: hint]))
                }
                #expect(error?.code == .invalidContent && error?.message.contains("'\(name)'") == true)
            }
        }
    }
}
