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
    "The agent's life, and who may do what",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentLifeTests {
    private let short = AgentLifetime.Timeouts(idle: .milliseconds(50), busLoss: .milliseconds(50))

    @Test("it ends when nothing is left to do, and not before")
    func endsIdle() async throws {
        let world = try await AgentWorld()
        try await world.agent { try await world.center().run { try await $0.add(world.request("tea")) } }
        let service = AgentService(world.options(lifetime: short))
        let watcher = try await world.bus.connection()
        let (owners, continuation) = AsyncStream.makeStream(of: String?.self)
        let watch = try await watcher.watchOwner(of: "org.belfry.Agent1") { continuation.yield($0) }
        let end = Task { try await service.run() }
        for await owner in owners where owner != nil { break }
        // One that comes, changes its mind about what it wants to hear, and goes.
        try await world.center().run { center in
            await center.setDelegate(AppDouble())
            _ = await center.events()
            _ = try await center.pending()
        }
        #expect(try await watcher.owner(of: "org.belfry.Agent1") != nil)
        // Pending: it stays, whatever the limit is. The clock below is the only thing that can end that.
        try await world.clock.advance(by: .seconds(60))
        try world.recorder().expectShown("tea")
        #expect(try await watcher.owner(of: "org.belfry.Agent1") != nil)
        // Closed by hand, which nobody asked to hear of: nothing is left.
        try world.recorder().simulate(.dismiss, on: "tea")
        #expect(try await end.value == .nothingToDo)
        withExtendedLifetime(watch) {}
    }

    @Test("it ends when the bus has been away for longer than its limit")
    func endsWithTheBus() async throws {
        let world = try await AgentWorld()
        let service = AgentService(world.options(lifetime: .init(idle: .seconds(3600), busLoss: .milliseconds(50))))
        let watcher = try await world.bus.connection()
        let (owners, continuation) = AsyncStream.makeStream(of: String?.self)
        let watch = try await watcher.watchOwner(of: "org.belfry.Agent1") { continuation.yield($0) }
        let end = Task { try await service.run() }
        for await owner in owners where owner != nil { break }
        world.bus.kill()
        #expect(try await end.value == .busLost)
        withExtendedLifetime(watch) {}
    }

    @Test(
        "it ends while a question of permission stands, and that stays unanswered",
        arguments: [false, true]
    )
    func endsWhileAsking(forDelivery: Bool) async throws {
        let world = try await AgentWorld()
        world.prompt.stall()
        let asking = try await world.agent {
            let asking = Task {
                if forDelivery {
                    _ = try await world.center().add(NoticeRequest(id: "tea", title: "Tea"))
                } else {
                    _ = try await world.center().requestAuthorization()
                }
            }
            await world.prompt.waitUntilAsked()
            return asking
        }
        _ = await asking.result
        #expect(world.prompt.asked.count == 1)
        // Nothing was stored of it: the next agent asks again.
        world.prompt.release()
        let answer = try await world.agent { try await world.center().requestAuthorization() }
        #expect(answer == .authorized)
        #expect(world.prompt.asked.count == 2)
    }

    @Test("it ends when another has its name after the bus was away")
    func endsWithoutTheName() async throws {
        let world = try await AgentWorld()
        let service = AgentService(world.options(lifetime: .init(idle: .seconds(3600), busLoss: .seconds(3600))))
        let watcher = try await world.bus.connection()
        let (owners, continuation) = AsyncStream.makeStream(of: String?.self)
        let watch = try await watcher.watchOwner(of: "org.belfry.Agent1") { continuation.yield($0) }
        let end = Task { try await service.run() }
        for await owner in owners where owner != nil { break }
        var other: BusConnection?
        while other == nil {
            world.bus.kill()
            try await world.bus.start()
            // The agent comes back by itself, and may be the first.
            let rival = try await world.bus.connection()
            if try await rival.requestName("org.belfry.Agent1", .doNotQueue) == .owner { other = rival }
        }
        #expect(try await end.value == .anotherRuns)
        withExtendedLifetime((watch, other)) {}
    }

    @Test("after a new login the agent of the old one, which still has the stores, is waited for")
    func newLogin() async throws {
        let world = try await AgentWorld()
        try await world.agent { try await world.center().run { try await $0.add(world.request("tea")) } }
        let old = AgentService(world.options(lifetime: .init(idle: .seconds(3600), busLoss: .milliseconds(300))))
        let watcher = try await world.bus.connection()
        let owners = try await watcher.owners(of: "org.belfry.Agent1")
        let end = Task { try await old.run() }
        for await owner in owners where owner != nil { break }
        world.bus.kill()
        let login = try await TestBus()
        var options = world.options()
        options.bus = .address(login.address)
        let new = AgentService(options)
        let running = Task { try await new.run() }
        #expect(try await end.value == .busLost)
        let after = try await login.connection()
        for await owner in try await after.owners(of: "org.belfry.Agent1") where owner != nil { break }
        // Answered when the store is open.
        let client = AgentOptions(bus: .address(login.address), program: "")
        #expect(try await NoticeCenter(app: AgentWorld.tea, agent: client).pending().map(\.id) == ["tea"])
        #expect(world.reported.allSatisfy { !$0.contains("in use") })
        try await world.clock.advance(by: .seconds(60))
        try world.recorder().expectShown("tea")
        new.stop()
        _ = try await running.value
    }

    @Test("a second agent on one bus steps back")
    func second() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            var options = world.options()
            options.storage = AgentStorage(path: world.folder + "/other")
            let end = try await AgentService(options).run()
            #expect(end == .anotherRuns)
        }
    }

    @Test("a store that can't be opened is told of by name, and the other apps work")
    func oneBrokenApp() async throws {
        let world = try await AgentWorld()
        let storage = AgentStorage(path: world.folder + "/agent")
        try FileManager.default.createDirectory(atPath: storage.path, withIntermediateDirectories: true)
        try Data("not a folder".utf8).write(to: URL(fileURLWithPath: try storage.folder(of: "org.example.Broken")))
        try await world.agent {
            try await world.center().run { try await $0.add(world.request("tea")) }
            await #expect(throws: NoticeError.self) {
                try await world.center(AppIdentity(id: "org.example.Broken")).pending()
            }
        }
        #expect(world.reported.contains { $0.hasPrefix("org.example.Broken: ") })
    }

    @Test(
        "an identifier that could name another folder is refused",
        arguments: ["", ".", "..", "../x", "a/b", ".hidden", "a b", "ü", String(repeating: "a", count: 300)]
    )
    func identifiers(_ id: String) async throws {
        let world = try await AgentWorld()
        try await world.agent {
            do throws(NoticeError) {
                _ = try await world.center(AppIdentity(id: id)).pending()
                Issue.record("'\(id)' was taken")
            } catch { #expect(error.code == .invalidIdentifier) }
        }
    }

    // MARK: Sandboxes

    private func sandbox(_ world: AgentWorld, as app: String) throws {
        try "[Application]\nname=\(app)\nruntime=x\n[Instance]\nname=other\n"
            .write(toFile: world.ownRoot + "/.flatpak-info", atomically: true, encoding: .utf8)
    }

    private func code(_ work: () async throws -> Void) async -> NoticeError.Code? {
        do { try await work() } catch let error as NoticeError { return error.code } catch { return nil }
        return nil
    }

    @Test("a sandboxed app has its own identifier only, no command, and no paths")
    func sandboxed() async throws {
        let world = try await AgentWorld()
        try sandbox(world, as: AgentWorld.tea.id)
        try await world.agent {
            try await world.center().add(world.request("mine"))
            let other = await code { _ = try await world.center(AppIdentity(id: "org.example.Coffee")).pending() }
            #expect(other == .accessDenied)
            let command = await code {
                _ = try await world.center(AgentWorld.tea) { $0.command = ["/bin/true"] }.pending()
            }
            #expect(command == .accessDenied)
            let path = await code {
                try await world.center().add(
                    NoticeRequest(id: "p", content: NoticeContent(title: "P", image: .file("/etc/passwd")))
                )
            }
            #expect(path == .accessDenied)
            let permission = await code { try await world.center().setAuthorization(.authorized) }
            #expect(permission == .accessDenied)
        }
    }

    @Test("a sandbox that does not say which application it is gets nothing")
    func namelessSandbox() async throws {
        let world = try await AgentWorld()
        try "garbage".write(toFile: world.ownRoot + "/.flatpak-info", atomically: true, encoding: .utf8)
        try await world.agent {
            #expect(await code { _ = try await world.center().pending() } == .accessDenied)
        }
    }

    @Test("a process that can't be looked at is not taken for an ordinary one")
    func hiddenProcess() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try FileManager.default.removeItem(atPath: world.ownRoot)
            #expect(await code { _ = try await world.center().pending() } == .accessDenied)
        }
    }

    @Test("the program learns how its children end although its parent ignores the ends of its own")
    func ignoredEnds() async throws {
        let programs = try await Programs()
        try programs.home.write(
            ".local/share/dbus-1/services/org.belfry.Agent1.service",
            """
            [D-BUS Service]
            Name=\(AgentNames.agent)
            Exec=/usr/bin/env --ignore-signal=CHLD \(programs.folder)/belfryd

            """
        )
        let watcher = try await programs.bus.connection()
        _ = try await watcher.startService(AgentNames.agent)
        let process = try #require(try await programs.agentProcess())
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") })
        let ignored = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
        #expect(ignored & 1 << (SIGCHLD - 1) == 0)
        try await programs.endAgent()
    }

    @Test("a relative command is refused")
    func relativeCommand() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            let refusal = await code { _ = try await world.center(AgentWorld.tea) { $0.command = ["tea"] }.pending() }
            #expect(refusal == .invalidContent)
        }
    }

    @Test("another program on the bus can't answer in the agent's name")
    func impostor() async throws {
        let world = try await AgentWorld()
        try await world.agent {
            try await world.center().run { center in
                let app = AppDouble()
                await center.setDelegate(app)
                _ = try await center.show(NoticeRequest(id: "tea", title: "Tea"))
                let other = try await world.bus.connection()
                let names = try await other.call(
                    BusMethodCall(
                        to: "org.freedesktop.DBus",
                        "/org/freedesktop/DBus",
                        "org.freedesktop.DBus",
                        "ListNames",
                        expects: "as"
                    )
                )
                var refused = 0
                for name in names.first?.strings ?? [] where name.hasPrefix(":") && name != other.uniqueName {
                    do {
                        try await other.call(
                            BusMethodCall(
                                to: name,
                                "/org/belfry/AgentClient1",
                                "org.belfry.AgentClient1",
                                "Receive",
                                [.string("{}")]
                            )
                        )
                        Issue.record("\(name) took it")
                    } catch let error as BusError where error.name == "org.freedesktop.DBus.Error.AccessDenied" {
                        refused += 1
                    } catch {}
                }
                #expect(refused == 1)
            }
        }
    }

    // MARK: Starting the app

    @Test("an app that does not run is started by its command when the person answers, not when a notice is closed")
    func launched() async throws {
        let world = try await AgentWorld()
        let mark = world.folder + "/started"
        try FileManager.default.createDirectory(atPath: world.folder, withIntermediateDirectories: true)
        guard mkfifo(mark, 0o600) == 0 else { throw POSIXError(.EIO) }
        try await world.agent {
            try await world.center(AgentWorld.tea) { options in
                options.command = ["/bin/sh", "-c", "echo \"$XDG_ACTIVATION_TOKEN\" > '\(mark)'"]
            }.run { center in
                var content = NoticeContent(title: "Tea")
                content.reportsDismissal = true
                _ = try await center.show(NoticeRequest(id: "closed", content: content))
                _ = try await center.show(NoticeRequest(id: "tea", content: content))
            }
            try world.recorder().simulate(.dismiss, on: "closed")
            try world.recorder().simulate(.open, on: "tea", activationToken: "the-token")
            let read = Task.detached { FileHandle(forReadingAtPath: mark)?.readDataToEndOfFile() }
            #expect(await read.value == Data("the-token\n".utf8))
        }
    }

    /// An app whose command writes its activation token into a pipe, and who waits for that.
    private struct StartedApp {
        let world: AgentWorld
        let pipe: String

        init(_ world: AgentWorld) throws {
            self.world = world
            pipe = world.folder + "/started"
            guard mkfifo(pipe, 0o600) == 0 else { throw POSIXError(.EIO) }
        }

        var center: NoticeCenter {
            world.center(AgentWorld.tea) { options in
                options.command = ["/bin/sh", "-c", "echo \"$XDG_ACTIVATION_TOKEN\" > '\(pipe)'"]
            }
        }

        func token() async -> String {
            await Task.detached { [pipe] in
                String(decoding: FileHandle(forReadingAtPath: pipe)?.readDataToEndOfFile() ?? Data(), as: UTF8.self)
            }.value
        }
    }

    @Test("a second answer while the app is being started starts it no second time; one after it has come does")
    func startedOnce() async throws {
        let world = try await AgentWorld()
        let app = try StartedApp(world)
        try await world.agent {
            try await app.center.run { center in
                for id in ["a", "b", "c"] { _ = try await center.show(NoticeRequest(id: id, title: "Tea")) }
            }
            try world.recorder().simulate(.open, on: "a", activationToken: "a")
            #expect(await app.token() == "a\n")
            try world.recorder().simulate(.open, on: "b", activationToken: "b")
            try await world.clock.settle()
            // The app is there, and does not ask for its responses yet.
            try await app.center.run { _ = try await $0.pending() }
            try world.recorder().simulate(.open, on: "c", activationToken: "c")
            #expect(await app.token() == "c\n")
        }
    }

    /// An answer that waits for an app that can be started.
    private func leaveAnswer(_ world: AgentWorld, for app: NoticeCenter) async throws {
        try await world.agent {
            try await world.center().run { _ = try await $0.show(NoticeRequest(id: "tea", title: "Tea")) }
            try world.recorder().simulate(.open, on: "tea", activationToken: "token")
            try await world.clock.settle()
            try await app.run { _ in }
        }
    }

    @Test("an answer that waits at the agent's start does not start an app that runs")
    func runsAlready() async throws {
        let world = try await AgentWorld()
        // It can't be started, which would be reported.
        try await leaveAnswer(world, for: world.center(AgentWorld.tea) { $0.command = ["/nonexistent/tea"] })
        let (app, center) = (AppDouble(), world.center())
        await center.setDelegate(app)
        let running = Task { try await center.run() }
        try await world.agent(world.options(), opened: false) {
            #expect(await app.next()?.requestID == "tea")
            #expect(world.reported == [])
        }
        running.cancel()
        _ = await running.result
    }

    @Test("an answer that waits at the agent's start starts an app that does not come by itself")
    func startedAtTheStart() async throws {
        let world = try await AgentWorld()
        let app = try StartedApp(world)
        try await leaveAnswer(world, for: app.center)
        try await world.agent(world.options(), opened: false) { #expect(await app.token() == "token\n") }
    }

    // MARK: The interface

    @Test("what the agent introspects is what docs/org.belfry.Agent1.xml documents")
    func documented() async throws {
        let world = try await AgentWorld()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/org.belfry.Agent1.xml").standardized
        let documented = try InterfaceOutline(xml: String(contentsOf: file, encoding: .utf8), "org.belfry.Agent1")
        try await world.agent {
            let connection = try await world.bus.connection()
            let answer = try await connection.call(
                BusMethodCall(
                    to: "org.belfry.Agent1",
                    "/org/belfry/Agent1",
                    "org.freedesktop.DBus.Introspectable",
                    "Introspect",
                    expects: "s"
                )
            )
            let real = try InterfaceOutline(xml: answer.first?.string ?? "", "org.belfry.Agent1")
            #expect(real == documented)
            #expect(real.members.count > 15)
        }
    }
}

/// The members of an interface in introspection XML: each with the directions, names and types of its arguments.
private struct InterfaceOutline: Equatable {
    var members: [String: [String]] = [:]

    init(xml: String, _ interface: String) throws {
        guard let start = xml.range(of: "<interface name=\"\(interface)\">"),
            let end = xml.range(of: "</interface>", range: start.upperBound..<xml.endIndex)
        else { throw NoticeError(.notFound, "There is no interface \(interface) in the XML.") }
        var member = ""
        for tag in xml[start.upperBound..<end.lowerBound].matches(of: /<(method|arg) ([^>]*?)\/?>/) {
            let attributes = tag.output.2.matches(of: /(\w+)="([^"]*)"/).reduce(into: [:]) {
                $0[String($1.output.1)] = String($1.output.2)
            }
            if tag.output.1 == "method" {
                member = attributes["name"] ?? ""
                members[member] = []
            } else {
                members[member]?.append(
                    "\(attributes["direction"] ?? "") \(attributes["name"] ?? "") \(attributes["type"] ?? "")"
                )
            }
        }
    }
}
