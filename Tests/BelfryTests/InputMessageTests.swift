import BelfryRecurrence
import BelfryTestSupport
import Foundation
import Testing

@testable import Belfry

/// Which code each has, and that nothing is added, is tested in ``BadInputTests``.
@Suite("What is wrong with a request is told with its value, and with what would be right", .takesTurns)
struct InputMessageTests {
    private static func message(_ work: () throws -> Void) -> String {
        do { try work() } catch { return (error as? NoticeError)?.message ?? "\(error)" }
        return ""
    }

    private static func content(_ change: (inout NoticeContent) -> Void) -> NoticeRequest {
        var request = NoticeRequest.sample("x", .after(.seconds(60)))
        change(&request.content)
        return request
    }

    private static let contents: [(NoticeRequest, String)] = [
        (.sample(""), "The request's identifier is empty: give it one that is unique in your app."),
        (.sample(String(repeating: "ä", count: 513)), "The request's identifier has 1026 bytes: 1,024 is the most."),
        (.sample("a\u{1B}"), "The request's identifier contains the control character U+1B: leave it out."),
        (.sample("a\u{FFFD}"), "identifiers would be one. Write it in UTF-8."),
        (
            content { ($0.title, $0.body) = (" ", "") },
            "The notice 'x' has no text: give it a title, a subtitle or a body."
        ),
        (content { $0.progress = 1.5 }, "A progress of 1.5: it must be 0 to 1."),
        (content { $0.relevance = -1 }, "A relevance of -1.0: it must be 0 to 1."),
        (content { $0.badge = -1 }, "A badge of -1: it must be 0 or more; 0 removes it."),
        (content { $0.desktop.expiry = .after(.zero) }, "An expiry of 0.0 s: it must be over 0 and at most 24 days."),
        (content { $0.desktop.hints = ["x-a": .double(.nan)] }, "The hint 'x-a' is nan: it must be finite."),
        (
            content { $0.desktop.hints = ["image-data": .bool(true)] },
            "and is set by a field of the content, not by a hint."
        ),
        (content { $0.desktop.hints = ["urgency": .string("9")] }, "and must be of the type byte."),
        (content { $0.actions = [NoticeAction("", title: "Go")] }, "The action 'Go' has no identifier: give it one."),
        (
            content { $0.actions = [NoticeAction("a", title: "1"), NoticeAction("a", title: "2")] },
            "Two actions are named 'a': names must differ."
        ),
        (content { $0.actions = (0..<33).map { NoticeAction("\($0)", title: "A") } }, "33 actions: 32 are the most."),
        (content { $0.icon = .file("icon.png") }, "The icon 'icon.png' is not an absolute path."),
        (content { $0.image = .file("/nowhere.png") }, "is not there, can't be read, or is no ordinary file."),
        (content { $0.sound = .file("/a\u{0}b") }, "has a NUL inside: leave it out."),
        (content { $0.userInfo = ["k": .double(.infinity)] }, "The userInfo of 'k' holds a number that is not finite."),
        (
            content { $0.userInfo = ["k": .string(String(repeating: "x", count: 256 << 10))] },
            "bytes: 262144 are the most."
        ),
        (
            content { $0.body = String(repeating: "x", count: 1 << 20) },
            "1048576 are the most. Name large files by their paths."
        ),
        (pixels(width: 0), "The image is a picture of 0 × 1 pixels; each side must be 1 to 2,047."),
        (pixels(stride: 2), "The image is a row stride of 2 bytes; 1 pixels of 3 bytes need 3."),
        (pixels(bytes: 2), "The image is 2 bytes of pixels; the picture needs 3."),
        (pixels(bytes: (16 << 20) + 1), "The image is 16777217 bytes of pixels; 16777216 are the most."),
    ]

    private static func pixels(width: Int = 1, stride: Int? = nil, bytes: Int = 3) -> NoticeRequest {
        let bytes = [UInt8](repeating: 0, count: bytes)
        return content {
            $0.image = .pixels(.init(width: width, height: 1, rowStride: stride, hasAlpha: false, bytes: bytes))
        }
    }

    @Test("Contents") func contentsAndNames() {
        for (request, expected) in Self.contents {
            let message = Self.message { try RequestValidation().validate(request) }
            #expect(message.hasSuffix(expected), "\(message.prefix(300))")
        }
    }

