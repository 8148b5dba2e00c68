import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

private let notifySend = "/usr/bin/notify-send"

/// `belfry send` beside the real `notify-send`, flag by flag: what arrives at the server, what is printed, how it ends.
@Suite(
    "belfry send does what notify-send does",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon"),
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: notifySend),
        "notify-send is not installed: apt-get install libnotify-bin"
    )
)
struct NotifySendTests {
    private struct Run {
        var outcome: BuiltProgram.Outcome
        var call: NotifyCall?
    }

    private static let capabilities = ["actions", "body", "body-markup", "icon-static", "persistence", "sound"]

    /// Runs both with the same arguments, one after the other, each against a server that has just been started.
    private func both(
        _ arguments: [String],
        capabilities: [String] = capabilities,
        person: @escaping @Sendable (ScriptedServer, NotifyCall) -> Void = { _, _ in }
    ) async throws -> (theirs: Run, ours: Run) {
        let theirs = try await one(notifySend, arguments, capabilities, person)
        let ours = try await one(BuiltProgram.path, ["send"] + arguments, capabilities, person)
        return (theirs, ours)
    }

    private func one(
        _ program: String,
        _ arguments: [String],
        _ capabilities: [String],
        _ person: @escaping @Sendable (ScriptedServer, NotifyCall) -> Void
    ) async throws -> Run {
        let bus = try await TestBus()
        let server = ScriptedServer(ServerProfile("stub", "Belfry", "1", capabilities), at: bus.address)
        try await server.start()
        let watching = Task { if let call = await server.call(where: { _ in true }) { person(server, call) } }
        var environment = BuiltProgram.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        let outcome = try await BuiltProgram.run(program, arguments, [], environment, 120)
        watching.cancel()
        await watching.value
        let call = server.calls.first
        #expect(server.calls.count <= 1, "\(program) called Notify more than once")
        await server.stop()
        return Run(outcome: outcome, call: call)
    }

    /// Without the click on the notice itself, which Belfry asks for and nobody draws.
    private func actions(_ call: NotifyCall?) -> [String]? {
        guard let actions = call?.actions else { return nil }
        return actions.first == "default" ? Array(actions.dropFirst(2)) : actions
    }

    /// Buttons without a name have numbers, which notify-send counts from 1 since 0.8.9, and before it, as Belfry does,
    /// from 0.
    private func unnumbered(_ actions: [String]?) -> [String]? {
        actions?.enumerated().map { $0.offset.isMultiple(of: 2) && Int($0.element) != nil ? "a number" : $0.element }
    }

    /// The icon of the app, which notify-send 0.8.9 sends as the picture of the notice.
    private func icon(_ call: NotifyCall) -> String {
        guard call.icon.isEmpty, case .string(let picture)? = call.hint("image-path") else { return call.icon }
        return picture
    }

    /// The hints without those that differ by design: who sent it, the desktop entry, and the icon where it is one.
    private func hints(_ call: NotifyCall) -> [String: BusValue] {
        var hints: [String: BusValue] = [:]
        for name in call.hintNames where !["sender-pid", "desktop-entry", "image-path"].contains(name) {
            hints[name] = call.hint(name)
        }
        return hints
    }

