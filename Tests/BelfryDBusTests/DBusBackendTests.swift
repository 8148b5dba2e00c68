import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryDBus
import Foundation
import Testing

@Suite(
    "The D-Bus backend against a scripted server",
    .timeLimit(.minutes(1)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct DBusBackendTests {
    private func delivery(
        _ title: String,
        replaces: DeliveryReceipt? = nil,
        _ change: (inout NoticeContent) -> Void = { _ in }
    ) -> Delivery {
        var content = NoticeContent(title: title)
        change(&content)
        return Delivery(
            id: "\(title)#1",
            requestID: title,
            app: AppIdentity(id: "org.example.Stage", name: "Stage"),
            content: content,
            dueAt: Date(timeIntervalSince1970: 1_800_000_000),
            replaces: replaces
        )
    }

    /// Runs a backend while `body` does; its events come in the stream.
    private func withBackend(
        _ bus: TestBus,
        _ server: StubServer?,
        _ body: (DBusBackend, inout AsyncStream<BackendEvent>.Iterator) async throws -> Void
    ) async throws {
        try await server?.start()
        let backend = DBusBackend(bus: .address(bus.address), limits: .init(call: .seconds(5)))
        let (events, continuation) = AsyncStream.makeStream(of: BackendEvent.self)
        let run = Task { try await backend.run { continuation.yield($0) } }
        var iterator = events.makeAsyncIterator()
        do { try await body(backend, &iterator) } catch {
            run.cancel()
            _ = await run.result
            await server?.stop()
            throw error
        }
        run.cancel()
        try await run.value
        await server?.stop()
    }

    @Test("every hint has its type, text is escaped where markup is rendered, the subtitle is the first line")
    func hints() async throws {
        let bus = try await TestBus()
        let server = StubServer(
            at: bus.address,
            ["body", "body-markup", "actions", "action-icons", "sound", "inline-reply"]
        )
        try await withBackend(bus, server) { backend, _ in
            let receipt = try await backend.deliver(
                delivery("a < b") { content in
                    content.subtitle = "R&D"
                    content.body = "1 < 2"
                    content.level = .critical
                    content.image = .pixels(
                        ImagePixels(width: 1, height: 2, hasAlpha: true, bytes: [1, 2, 3, 4, 5, 6, 7, 8])
                    )
                    content.sound = .silent
                    content.isTransient = true
                    content.isResident = true
                    content.expiry = .after(.microseconds(1))
                    content.hints = ["x": .int(7), "urgency": .string("overruled")]
                    content.actions = [
                        NoticeAction("default", title: ""), NoticeAction("go", title: "Go", icon: "go-next"),
                        NoticeAction("say", title: "Say", kind: .reply(placeholder: "what?")),
                    ]
                }
            )
            let sent = try #require(server.notified.first)
            #expect(receipt.handle == "1" && receipt.server == server.instance && receipt.lost.isEmpty)
            #expect(sent.title == "a < b")
            #expect(sent.body == "R&amp;D\n1 &lt; 2")
            #expect(sent.actions == ["default", "Stage", "go", "Go", "inline-reply", "Say"])
            #expect(sent.expiry == 1)
            #expect(sent.hint("urgency") == .byte(2))
            #expect(sent.hint("desktop-entry") == .string("org.example.Stage"))
            #expect(sent.hint("suppress-sound") == .boolean(true))
            #expect(sent.hint("transient") == .boolean(true) && sent.hint("resident") == .boolean(true))
            #expect(sent.hint("action-icons") == .boolean(true))
            #expect(sent.hint("x") == .int32(7))
            #expect(sent.hint("x-kde-reply-placeholder-text") == .string("what?"))
            #expect(
                sent.hint("image-data")
                    == .structure([
                        .int32(1), .int32(2), .int32(4), .boolean(true), .int32(8), .int32(4),
                        .bytes([1, 2, 3, 4, 5, 6, 7, 8]),
                    ])
            )
        }
    }

    @Test("answers come once, whether sent to all or to one, and other programs' are ignored")
    func answers() async throws {
        let bus = try await TestBus()
        let server = StubServer(at: bus.address, ["body", "actions", "inline-reply"])
        let liar = BusConnection(to: .address(bus.address))
        try await liar.connect()
        try await withBackend(bus, server) { backend, events in
            let receipt = try await backend.deliver(
                delivery("Ask") { $0.actions = [NoticeAction("say", title: "Say", kind: .reply(placeholder: ""))] }
            )
            let reference = ReceiptReference(receipt)
            #expect(await events.next() == .serverCame(server: receipt.server))
            let poster = try #require(server.notified.first?.sender)
            try liar.emit(
                BusSignal(
                    "/org/freedesktop/Notifications",
                    "org.freedesktop.Notifications",
                    "ActionInvoked",
                    [.uint32(1), .string("say")],
                    to: poster
                )
            )
            _ = try await liar.owner(of: poster)
            try server.signal("ActionInvoked", [.uint32(4_294_967_295), .string("default")])
            try server.signal("ActionInvoked", [])
            try server.signal("ActionInvoked", [.string("1"), .uint32(1)])
            try server.signal("ActivationToken", [.uint32(1), .string("token")], to: poster)
            try server.signal("NotificationReplied", [.uint32(1), .string("hello")], to: poster)
            try server.signal("ActionInvoked", [.uint32(1), .string("inline-reply")])
            try server.signal("NotificationClosed", [.uint32(1), .uint32(9)])
            try server.signal("NotificationClosed", [.uint32(1), .uint32(2)])
            let second = try await backend.deliver(delivery("Second"))
            try server.signal("NotificationClosed", [.uint32(2), .uint32(1)])
            #expect(
                await events.next()
                    == .answered(reference, action: "say", text: "hello", activationToken: "token")
            )
            #expect(await events.next() == .closed(reference, CloseReason(rawValue: 9)))
            #expect(await events.next() == .closed(ReceiptReference(second), .expired))
        }
        await liar.close()
    }

    @Test("a server that is replaced gets no old identifiers; withdrawing what is gone is no error")
    func restart() async throws {
        let bus = try await TestBus()
        let first = StubServer(at: bus.address, ["body"])
        try await withBackend(bus, first) { backend, events in
            let old = try await backend.deliver(delivery("Bar"))
            #expect(await events.next() == .serverCame(server: old.server))
            let same = try await backend.deliver(delivery("Bar", replaces: old))
            #expect(same.handle == old.handle && first.notified.last?.replaces == 1)
            await first.stop()
            #expect(await events.next() == .serverGone(server: old.server))
            let away = await #expect(throws: NoticeError.self) { try await backend.deliver(delivery("Nobody")) }
            #expect(away?.code == .noServer && away?.isTransient == true)
            let second = StubServer(at: bus.address, ["body"])
            try await second.start()
            #expect(await events.next() == .serverCame(server: second.instance))
            let new = try await backend.deliver(delivery("Bar", replaces: same))
            #expect(second.notified.last?.replaces == 0)
            #expect(new.lost.map(\.feature) == [.replacing])
            try await backend.withdraw(old)
            try await backend.withdraw(new)
            #expect(await events.next() == .closed(ReceiptReference(new), .withdrawn))
            await second.stop()
        }
    }

    @Test(
        "servers are taken for what they do, not for what they say",
        arguments: [
            (["dunst", "knopwob", "1.9.0", "1.2"], ["body-hyperlinks"], [.progress, .image], [.links]),
            (["Notification Daemon", "GNOME", "3.20.0", "1.2"], ["body-hyperlinks"], [.expiry], [.links]),
            (["Xfce Notify Daemon", "Xfce", "0.7.3", "1.2"], ["body-hyperlinks"], [.links], [.progress]),
            (["gnome-shell", "GNOME", "43.9", "1.2"], ["persistence"], [.persistence], [.expiry]),
            (["Notification Daemon", "MATE", "1.26.0", "1.1"], ["body-hyperlinks"], [.links], [.reply]),
            (["mako", "emersion", "0.0.0", "1.2"], ["actions"], [.actions, .progress], [.links]),
            (["notify-osd", "Canonical Ltd", "1.0", "1.1"], ["body"], [.body, .progress], [.actions, .expiry]),
            (
                ["lxqt-notificationd", "lxqt.org", "1.2.0", "1.2"], ["body-images"], [.bodyImages, .expiry], [.progress]
            ),
            (["Plasma", "KDE", "5.27.5", "1.2"], ["inline-reply"], [.reply, .progress], [.sound]),
        ] as [([String], [String], Set<DeliveryCapabilities.Feature>, Set<DeliveryCapabilities.Feature>)]
    )
    func knownServers(
        identity: [String],
        listed: [String],
        has: Set<DeliveryCapabilities.Feature>,
        hasNot: Set<DeliveryCapabilities.Feature>
    ) async throws {
        let bus = try await TestBus()
        try await withBackend(bus, StubServer(at: bus.address, listed, identity)) { backend, _ in
            let capabilities = try await backend.capabilities()
            #expect(capabilities.server == "\(identity[0]) \(identity[2])")
            #expect(capabilities.features.isSuperset(of: has))
            #expect(capabilities.features.isDisjoint(with: hasNot))
        }
    }

    @Test("what one server can't is told by the receipt: buttons, time on the screen, a second reply field")
    func losses() async throws {
        let bus = try await TestBus()
        let change: (inout NoticeContent) -> Void = { content in
            content.expiry = .never
            content.actions = ["a", "b"].map { NoticeAction($0, title: $0, kind: .reply(placeholder: "")) }
        }
        try await withBackend(
            bus,
            StubServer(at: bus.address, ["actions"], ["mako", "emersion", "0.0.0", "1.2"])
        ) { backend, _ in
            let receipt = try await backend.deliver(delivery("Mako", change))
            #expect(receipt.lost.map(\.feature) == [.actions])
        }
        try await withBackend(
            bus,
            StubServer(at: bus.address, ["actions", "inline-reply"], ["gnome-shell", "GNOME", "43.9", "1.2"])
        ) { backend, _ in
            let receipt = try await backend.deliver(delivery("Shell", change))
            #expect(receipt.lost.map(\.feature) == [.reply, .expiry])
        }
    }

    @Test("without a bus the error comes at once; a bus that goes and returns loses nothing that comes after")
    func busGoes() async throws {
        let bus = try await TestBus()
        let server = StubServer(at: bus.address, ["body"])
        try await withBackend(bus, server) { backend, events in
            let old = try await backend.deliver(delivery("Before"))
            #expect(await events.next() == .serverCame(server: old.server))
            bus.kill()
            #expect(await events.next() == .serverGone(server: old.server))
            let away = await #expect(throws: NoticeError.self) { try await backend.deliver(delivery("Nobody")) }
            #expect(away?.code == .noBus && away?.isTransient == true)
            try await bus.start()
            // The stub comes back by itself, as the backend does.
            guard case .serverCame(let owner) = await events.next() else {
                Issue.record("no server came")
                return
            }
            let new = try await backend.deliver(delivery("After", replaces: old))
            #expect(new.server == owner && server.notified.last?.replaces == 0)
            try server.signal("NotificationClosed", [.uint32(try #require(UInt32(new.handle))), .uint32(2)])
            #expect(await events.next() == .closed(ReceiptReference(new), .dismissed))
        }
    }

    @Test("a server that never answers costs the limit; random texts and hints do no harm", arguments: [UInt64](1...3))
    func hostile(seed: UInt64) async throws {
        let bus = try await TestBus()
        let silent = try await bus.connection()
        try await silent.requestName("org.freedesktop.Notifications")
        let never = BusMethod(
            "GetServerInformation",
            later: { _ in
                for await _ in AsyncStream<Never>.makeStream().stream {}; return []
            }
        )
        let export = try await silent.export(
            [BusInterface("org.freedesktop.Notifications", methods: [never])],
            at: "/org/freedesktop/Notifications"
        )
        let backend = DBusBackend(bus: .address(bus.address), limits: .init(call: .milliseconds(100)))
        let run = Task { try await backend.run { _ in } }
        let late = await #expect(throws: NoticeError.self) { try await backend.deliver(delivery("Late")) }
        #expect(late?.code == .serverTimedOut)
        run.cancel()
        try await run.value
        await silent.close()
        withExtendedLifetime(export) {}
        let server = StubServer(at: bus.address, ["body", "body-markup", "actions"])
        try await withBackend(bus, server) { backend, _ in
            var state = seed
            for round in 0..<200 {
                let bytes = (0..<40).map { _ -> UInt8 in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 56)
                }
                let text = String(decoding: bytes, as: UTF8.self)
                do throws(NoticeError) {
                    _ = try await backend.deliver(
                        delivery(text) { content in
                            content.body = text
                            content.hints = [text: .string(text)]
                            content.actions = [NoticeAction(text, title: text)]
                        }
                    )
                } catch {
                    // Only what D-Bus can't carry: a NUL, which the core removes before a backend sees it.
                    #expect(
                        error.code == .invalidContent && bytes.contains(0),
                        "seed \(seed), round \(round): \(error)"
                    )
                }
            }
        }
    }
}
