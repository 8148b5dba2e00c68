import Belfry
import BelfryRecurrence
import BelfryTestSupport
import BelfryTesting
import Foundation
import SeededRandom
import Testing

@testable import BelfryConsole

@Suite("The console writes lines", .takesTurns, .timeLimit(.minutes(5)))
struct ConsoleLinesTests {
    private func text(of delivery: Delivery) async throws -> String {
        let log = TextLog()
        _ = try await ConsoleBackend(output: log.output, input: nil, zone: .utc).deliver(delivery)
        return log.text
    }

    @Test("A notice is its time, title, subtitle, body and progress")
    func writesANotice() async throws {
        let content = NoticeContent(
            title: "Tea",
            subtitle: "Kitchen",
            body: "Four minutes\nare over.",
            level: .critical,
            progress: 0.5
        )
        let indent = String(repeating: " ", count: 21)
        #expect(
            try await text(of: makeDelivery("tea", content, late: .seconds(150))) == """
                2027-01-15 08:02:30  ! Tea  Kitchen  (2 min late)
                \(indent)Four minutes
                \(indent)are over.
                \(indent)[##########----------] 50 %

                """
        )
    }

    @Test("Where nobody can press a key there are no actions, and the receipt says so")
    func losesActions() async throws {
        let log = TextLog()
        let backend = ConsoleBackend(output: log.output, input: nil)
        var content = NoticeContent(title: "Tea", icon: .named("tea"), image: .named("pot"), sound: .standard)
        content.actions = [NoticeAction("a", title: "Again")]
        content.badge = 1
        let delivery = makeDelivery("tea", content).prepared(for: try await backend.capabilities())
        let receipt = try await backend.deliver(delivery)
        // Each once.
        #expect(receipt.lost.map(\.feature) == [.actions, .image, .icon, .sound, .badge])
        #expect(!log.text.contains("Again"))
        #expect(try await !backend.capabilities().features.contains(.actions))
        #expect(!backend.takesKeys)
    }

    @Test("Where nobody can press a key no dismissal is reported, and the receipt says so")
    func losesDismissal() async throws {
        for format in ConsoleBackend.Format.allCases {
            let backend = ConsoleBackend(format: format, output: TextLog().output, input: nil)
            let center = NoticeCenter(app: AppIdentity(id: "org.example.Tea"), backend: backend)
            var content = NoticeContent(title: "Tea")
            content.reportsDismissal = true
            let shown = try await center.show(NoticeRequest(id: "tea", content: content))
            #expect(shown.receipt.lost.map(\.feature) == [.dismissal], "\(format)")
            #expect(try await !backend.capabilities().reportsClosing)
        }
    }

    @Test(
        "What lines say beside the notice is in the person's language",
        arguments: [
            ("en", "Tea  (3 days late)  (perhaps shown before)", "withdrawn: Tea"),
            ("de-CH", "Tea  (3 Tage verspätet)  (vielleicht schon gezeigt)", "zurückgezogen: Tea"),
            ("fr", "Tea  (en retard de 3 jours)  (peut-être déjà affichée)", "retirée : Tea"),
            ("es", "Tea  (con 3 días de retraso)  (quizá ya mostrada)", "retirada: Tea"),
            ("xx", "Tea  (3 days late)  (perhaps shown before)", "withdrawn: Tea"),
        ]
    )
    func speaks(language: String, shown: String, withdrawn: String) async throws {
        let log = TextLog()
        let backend = ConsoleBackend(output: log.output, input: nil, zone: .utc, languages: [language])
        var delivery = makeDelivery("tea", NoticeContent(title: "Tea"), late: .seconds(3 * 86_400))
        delivery.isPossiblyRepeated = true
        try await backend.withdraw(try await backend.deliver(delivery))
        #expect(log.all == ["2027-01-18 08:00:00  \(shown)\n", "\(withdrawn)\n"])
    }

    @Test("Nothing from outside reaches the terminal as a command")
    func disarmsText() async throws {
        let nasty = "A\u{1B}[31mB\u{9B}2J\u{7}\r\nC\u{202E}D\u{2028}E\u{85}F\0"
        let content = NoticeContent(
            title: nasty,
            subtitle: nasty,
            body: nasty,
            actions: [NoticeAction(nasty, title: nasty)]
        )
        let text = try await text(of: makeDelivery(nasty, content))
        let forbidden = text.unicodeScalars.filter {
            ($0.value < 0x20 && $0 != "\n") || (0x7F..<0xA0).contains($0.value) || [0x2028, 0x202E].contains($0.value)
        }
        #expect(forbidden.isEmpty)
        // The title on one line, the body on two.
        #expect(text.split(separator: "\n").count == 3)
    }

    @Test("Taking back writes a line, once; a foreign receipt writes nothing")
    func takesBack() async throws {
        let log = TextLog()
        let backend = ConsoleBackend(output: log.output, input: nil, zone: .utc)
        let receipt = try await backend.deliver(makeDelivery())
        var foreign = receipt
        foreign.server = "another process"
        try await backend.withdraw(foreign)
        try await running(backend) { reports in
            try await backend.withdraw(receipt)
            try await backend.withdraw(receipt)
            _ = await reports.first(1)
        }
        #expect(log.all.count == 2)
        #expect(log.all.last == "withdrawn: Tea is ready\n")
    }

    @Test("Lines and objects obey every rule of backends", arguments: ConsoleBackend.Format.allCases)
    func conforms(format: ConsoleBackend.Format) async throws {
        let report = await DeliveryBackendConformance(timeout: .seconds(60)) {
            ConsoleBackend(format: format, output: TextLog().output, input: nil)
        }.runAll()
        try report.verify()
    }

    @Test(
        "Local times are written as RFC 3339 has them",
        arguments: [
            (1_800_000_000, "UTC", "2027-01-15T08:00:00Z"),
            (1_800_000_000, "Europe/Berlin", "2027-01-15T09:00:00+01:00"),
            (1_800_000_000, "America/St_Johns", "2027-01-15T04:30:00-03:30"),
            (951_782_399.999, "UTC", "2000-02-28T23:59:59Z"), (951_782_400, "UTC", "2000-02-29T00:00:00Z"),
            (-0.5, "UTC", "1969-12-31T23:59:59Z"), (-62_135_596_800, "UTC", "0001-01-02T00:00:00Z"),
            (.infinity, "UTC", "9999-12-31T00:00:00Z"), (.nan, "UTC", "1970-01-01T00:00:00Z"),
        ] as [(Double, String, String)]
    )
    func writesTimes(seconds: Double, zone: String, expected: String) throws {
        let time = LocalTimestamp(Date(timeIntervalSince1970: seconds), in: try ZoneRules.named(zone))
        #expect(time.rfc3339 == expected)
    }

    @Test("Local times agree with Foundation's for any day of 4,000 years")
    func agreesWithFoundation() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = Calendar(identifier: .iso8601)
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss'Z'"
        let seed = RandomSeed.current
        var state = seed
        for _ in 0..<2000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // 1583 (the Gregorian calendar in full) to 5583.
            let seconds = (Double(state >> 16) / 0x1p48 * 126_227_808_000).rounded(.down) - 12_212_553_600
            let date = Date(timeIntervalSince1970: seconds)
            #expect(LocalTimestamp(date, in: .utc).rfc3339 == formatter.string(from: date), "seed \(seed)")
        }
    }
}