    @Test(
        "the same call of Notify",
        arguments: [
            ["Title"], ["Title", "Body"], ["Title", #"two\nlines\ttab \101 \\"#],
            ["-u", "low", "T"], ["-u", "normal", "T"], ["--urgency=critical", "T"],
            ["-t", "1500", "T"], ["--expire-time=0", "T"], ["-t", "-1", "T"],
            ["-a", "My app", "T"], ["--app-name=Other", "T"],
            ["-i", "drive-harddisk", "T"], ["--icon=dialog-warning", "T"],
            ["-c", "im.received", "T"], ["--category=device.added,x-mine", "T"],
            ["-e", "T"], ["--transient", "T", "B"],
            ["-h", "int:x:7", "-h", "string:x-mine:a:b", "T"], ["--hint=byte:urgency:2", "T"],
            ["-h", "boolean:resident:true", "T"], ["-h", "double:x-share:0.5", "T"],
            ["-h", "variant:x-v:uint32 9", "T"], ["-h", "int:value:40", "T"], ["-h", "string:sound-name:bell", "T"],
            ["-r", "7", "T"], ["--replace-id=7", "T"], ["-p", "T"], ["--print-id", "T"],
            ["--", "-dashes", "--more"], ["T", "-u", "low", "B"],
        ]
    )
    func sameCall(_ arguments: [String]) async throws {
        let (theirs, ours) = try await both(arguments)
        #expect(theirs.outcome.status == 0, "\(theirs.outcome.errors)")
        #expect(ours.outcome.status == 0, "\(ours.outcome.errors)")
        let (expected, call) = (try #require(theirs.call), try #require(ours.call))
        #expect(call.title == expected.title)
        #expect(call.body == expected.body)
        #expect(icon(call) == icon(expected))
        #expect(actions(call) == expected.actions)
        #expect(call.expiry == expected.expiry)
        #expect(call.replaces == expected.replaces)
        #expect(hints(call) == hints(expected))
        #expect(call.appName == (expected.appName == "notify-send" ? "belfry" : expected.appName))
        #expect(ours.outcome.output == theirs.outcome.output)
    }

    @Test("the one difference in the body: it is plain text, and with --markup it is not")
    func markup() async throws {
        let (theirs, ours) = try await both(["T", "1 < 2 & <b>so</b>"])
        #expect(theirs.call?.body == "1 < 2 & <b>so</b>")
        #expect(ours.call?.body == "1 &lt; 2 &amp; &lt;b&gt;so&lt;/b&gt;")
        let marked = try await one(BuiltProgram.path, ["send", "T", "<b>so</b>", "--markup"], Self.capabilities) {
            _,
            _ in
        }
        #expect(marked.call?.body == "<b>so</b>")
    }

    @Test(
        "a button's name is printed, and the notice is gone",
        arguments: [
            (["-A", "yes=Yes", "-A", "no=Not now"], "no"), (["--action=First", "--action=Second"], "1"),
            (["-A", " a = A label "], "a"),
        ]
    )
    func actions(_ arguments: [String], _ key: String) async throws {
        let (theirs, ours) = try await both(arguments + ["Ask"]) { server, call in server.press(call.id, key) }
        #expect(theirs.outcome.status == 0 && ours.outcome.status == 0, "\(ours.outcome.errors)")
        #expect(theirs.outcome.output == key + "\n" && ours.outcome.output == theirs.outcome.output)
        #expect(unnumbered(self.actions(ours.call)) == unnumbered(theirs.call?.actions))
    }

    @Test("-w waits until it is closed; with -t for that long at most, and then goes without a complaint by its status")
    func waiting() async throws {
        let closed = try await both(["-w", "Wait"]) { server, call in server.close(call.id) }
        #expect(
            closed.theirs.outcome.status == 0 && closed.ours.outcome.status == 0,
            "\(closed.ours.outcome.errors)"
        )
        #expect(closed.ours.outcome.output == closed.theirs.outcome.output)
        // As its manual says, and as from 0.8.5 on; 0.8.1 reads the time into a number of another size and waits for
        // ever.
        for arguments in [["--wait", "-t", "150", "Wait"], ["-t", "150", "-A", "yes=Yes", "Wait"]] {
            let ours = try await one(BuiltProgram.path, ["send"] + arguments, Self.capabilities) { _, _ in }
            #expect(ours.outcome.status == 0 && ours.outcome.output == "", "\(ours.outcome.errors)")
        }
    }

    @Test("a server without buttons shows it all the same, and the status says that nobody can answer")
    func noActions() async throws {
        let (theirs, ours) = try await both(["-A", "yes=Yes", "Ask"], capabilities: ["body"])
        #expect(theirs.outcome.status == 1 && ours.outcome.status == 1)
        #expect(theirs.call?.actions == [] && ours.call?.actions == [])
    }

    @Test("newer flags: the app's icon beside the notice's, and file descriptors for number, action and token")
    func newerFlags() async throws {
        let icons = try await one(
            BuiltProgram.path,
            ["send", "-n", "app", "-i", "mail-unread", "T"],
            Self.capabilities
        ) { _, _ in }
        #expect(icons.call?.icon == "app" && icons.call?.hint("image-path") == .string("mail-unread"))
        let script = """
            exec "$0" send --backend dbus Ask -A yes=Yes --id-fd 3 --selected-action-fd 4 --activation-token-fd 5 \
            3>&1 4>&1 5>&1
            """
        let bus = try await TestBus()
        let server = ScriptedServer(.kde, at: bus.address)
        try await server.start()
        let person = Task { if let call = await server.call(titled: "Ask") { server.press(call.id, "yes") } }
        var environment = BuiltProgram.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        let outcome = try await BuiltProgram.run("/bin/sh", ["-c", script, BuiltProgram.path], [], environment, 120)
        await person.value
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines == ["1", "yes", "yes", "belfry;1;2;3_TIME4"])
        await server.stop()
    }

    @Test(
        "wrong usage fails with both",
        arguments: [
            [], ["a", "b", "c"], ["-u", "loud", "T"], ["-h", "T"], ["-h", "int:x", "T"], ["-h", "int:x:y", "T"],
            ["-t", "soon", "T"], ["--nonsense", "T"],
        ]
    )
    func wrongUsage(_ arguments: [String]) async throws {
        let (theirs, ours) = try await both(arguments)
        #expect(theirs.outcome.status == 1)
        #expect(ours.outcome.status == 64, "\(ours.outcome.output)")
        #expect(theirs.call == nil && ours.call == nil)
        #expect(!ours.outcome.errors.isEmpty)
    }

    @Test(
        "an app's identifier with control characters, or too long, is wrong usage",
        arguments: ["d\u{1B}[31mX\u{7}", String(repeating: "x", count: 256)]
    )
    func wrongApp(_ id: String) async throws {
        let arguments = ["send", "-h", "string:desktop-entry:\(id)", "T", "B"]
        let ours = try await one(BuiltProgram.path, arguments, Self.capabilities) { _, _ in }
        #expect(ours.outcome.status == 64, "\(ours.outcome.errors)")
        #expect(ours.call == nil && ours.outcome.errors.contains("desktop-entry"))
    }

    @Test("help and version", arguments: ["-?", "--help", "-v", "--version"])
    func helping(_ flag: String) async throws {
        let (theirs, ours) = try await both([flag])
        #expect(theirs.outcome.status == 0 && ours.outcome.status == 0)
        #expect(!ours.outcome.output.isEmpty && ours.call == nil)
    }
}
