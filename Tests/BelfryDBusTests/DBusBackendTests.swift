import Belfry
import BelfryBus
import BelfryDBus
import Foundation
import Testing

/// They own org.freedesktop.Notifications on the private desktop's bus, so they take turns, and the desktop must have no server.
private let isDesktop =
    ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP"] == "1"
    && ProcessInfo.processInfo.environment["BELFRY_TEST_DESKTOP_STATE"]
        .map { !FileManager.default.fileExists(atPath: $0 + "/server.pid") } == true

@Suite(
    "The D-Bus backend against a scripted server",
    .serialized,
    .timeLimit(.minutes(1)),
    .enabled(if: isDesktop, "needs a private bus without a server: .ci/desktop --no-server swift test")
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
        _ server: StubServer?,
        _ body: (DBusBackend, inout AsyncStream<BackendEvent>.Iterator) async throws -> Void
    ) async throws {
        try await server?.start()
        let backend = DBusBackend(limits: .init(call: .seconds(5)))
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
        let server = StubServer(["body", "body-markup", "actions", "action-icons", "sound", "inline-reply"])
        try await withBackend(server) { backend, _ in
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
            #expect(receipt.handle == "1" && receipt.server == server.bus.uniqueName && receipt.lost.isEmpty)
            #expect(sent.title == "a < b")
            #expect(sent.body == "R&amp;D\n1 &lt; 2")
            #expect(sent.actions == ["default", "default", "go", "Go", "inline-reply", "Say"])
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
        let server = StubServer(["body", "actions", "inline-reply"])
        let liar = BusConnection()
        try await liar.connect()
        try await withBackend(server) { backend, events in
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
        let first = StubServer(["body"])
        try await withBackend(first) { backend, events in
            let old = try await backend.deliver(delivery("Bar"))
            #expect(await events.next() == .serverCame(server: old.server))
            let same = try await backend.deliver(delivery("Bar", replaces: old))
            #expect(same.handle == old.handle && first.notified.last?.replaces == 1)
            await first.stop()
            #expect(await events.next() == .serverGone(server: old.server))
            let away = await #expect(throws: NoticeError.self) { try await backend.deliver(delivery("Nobody")) }
            #expect(away?.code == .noServer && away?.isTransient == true)
            let second = StubServer(["body"])
            try await second.start()
            #expect(await events.next() == .serverCame(server: second.bus.uniqueName))
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
            (["Plasma", "KDE", "5.27.5", "1.2"], ["inline-reply"], [.reply, .progress], [.sound]),
        ] as [([String], [String], Set<DeliveryCapabilities.Feature>, Set<DeliveryCapabilities.Feature>)]
    )
    func knownServers(
        identity: [String],
        listed: [String],
        has: Set<DeliveryCapabilities.Feature>,
        hasNot: Set<DeliveryCapabilities.Feature>
    ) async throws {
        try await withBackend(StubServer(identity, listed)) { backend, _ in
            let capabilities = try await backend.capabilities()
            #expect(capabilities.server == "\(identity[0]) \(identity[2])")
            #expect(capabilities.features.isSuperset(of: has))
            #expect(capabilities.features.isDisjoint(with: hasNot))
        }
    }
}
