import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryPortal
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "The portal backend through the real xdg-desktop-portal, before a desktop of version 2",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(
        if: TestBus.program != nil && FileManager.default.isExecutableFile(atPath: ScriptedPart.program),
        "no desktop portal or dbus-daemon here: apt-get install dbus-daemon xdg-desktop-portal"
    )
)
struct RealPortalTests {
    private func withPart(
        isActivatable: Bool = false,
        _ body: (ScriptedPart, TestBus, PortalBackend, inout AsyncStream<BackendEvent>.Iterator) async throws -> Void
    ) async throws {
        let bus = try await TestBus()
        let part = try await ScriptedPart(on: bus)
        do {
            try await PortalStage.withBackend(
                bus.address,
                limit: .seconds(10),
                isActivatable: isActivatable
            ) { backend, events in
                try await body(part, bus, backend, &events)
            }
        } catch {
            await part.stop()
            throw error
        }
        await part.stop()
    }

    /// Debian 12's portal knows version 1 alone.
    private func isNew(_ backend: PortalBackend) async throws -> Bool {
        try await backend.capabilities().server.hasSuffix("version 2")
    }

    private static let image = NoticeImage.Pixels(
        width: 64,
        height: 32,
        hasAlpha: true,
        bytes: Array(repeating: 0x80, count: 64 * 32 * 4)
    )

    private func everything(_ content: inout NoticeContent) {
        content.body = "a &lt; b <b>bold</b>"
        content.bodyFormat = .markup
        content.sound = .silent
        content.level = .passive
        content.desktop.isPersistent = true
        content.desktop.privacy = .contentHidden
        content.actions = [
            NoticeAction("say", title: "Say", kind: .reply(placeholder: "")),
            NoticeAction("yes", title: "Take", purpose: .acceptCall),
            NoticeAction("end", title: "End", purpose: .hangUp),
        ]
    }

    /// As a center does. Portals wait for the end of the check of a picture in a main loop that their main thread runs
    /// too (`xdp_spawn_full`, up to 1.22), and may miss it: 1.20.3 answers one notice of ten with a picture never.
    private func untilTaken(_ delivery: Delivery, by backend: PortalBackend) async throws -> DeliveryReceipt {
        for _ in 0..<5 {
            do throws(NoticeError) { return try await backend.deliver(delivery) } catch {
                guard error.code == .serverTimedOut else { throw error }
            }
        }
        return try await backend.deliver(delivery)
    }

    @Test("what version 2 knows arrives at the desktop as it was meant, and nothing is refused")
    func content() async throws {
        try await withPart { part, _, backend, _ in
            let isNew = try await isNew(backend)
            var delivery = PortalStage.delivery("Mail", "1", everything)
            let capabilities = try await backend.capabilities()
            delivery = delivery.prepared(for: capabilities)
            delivery.content.image = .pixels(Self.image)
            let receipt = try await untilTaken(delivery, by: backend)
            let shown = try #require(await part.nextAdded())
            #expect(shown.id == receipt.handle && shown.notice["title"] == .string("Mail"))
            #expect(shown.notice["priority"] == .string("low"))
            guard isNew else {
                #expect(shown.notice["body"] == .string("a < b bold"))
                #expect(receipt.lost.map(\.feature) == [.markup, .reply, .image, .persistent, .privacy])
                return
            }
            #expect(shown.app == PortalStage.app.id)
            #expect(shown.notice["markup-body"] == .string("a &lt; b <b>bold</b>"))
            #expect(shown.notice["sound"] == .string("silent"))
            #expect(
                shown.notice["display-hint"]?.strings == ["tray", "persistent", "hide-content-on-lock-screen"]
            )
            #expect(shown.notice["category"] == .string("im.received"))
            let purposes = shown.notice["buttons"]?.elements?.map { $0["purpose"]?.string }
            #expect(purposes == ["im.reply-with-text", "call.accept", nil])
            // Its validator has found a picture in it.
            #expect(shown.notice["icon"]?.elements?[1].fileDescriptor != nil)
            #expect(receipt.lost.map(\.feature) == [.image])
            #expect(part.isRunning)
        }
    }

    @Test("updated under its name and withdrawn; the answer comes with its token and what was typed")
    func life() async throws {
        try await withPart { part, _, backend, events in
            let first = try await backend.deliver(PortalStage.delivery("Mail", "1", everything))
            let old = try #require(await part.nextAdded())
            let second = try await backend.deliver(PortalStage.delivery("Mail", "2", replaces: first, everything))
            let new = try #require(await part.nextAdded())
            #expect(old.id == new.id && first.handle == second.handle)
            if try await isNew(backend) {
                #expect(new.notice["display-hint"]?.strings?.contains("show-as-new") == true)
            }
            let target = try #require(new.notice["buttons"]?.elements?.first?["target"])
            let token = BusValue.options(["activation-token": .string("token-7")])
            try part.invoke(new, "belfry-answer", [target, token, .string("hello")])
            var event = await events.next(isolation: #isolation)
            // An app that the portal doesn't know, or knows already, is told of once.
            while case .serverCame = event { event = await events.next(isolation: #isolation) }
            #expect(
                event
                    == .responded(
                        DeliveryReceipt.Reference(second),
                        action: "say",
                        text: "hello",
                        activationToken: "token-7"
                    )
            )
            try await backend.withdraw(second)
            #expect(await part.nextRemoved() == second.handle)
        }
    }

    @Test("an action of the app's passes as it is, and its call is the answer")
    func activation() async throws {
        try await withPart(isActivatable: true) { part, bus, backend, events in
            let receipt = try await backend.deliver(PortalStage.delivery("Mail", "1", everything))
            let shown = try #require(await part.nextAdded())
            #expect(shown.notice["default-action"] == .string("app.belfry-answer"))
            let target = try #require(shown.notice["default-action-target"])
            let desktop = try await bus.connection()
            try await desktop.call(
                .application(
                    PortalStage.app.id,
                    "/org/example/Stage",
                    "ActivateAction",
                    [
                        .string("belfry-answer"), .array(of: .variant, [.variant(target)]),
                        .options(["activation-token": .string("t")]),
                    ]
                )
            )
            var event = await events.next(isolation: #isolation)
            while case .serverCame = event { event = await events.next(isolation: #isolation) }
            let reference = DeliveryReceipt.Reference(receipt)
            #expect(event == .responded(reference, action: "default", text: nil, activationToken: "t"))
            await desktop.close()
        }
    }
}
