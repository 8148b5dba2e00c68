import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryPortal
import BelfrySQLite
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "Answers that start the app",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct ActivationTests {
    private func asking(_ content: inout NoticeContent) {
        content.actions = [
            NoticeAction("yes", title: "Yes"), NoticeAction("say", title: "Say", kind: .reply(placeholder: "")),
        ]
    }

    /// As a desktop does: the bus would start the app for it.
    private func activate(
        _ action: String,
        _ parameter: [BusValue],
        _ platform: [String: BusValue] = [:],
        on bus: BusConnection
    ) async throws(BusError) {
        try await bus.call(
            .application(
                PortalStage.app.id,
                "/org/example/Stage",
                "ActivateAction",
                [.string(action), .array(of: .variant, parameter.map(BusValue.variant)), .options(platform)],
                startsService: true
            )
        )
    }

    @Test("the portal is given actions of the app's; a call of one is the answer, with its token and what was typed")
    func exported() async throws {
        try await PortalStage.withPortal { bus, portal, _, _ in
            try await PortalStage.withBackend(bus.address, isActivatable: true) { backend, events in
                let first = try await backend.deliver(PortalStage.delivery("Ask", "1", asking))
                let second = try await backend.deliver(PortalStage.delivery("Ask", "2", replaces: first, asking))
                let sent = portal.added
                #expect(sent[1].value("default-action") == .string("app.belfry-answer"))
                #expect(sent[1].buttons.allSatisfy { $0["action"]?.string == "app.belfry-answer" })
                #expect(await events.next(isolation: #isolation) == .serverCame(server: nil))
                let desktop = try await bus.connection()
                let old = try #require(sent[0].buttons[0]["target"])
                let mine = try #require(sent[1].buttons[1]["target"])
                for (action, parameter) in [
                    ("open", [mine]), ("belfry-answer", []), ("belfry-answer", [.string("Ask.231.-yes")]),
                    ("belfry-answer", [.uint32(1)]),
                ] {
                    await #expect(throws: BusError.self) { try await activate(action, parameter, on: desktop) }
                }
                try await activate("belfry-answer", [old], on: desktop)
                let token: [String: BusValue] = ["desktop-startup-id": .string("id-3")]
                try await activate("belfry-answer", [mine, .string("hello")], token, on: desktop)
                let reference = DeliveryReceipt.Reference(second)
                #expect(
                    await events.next(isolation: #isolation)
                        == .responded(reference, action: "say", text: "hello", activationToken: "id-3")
                )
                await desktop.close()
            }
        }
    }

    @Test("the answer to a notice of an earlier run is the first thing that a started app hears")
    func started() async throws {
        try await PortalStage.withPortal { bus, portal, _, _ in
            var receipt: DeliveryReceipt?
            try await PortalStage.withBackend(bus.address, isActivatable: true) { backend, _ in
                receipt = try await backend.deliver(PortalStage.delivery("Ask", "1", asking))
            }
            let target = try #require(portal.added[0].buttons[0]["target"])
            let desktop = try await bus.connection()
            // Nobody has the name: the bus would start the app, and does what this test does next.
            await #expect(throws: BusError.self) { try await activate("belfry-answer", [target], on: desktop) }
            let names = try await desktop.owners(of: PortalStage.app.id)
            try await PortalStage.withBackend(bus.address, isActivatable: true) { _, events in
                for await owner in names where owner != nil { break }
                try await activate("belfry-answer", [target], ["activation-token": .string("t")], on: desktop)
                var event = await events.next(isolation: #isolation)
                if event == .serverCame(server: nil) { event = await events.next(isolation: #isolation) }
                let reference = try DeliveryReceipt.Reference(#require(receipt))
                #expect(event == .responded(reference, action: "yes", text: nil, activationToken: "t"))
            }
            await desktop.close()
        }
    }

    @Test("an app that has ended is started by the bus for the answer, and gets it with its token")
    func startedByTheBus() async throws {
        let folder = try TemporaryFolder()
        let app = AppIdentity(id: "org.example.Tea", name: "Tea")
        let store = folder.path("store")
        try folder.write(
            "org.example.Tea.service",
            "[D-BUS Service]\nName=\(app.id)\nExec=\(BuildFolder.path)/AgentTestApp portal \(store)\n"
        )
        let bus = try await TestBus(
            services: folder.path,
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        )
        let portal = ScriptedPortal(at: bus.address)
        try await portal.start()
        let kept = try await SQLiteRequestStore.open(in: store)
        let backend = PortalBackend(activating: ActivatableApp(app), bus: .address(bus.address))
        try await NoticeCenter(app: app, backend: backend, store: .sqlite(kept)).run { center in
            let content = NoticeContent(title: "Tea?", actions: [NoticeAction("more", title: "More")])
            _ = try await center.show(NoticeRequest(id: "tea", content: content))
        }
        try await kept.close()
        let target = try #require(portal.added.first?.buttons.first?["target"])
        let desktop = try await bus.connection()
        try await desktop.call(
            .application(
                app.id,
                "/org/example/Tea",
                "ActivateAction",
                [
                    .string("belfry-answer"), .array(of: .variant, [.variant(target)]),
                    .options(["activation-token": .string("token-7")]),
                ],
                startsService: true
            )
        )
        while portal.added.count < 2 { _ = try await desktop.owner(of: app.id) }
        #expect(portal.added[1].value("title") == .string("Thanks"))
        #expect(portal.added[1].value("body") == .string("tea: more, token-7"))
        await desktop.close()
        await portal.stop()
    }

    @Test("where another program has the app's name, answers come as signals, and that is said")
    func nameTaken() async throws {
        try await PortalStage.withPortal { bus, portal, _, _ in
            let other = try await bus.connection()
            try await other.requestName(PortalStage.app.id)
            try await PortalStage.withBackend(bus.address, isActivatable: true) { backend, events in
                _ = try await backend.deliver(PortalStage.delivery("Ask", "1", asking))
                #expect(portal.added[0].value("default-action") == .string("belfry-answer"))
                #expect(await events.next(isolation: #isolation) == .serverCame(server: nil))
                guard case .error(let error) = await events.next(isolation: #isolation) else {
                    Issue.record("nothing was said")
                    return
                }
                #expect(error.code == .backendMessage && error.message.contains(PortalStage.app.id))
            }
            await other.close()
        }
    }

    @Test("a response during the end is either received, or finds a free name for which the bus starts the app")
    func ending() async throws {
        try await PortalStage.withPortal { bus, portal, _, _ in
            let desktop = try await bus.connection()
            let errors = try await withThrowingTaskGroup(of: BusError.self) { group in
                try await PortalStage.withBackend(bus.address, isActivatable: true) { backend, _ in
                    _ = try await backend.deliver(PortalStage.delivery("Ask", "1", asking))
                    let target = try #require(portal.added[0].buttons[0]["target"])
                    for _ in 1...50 {
                        group.addTask {
                            while true {
                                do throws(BusError) {
                                    try await activate("belfry-answer", [target], on: desktop)
                                } catch { return error }
                            }
                        }
                    }
                    try await activate("belfry-answer", [target], on: desktop)
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.allSatisfy { $0.code == .noOwner }, "\(errors)")
            await desktop.close()
        }
    }
}
