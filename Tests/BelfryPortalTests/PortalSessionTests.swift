import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryPortal
import BelfryTestSupport
import BelfryTesting
import Foundation
import Testing

@Suite(
    "A portal that answers, restarts, refuses and lies",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct PortalSessionTests {
    private let token = BusValue.options(["activation-token": .string("token-7")])

    private func asking(_ content: inout NoticeContent) {
        content.actions = [
            NoticeAction("default", title: "Open"), NoticeAction("yes", title: "Yes"),
            NoticeAction("say", title: "Say", kind: .reply(placeholder: "")),
        ]
    }

    /// Shows a notice and responds to it. Expects the portal's coming and the response, and no event before or between.
    private func expectOnlyTheAnswer(
        _ portal: ScriptedPortal,
        _ backend: PortalBackend,
        _ events: inout AsyncStream<BackendEvent>.Iterator
    ) async throws {
        #expect(await events.next(isolation: #isolation) == .serverCame(server: nil))
        let receipt = try await backend.deliver(PortalStage.delivery("A", "1", asking))
        try portal.invoke(receipt.handle, "belfry-answer", [.string("A.231.-yes")])
        guard case .responded = await events.next(isolation: #isolation) else {
            Issue.record("something else than the answer was reported")
            return
        }
    }

    @Test("only the answer that names the delivery comes back, once, with what was typed and the token")
    func answers() async throws {
        try await PortalStage.withPortal { bus, portal, backend, events in
            let old = try await backend.deliver(PortalStage.delivery("Ask", "1", asking))
            #expect(await events.next(isolation: #isolation) == .serverCame(server: nil))
            let new = try await backend.deliver(PortalStage.delivery("Ask", "2", replaces: old, asking))
            #expect(new.handle == old.handle)
            let id = new.handle
            let action = "belfry-answer"
            let mine = BusValue.string("Ask.232.-say")
            let liar = try await bus.connection()
            try liar.emit(
                BusSignal(
                    ScriptedPortal.path,
                    ScriptedPortal.interface,
                    "ActionInvoked",
                    [.string(id), .string(action), .array(of: .variant, [.variant(mine)])],
                    to: portal.added[0].sender
                )
            )
            _ = try await liar.owner(of: ScriptedPortal.name)
            // Another program's, an earlier delivery's, and what isn't an answer.
            try portal.invoke("belfry-other", "open", [mine])
            try portal.invoke("mail-1", action, [mine])
            try portal.invoke(id, action, [.string("Ask.231.-yes")])
            try portal.invoke(id, action, [])
            try portal.invoke(id, action, [.string("Ask.232.-yes.f")])
            try portal.invoke(id, action, [.string("Ask.232.-.ff.fe")])
            try portal.invoke(id, action, [.strings(["Ask#2", "say"])])
            try portal.invoke(id, action, [.string("Ask.232")])
            try portal.signal([])
            try portal.signal([.string(id)])
            try portal.signal([.uint32(1), .string(action), .array(of: .variant, [.variant(mine)])])
            try portal.signal([.string(id), .string(action), mine])
            try portal.signal([.string(id), .string(action), .uint32(7)])
            try portal.invoke(id, action, [mine, token, .string("hello")])
            try portal.invoke(id, action, [.string("Ask.232.-yes")])
            let last = try await backend.deliver(PortalStage.delivery("Last", "1", asking))
            try portal.invoke(last.handle, action, [.string("Last.231.-default")])
            let reference = DeliveryReceipt.Reference(new)
            #expect(
                await events.next(isolation: #isolation)
                    == .responded(reference, action: "say", text: "hello", activationToken: "token-7")
            )
            #expect(
                await events.next(isolation: #isolation)
                    == .responded(DeliveryReceipt.Reference(last), action: "default", text: nil, activationToken: nil)
            )
            await liar.close()
        }
    }

    @Test("a resident notice is answered again and again")
    func resident() async throws {
        try await PortalStage.withPortal { _, portal, backend, events in
            let receipt = try await backend.deliver(
                PortalStage.delivery("Player") { content in
                    content.desktop.isResident = true
                    content.actions = [NoticeAction("next", title: "Next")]
                }
            )
            #expect(receipt.lost.map(\.feature) == [.resident])
            #expect(await events.next(isolation: #isolation) == .serverCame(server: nil))
            for _ in 0..<2 {
                try portal.invoke(receipt.handle, "belfry-answer", [.string("Player.231.-next")])
                let answer = BackendEvent.responded(
                    DeliveryReceipt.Reference(receipt),
                    action: "next",
                    text: nil,
                    activationToken: nil
                )
                #expect(await events.next(isolation: #isolation) == answer)
            }
        }
    }

    @Test("a notice outlives its sender: the next run takes its answer, replaces it and removes it")
    func survival() async throws {
        try await PortalStage.withPortal { bus, portal, backend, _ in
            let receipt = try await backend.deliver(PortalStage.delivery("Kept", "1", asking))
            try await PortalStage.withBackend(bus.address) { second, events in
                _ = try await second.capabilities()
                #expect(await events.next(isolation: #isolation) == .serverCame(server: nil))
                try portal.invoke(receipt.handle, "belfry-answer", [.string("Kept.231.-yes")])
                #expect(
                    await events.next(isolation: #isolation)
                        == .responded(
                            DeliveryReceipt.Reference(receipt),
                            action: "yes",
                            text: nil,
                            activationToken: nil
                        )
                )
                let again = try await second.deliver(PortalStage.delivery("Kept", "2", replaces: receipt, asking))
                #expect(again.handle == receipt.handle)
                try await second.withdraw(again)
                #expect(portal.removed == [receipt.handle])
            }
        }
    }

    @Test("the portal is told the app before all else, again after its restart; old names stay good")
    func restart() async throws {
        let bus = try await TestBus()
        let first = ScriptedPortal(at: bus.address)
        try await first.start()
        try await PortalStage.withBackend(bus.address) { backend, events in
            #expect(await events.next(isolation: #isolation) == .serverCame(server: nil))
            let old = try await backend.deliver(PortalStage.delivery("Bar", "1"))
            #expect(first.calls == ["Register", "AddNotification"])
            #expect(first.registered == ["org.example.Stage"])
            await first.stop()
            let away = await #expect(throws: NoticeError.self) {
                try await backend.deliver(PortalStage.delivery("Nobody"))
            }
            #expect(away?.code == .noServer && away?.isTransient == true)
            #expect(away?.message.contains("apt install xdg-desktop-portal-gtk") == true)
            let second = ScriptedPortal(at: bus.address, .old)
            try await second.start()
            #expect(await events.next(isolation: #isolation) == .serverCame(server: nil))
            let new = try await backend.deliver(PortalStage.delivery("Bar", "2", replaces: old))
            #expect(new.handle == old.handle && second.added.map(\.id) == [old.handle])
            #expect(try await backend.capabilities().server.contains("version 1"))
            await second.stop()
        }
    }

    @Test("ten deliveries at once make one registration, and each has a name of its own")
    func together() async throws {
        try await PortalStage.withPortal { _, portal, backend, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<10 {
                    group.addTask { _ = try await backend.deliver(PortalStage.delivery("N\(number)")) }
                }
                try await group.waitForAll()
            }
            #expect(portal.registered.count == 1 && Set(portal.added.map(\.id)).count == 10)
            #expect(portal.calls.first == "Register")
        }
    }

    @Test(
        "the portal is told the app once, also where the first call starts it, and where the rest of that call fails",
        arguments: [0, 1]
    )
    func registeredOnce(versionErrors: Int) async throws {
        let folder = try TemporaryFolder()
        let started = folder.path("started")
        // What the bus starts only keeps it waiting: the test's own portal takes the name.
        try folder.write(
            "portal.service",
            "[D-BUS Service]\nName=\(ScriptedPortal.name)\nExec=/bin/sh -c 'touch \(started); exec sleep 10'\n"
        )
        let bus = try await TestBus(services: folder.path)
        let portal = ScriptedPortal(at: bus.address, .init(versionErrors: versionErrors))
        try await PortalStage.withBackend(bus.address) { backend, events in
            let desktop = try await bus.connection()
            let first = Task { try await backend.capabilities() }
            while !FileManager.default.fileExists(atPath: started) {
                _ = try await desktop.owner(of: ScriptedPortal.name)
            }
            try await portal.start()
            let isAnswered = (try? await first.value) != nil
            #expect(isAnswered == (versionErrors == 0))
            for _ in 1...2 { _ = try await backend.capabilities() }
            #expect(portal.registered.count == 1)
            try await expectOnlyTheAnswer(portal, backend, &events)
            await desktop.close()
        }
        await portal.stop()
    }

    @Test("an app that the portal does not know is shown all the same, and that is said once")
    func unknownApp() async throws {
        let error = BusError.reply("org.freedesktop.portal.Error.Failed", "Can't create registered app")
        try await PortalStage.withPortal(.init(registryError: error)) { _, portal, backend, events in
            #expect(await events.next(isolation: #isolation) == .serverCame(server: nil))
            _ = try await backend.deliver(PortalStage.delivery("A"))
            guard case .error(let problem) = await events.next(isolation: #isolation) else {
                Issue.record("nothing was said")
                return
            }
            #expect(problem.code == .backendMessage && problem.message.contains("org.example.Stage.desktop"))
            #expect(portal.added.count == 1)
        }
        // In a sandbox the portal knows who calls, and says that it need not be told.
        let known = BusError.reply(
            "org.freedesktop.portal.Error.NotAllowed",
            "Can't manually register a Flatpak application"
        )
        try await PortalStage.withPortal(.init(registryError: known)) { _, portal, backend, events in
            try await expectOnlyTheAnswer(portal, backend, &events)
        }
    }

    @Test("errors are told apart: turned off, no notifications, no version, no answer, no portal, no bus")
    func errors() async throws {
        let notAllowed = BusError.reply("org.freedesktop.portal.Error.NotAllowed", "Showing is not allowed")
        let cases: [(ScriptedPortal.Profile, NoticeError.Code)] = [
            (.init(error: notAllowed), .notAuthorized),
            (.init(hasNotifications: false), .unsupported),
            (.init(version: .string("two")), .unsupported),
            (.init(isSilent: true), .serverTimedOut),
        ]
        for (profile, code) in cases {
            let limit = Duration.seconds(profile.isSilent ? 1 : 25)
            try await PortalStage.withPortal(profile, limit: limit) { _, _, backend, _ in
                let error = await #expect(throws: NoticeError.self) {
                    try await backend.deliver(PortalStage.delivery("A"))
                }
                #expect(error?.code == code)
            }
        }
        let bus = try await TestBus()
        try await PortalStage.withBackend(bus.address) { backend, events in
            let error = await #expect(throws: NoticeError.self) { try await backend.capabilities() }
            #expect(error?.code == .noServer)
            bus.kill()
            // The loss of the bus is seen in a moment of its own.
            var code = error?.code
            while code == .noServer {
                do throws(NoticeError) { _ = try await backend.capabilities() } catch { code = error.code }
            }
            #expect(code == .noBus)
        }
    }

    /// Delivers a notice that the portal takes only after the limit.
    private func deliverLate(_ delivery: Delivery, on portal: ScriptedPortal, by backend: PortalBackend) async throws {
        let count = portal.added.count
        portal.stall()
        let late = await #expect(throws: NoticeError.self) { try await backend.deliver(delivery) }
        #expect(late?.code == .serverTimedOut)
        portal.resume()
        while portal.added.count == count, !Task.isCancelled { await Task.yield() }
    }

    @Test("a notice that the portal shows too late is removed, but not one in whose place it is or that was sent again")
    func late() async throws {
        try await PortalStage.withPortal(limit: .seconds(1)) { _, portal, backend, events in
            let bar = try await backend.deliver(PortalStage.delivery("Bar", "1"))
            #expect(await events.next(isolation: #isolation) == .serverCame(server: nil))
            try await deliverLate(PortalStage.delivery("Bar", "2", replaces: bar, asking), on: portal, by: backend)
            portal.stall()
            await #expect(throws: NoticeError.self) { try await backend.deliver(PortalStage.delivery("Retried")) }
            async let retried = backend.deliver(PortalStage.delivery("Retried"))
            while portal.arrivals < 4, !Task.isCancelled { await Task.yield() }
            portal.resume()
            _ = try await retried
            try await deliverLate(PortalStage.delivery("Late"), on: portal, by: backend)
            while portal.removed.isEmpty, !Task.isCancelled { await Task.yield() }
            #expect(portal.removed == portal.added.suffix(1).map(\.id))
            // Its buttons are its own.
            try portal.invoke(bar.handle, "belfry-answer", [.string("Bar.232.-yes")])
            guard
                case .responded(DeliveryReceipt.Reference(bar), action: "yes", _, _) =
                    await events.next(isolation: #isolation)
            else {
                Issue.record("the response to the late replacement was dropped")
                return
            }
        }
    }

    @Test("in a center: the answer arrives, the notice is removed, and what can't be told of is told as lost")
    func center() async throws {
        try await PortalStage.withPortal { bus, portal, _, _ in
            let backend = PortalBackend(for: PortalStage.app, bus: .address(bus.address))
            let center = NoticeCenter(app: PortalStage.app, backend: backend)
            try await center.run { center in
                var content = NoticeContent(title: "Ask")
                content.reportsDismissal = true
                content.actions = [NoticeAction("yes", title: "Yes")]
                let responses = await center.responses()
                let shown = try await center.show(NoticeRequest(id: "ask", content: content))
                #expect(shown.receipt.lost.map(\.feature) == [.dismissal])
                let sent = try #require(portal.added.last)
                let target = try #require(sent.buttons.first?["target"])
                try portal.invoke(sent.id, "belfry-answer", [target])
                #expect(await responses.first { _ in true }?.kind == .action("yes"))
                await center.quiet()
                #expect(portal.removed == [shown.receipt.handle])
            }
        }
    }

    @Test("a delivery that is given once more by the next run of the program takes its own place")
    func repeated() async throws {
        try await PortalStage.withPortal { bus, portal, backend, _ in
            let first = try await backend.deliver(PortalStage.delivery("Tea"))
            let other = try await backend.deliver(PortalStage.delivery("Tea", "2"))
            try await PortalStage.withBackend(bus.address) { next, _ in
                var again = PortalStage.delivery("Tea")
                again.isPossiblyRepeated = true
                let repeated = try await next.deliver(again)
                #expect(repeated.handle == first.handle)
            }
            #expect(other.handle != first.handle)
            #expect(Set(portal.added.map(\.id)) == [first.handle, other.handle])
        }
    }

    @Test("where the bus passes no descriptors a notice comes without its picture and sound, and says so")
    func noDescriptors() async throws {
        let path = NSTemporaryDirectory() + "belfry-portal-\(UUID().uuidString.prefix(8)).png"
        try Data("<svg/>".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await PortalStage.withPortal(passesDescriptors: false) { _, portal, backend, _ in
            let receipt = try await backend.deliver(PortalStage.delivery("Picture") { $0.icon = .file(path) })
            #expect(receipt.lost.map(\.feature) == [.icon])
            #expect(receipt.lost.first?.detail == "the bus passes no files to the portal")
            #expect(portal.added.count == 1)
        }
    }

    @Test("the rules of every backend hold", arguments: [1, 2])
    func conformance(version: Int) async throws {
        let bus = try await TestBus()
        let portal = ScriptedPortal(at: bus.address, version == 1 ? .old : .init())
        try await portal.start()
        let address = bus.address
        let suite = DeliveryBackendConformance(timeout: .seconds(60)) { _, receipt, action in
            guard let sent = portal.added.last(where: { $0.id == receipt.handle }) else { return }
            for button in sent.buttons where button["target"]?.string?.hasSuffix(".-" + action) == true {
                try portal.invoke(sent.id, "belfry-answer", [button["target"] ?? .string("")])
            }
        } _: {
            PortalBackend(for: PortalStage.app, bus: .address(address), timeouts: .init(start: .milliseconds(200)))
        }
        let report = await suite.runAll()
        try report.verify()
        await portal.stop()
    }
}
