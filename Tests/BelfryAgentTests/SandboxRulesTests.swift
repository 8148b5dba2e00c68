import Belfry
import BelfryAgent
import BelfryAgentService
import BelfryBus
import BelfryBusTestSupport
import BelfryRecorder
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "What a sandboxed app may not put into a notice",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct SandboxRulesTests {
    private static let secret = "/etc/hostname"

    private static let refused: [(String, @Sendable (inout NoticeRequest) -> Void)] = [
        ("an icon's file", { $0.content.icon = .file(secret) }),
        ("an icon's name", { $0.content.icon = .named(secret) }),
        ("an address", { $0.content.icon = .named("FILE:///etc/hostname") }),
        ("a relative path", { $0.content.icon = .named("../../etc/hostname") }),
        ("an image's name", { $0.content.image = .named(secret) }),
        ("a sound's file", { $0.content.sound = .file(secret) }),
        ("a sound's name", { $0.content.sound = .named("~/sound.oga") }),
        ("the hint image-path", { $0.content.desktop.hints = ["image-path": .string(secret)] }),
        ("the hint sound-file", { $0.content.desktop.hints = ["sound-file": .string(secret)] }),
        ("any other hint", { $0.content.desktop.hints = ["x-server-picture": .string("file:" + secret)] }),
        ("an action's icon", { $0.content.actions = [NoticeAction("a", title: "A", icon: secret)] }),
        ("an attachment", { $0.content.attachments = [NoticeAttachment(id: "a", path: secret)] }),
        ("an escalation's sound", { $0.escalation = [NoticeSeries.EscalationStep(from: 2, sound: .file(secret))] }),
        (
            "an escalation's sound by name",
            { $0.escalation = [NoticeSeries.EscalationStep(from: 2, sound: .named(secret))] }
        ),
        (
            "a picture in the body",
            { ($0.content.body, $0.content.bodyFormat) = ("<b>A</b><IMG src=\"\(secret)\"/>", .markup) }
        ),
        (
            "a picture whose tag has a control character, which is removed",
            { ($0.content.body, $0.content.bodyFormat) = ("<\u{1}img src=\"\(secret)\"/>", .markup) }
        ),
        (
            "a picture in a translation",
            {
                $0.content.bodyFormat = .markup
                $0.content.translations = ["de": .init(body: "<img src='file://\(secret)'>")]
            }
        ),
        (
            "a picture in an escalation's translation",
            {
                $0.content.bodyFormat = .markup
                $0.escalation = [
                    NoticeSeries.EscalationStep(
                        from: 2,
                        translations: ["de": .init(body: "<img src='file://\(secret)'>")]
                    )
                ]
            }
        ),
        ("another name", { $0.content.desktop.appName = "Your bank" }),
        ("another's desktop file", { $0.content.desktop.hints = ["desktop-entry": .string("org.example.Bank")] }),
        ("another name in KDE", { $0.content.desktop.hints = ["x-kde-display-appname": .string("Your bank")] }),
    ]

    @Test("files by any name, and any other app's name, wherever they stand") func refusedAll() async throws {
        let world = try await AgentWorld()
        try world.confine()
        try await world.agent {
            try await world.center().run { center in
                for (what, change) in Self.refused {
                    var request = NoticeRequest(id: "x", title: "T", trigger: .after(.seconds(60)))
                    change(&request)
                    var codes: [NoticeError.Code?] = []
                    func attempt(_ body: () async throws -> Void) async {
                        do {
                            try await body()
                            codes.append(nil)
                        } catch { codes.append((error as? NoticeError)?.code) }
                    }
                    await attempt { try await center.add(request) }
                    await attempt { _ = try await center.show(request) }
                    let series = NoticeSeries(
                        id: "s",
                        content: request.content,
                        spacing: .seconds(60),
                        count: 3,
                        escalation: request.escalation
                    )
                    await attempt { try await center.add(series) }
                    let response = NoticeResponse(
                        id: "r",
                        requestID: "x",
                        deliveryID: "d",
                        kind: .opened,
                        date: AgentWorld.start,
                        request: request
                    )
                    await attempt { try await center.snooze(response, for: .seconds(60)) }
                    if request.escalation.isEmpty {
                        await attempt { _ = try await center.previewDelivery(of: request.content) }
                    }
                    #expect(codes.allSatisfy { $0 == .accessDenied }, "\(what): \(codes)")
                }
                let category = NoticeCategory("c", actions: [NoticeAction("a", title: "A/B", icon: Self.secret)])
                await #expect(throws: NoticeError.self) { try await center.setCategories([category]) }
            }
            #expect(world.recorder().attempts.isEmpty)
        }
    }

    @Test("names of themes, pixels, texts and data with slashes are its own affair") func allowed() async throws {
        let world = try await AgentWorld()
        try world.confine()
        try await world.agent {
            try await world.center().run { center in
                var content = NoticeContent(
                    title: "/etc/hostname",
                    body: "a/b <img src='/x'>",
                    icon: .named("mail-unread")
                )
                content.image = .pixels(NoticeImage.Pixels(width: 1, height: 1, hasAlpha: false, bytes: [1, 2, 3]))
                content.sound = .named("bell")
                content.userInfo = ["path": "/home/me"]
                content.thread = "a/b"
                content.translations = ["de": .init(title: "/etc")]
                content.desktop.hints = [
                    "x-link": .string("https://example.org/a"), "category": .string("im.received"),
                ]
                content.actions = [NoticeAction("/open", title: "A/B", icon: "mail-reply")]
                _ = try await center.show(NoticeRequest(id: "x", content: content))
            }
        }
    }

    @Test("what it makes of a notice that is due is looked at too: the stored one is shown instead")
    func presented() async throws {
        let world = try await AgentWorld()
        try world.confine()
        try await world.agent {
            try await world.center().run { center in
                await center.setDelegate(
                    AppDouble { _ in .presentInstead(NoticeContent(title: "Other", icon: .named(Self.secret))) }
                )
                _ = try await center.show(NoticeRequest(id: "x", title: "Stored"))
                #expect(world.recorder().deliveries.map(\.content.title) == ["Stored"])
                #expect(world.reported.contains { $0.contains(Self.secret) })
                await center.setDelegate(AppDouble { _ in .presentInstead(NoticeContent(title: "Other")) })
                _ = try await center.show(NoticeRequest(id: "y", title: "Stored"))
                #expect(world.recorder().deliveries.last?.content.title == "Other")
            }
        }
    }

    @Test("looking at it costs the centers' thread nothing, so no other app waits for it (rule 41)")
    func offTheThread() async throws {
        let world = try await AgentWorld()
        var request = world.request("big")
        for number in 0..<5_000 { request.content.desktop.hints["x-\(number)"] = .string("value") }
        let text = try AgentCoding().text(request)
        try await world.agent {
            let caller = try await RawCaller(world)
            // The least of several: a commit that falls into one of them, or a cold cache, only adds.
            func cost() async -> Double {
                var least = Double.infinity
                for _ in 0..<5 {
                    let before = await Self.timeOfCentersThread()
                    #expect(await caller.call("Add", .strings([text]), .boolean(true)) == nil)
                    least = min(least, await Self.timeOfCentersThread() - before)
                }
                return least
            }
            let free = await cost()
            try world.confine()
            let confined = await cost()
            #expect(confined < 2 * free, "\(confined) s instead of \(free) s")
        }
    }

    /// The processor time that the centers' thread has used, in seconds: other processes don't change it.
    private static func timeOfCentersThread() async -> Double {
        await withCheckedContinuation { continuation in
            CenterThread.shared.perform {
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                continuation.resume(returning: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
            }
        }
    }

    @Test("its name is that of its desktop file, whatever it says; outside of a sandbox it is what the app says")
    func name() async throws {
        for (isConfined, expected) in [(true, "Tea Timer"), (false, "Your bank")] {
            let world = try await AgentWorld()
            try FileManager.default.createDirectory(
                atPath: world.dataFolder + "/applications",
                withIntermediateDirectories: true
            )
            try "[Desktop Entry]\nType=Application\nName[de]=Tee\nName=Tea Timer\n[Desktop Action x]\nName=X\n".write(
                toFile: world.dataFolder + "/applications/org.example.Tea.desktop",
                atomically: true,
                encoding: .utf8
            )
            if isConfined { try world.confine() }
            try await world.agent {
                try await world.center(AppIdentity(id: "org.example.Tea", name: "Your bank")).run { center in
                    _ = try await center.show(NoticeRequest(id: "x", title: "T"))
                }
                #expect(world.recorder().deliveries.map(\.app.name) == [expected])
            }
        }
    }
}