    @Test("Triggers, and what follows a request that gets no response") func triggers() {
        func near(_ latitude: Double, _ longitude: Double, _ radius: Double, dwell: Duration? = nil) -> LocationTrigger
        {
            var trigger = LocationTrigger(
                region: CircularRegion(latitude: latitude, longitude: longitude, radius: radius)
            )
            if let dwell { trigger.dwell = dwell }
            return trigger
        }
        let late = DateFields(hour: 8)
        let ended = CalendarTrigger.Options(
            starting: Date(timeIntervalSince1970: 86_400),
            until: Date(timeIntervalSince1970: 0)
        )
        let cases: [(any NoticeTrigger, String)] = [
            (IntervalTrigger(after: .zero), "An interval of 0.0 s: it must be longer than zero."),
            (
                IntervalTrigger(after: .seconds(Int64(101 * 366 * 86_400))),
                "is over 100 years; use a calendar trigger."
            ),
            (
                IntervalTrigger(every: .seconds(59)),
                "it must be at least 60 s. A series repeats faster, from 1 s on."
            ),
            (
                IntervalTrigger(every: .seconds(60), count: 0),
                "An interval trigger of 0 times: it must be 1 to 2147483647."
            ),
            (
                CalendarTrigger(matching: late, repeats: true, options: .init(count: 0)),
                "of 0 times: it must be 1 to 2147483647."
            ),
            (
                CalendarTrigger(matching: late, repeats: true, options: ended),
                "The trigger ends (1970-01-01T00:00:00Z) before it starts (1970-01-02T00:00:00Z)."
            ),
            (near(91, 0, 9), "A latitude of 91.0°: it must be −90 to 90."),
            (near(0, -181, 9), "A longitude of -181.0°: it must be −180 to 180."),
            (near(0, 0, 0.5), "A radius of 0.5 m: it must be 1 m to 1,000 km."),
            (near(0, 0, 9, dwell: .seconds(-1)), "A dwell time of -1.0 s: it must be 0 to 400 days."),
            (
                TriggerRegistry.UnknownTrigger(storedKind: "tide", payload: .null),
                "The trigger kind 'tide' is not known here: register it where the store is opened."
            ),
        ]
        for (trigger, expected) in cases {
            let message = Self.message { try RequestValidation().validate(.sample("x", trigger)) }
            #expect(message.hasSuffix(expected), "\(message)")
        }
        let nowhere = Self.message { try RequestValidation(hasPositions: false).validate(.sample("x", near(1, 1, 9))) }
        #expect(nowhere.hasSuffix("this center has no location provider: create the center with one."))
    }

    @Test("Series, their escalations, categories and snoozes") func series() {
        let content = NoticeContent(title: "T")
        func series(_ spacing: Duration, _ count: Int, _ escalation: [NoticeSeries.EscalationStep] = []) -> String {
            let series = NoticeSeries(id: "s", content: content, spacing: spacing, count: count, escalation: escalation)
            return Self.message { _ = try RequestValidation().elements(of: series, addedAt: Date()) }
        }
        #expect(series(.seconds(60), 2) == "")
        #expect(series(.seconds(60), 0).hasPrefix("A series of 0 notices: the count must be 1 to "))
        #expect(
            series(.milliseconds(500), 2).hasPrefix("A series spaced by 0.5 s: the spacing must be at least 1 second")
        )
        let steps = (1...101).map { NoticeSeries.EscalationStep(from: $0, title: "!") }
        #expect(series(.seconds(60), 2, steps) == "The escalation of 's' has 101 steps: 100 is the most.")
        let none = NoticeSeries.EscalationStep(from: 0, title: "!")
        #expect(
            series(.seconds(60), 2, [none]) == "An escalation of 's' begins with firing 0: firings are counted from 1."
        )
        let past = NoticeSeries(id: "s", content: content, first: Date() - 3_600, spacing: .seconds(60), count: 2)
        let begun = Self.message { _ = try RequestValidation().elements(of: past, addedAt: Date()) }
        #expect(begun.hasSuffix("more than one spacing ago: begin it now or later."))

        let tea = NoticeCategory("tea", actions: [])
        #expect(
            Self.message { try RequestValidation().validate([tea, tea]) }
                == "Two categories are named 'tea': names must differ."
        )
        let unnamed = NoticeCategory("", actions: [])
        #expect(
            Self.message { try RequestValidation().validate([unnamed]) }
                == "A category has no identifier: give it one."
        )
        #expect(
            Self.message { try SnoozeChoice.after(.zero).validate() }
                == "A snooze of 0.0 s: it must be longer than zero and at most 100 years."
        )
        #expect(
            Self.message { try SnoozeChoice.tomorrow(hour: 24, minute: 0).validate() }
                .hasSuffix("write an hour of 0 to 23 and a minute of 0 to 59.")
        )
    }

    @Test("Quiet hours and region feeds") func settings() throws {
        #expect(
            Self.message { try QuietHours([]).validate() }
                == "Quiet hours of 0 periods: give 1 to 100, or remove the quiet hours."
        )
        let day = try QuietHours.Period(from: TimeOfDay(parsing: "22:00"), to: TimeOfDay(parsing: "7:00"), on: [])
        #expect(
            Self.message { try QuietHours([day]).validate() }
                == "Quiet hours from 22:00 to 7:00 on no weekday: give some, or none at all for every day."
        )
        func feed(_ change: (inout RegionFeed) -> Void) -> String {
            var feed = RegionFeed("shops") { _, _ in [] }
            change(&feed)
            return Self.message { try feed.validate() }
        }
        #expect(feed { _ in } == "")
        #expect(feed { $0.id = "" }.hasSuffix("it must be 1 to 256 bytes without one."))
        #expect(feed { $0.count = 0 } == "A feed of 0 regions: it must be 1 to 1,000.")
        #expect(feed { $0.stride = 9 } == "A stride of 9.0 m: it must be 10 m to 100 km.")
        #expect(feed { $0.largestRadius = 0.5 } == "A largest radius of 0.5 m: it must be 1 m to 1,000 km.")
        #expect(
            feed { $0.timeout = .seconds(601) } == "A timeout of 601.0 s: it must be over 0 and at most 10 minutes."
        )
    }
}
