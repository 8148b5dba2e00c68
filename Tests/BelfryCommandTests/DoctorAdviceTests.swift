import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("What the doctor finds is told with what to do", .takesTurns, .timeLimit(.minutes(5)))
struct DoctorAdviceTests {
    /// The findings of one check, with the status of the whole.
    private func found(
        _ check: String,
        _ arguments: String...,
        environment: [String: String] = [:]
    ) async throws -> (lines: [JSONLine], status: Int32) {
        let all = BuiltProgram.environment.merging(environment) { $1 }
        let outcome = try await BuiltProgram.run(["doctor", "--json"] + arguments, environment: all)
        return (outcome.lines.compactMap { JSONLine($0) }.filter { $0["check"] == check }, outcome.status)
    }

    @Test("Features in plain words: those that are there, those that are not, and limits")
    func features() {
        var capabilities = DeliveryCapabilities(server: "s", features: [.body, .actions])
        #expect(
            FeatureTexts.sentence(capabilities).hasPrefix(
                "has texts under the title, buttons; lacks bold and italic text"
            )
        )
        #expect(!FeatureTexts.sentence(capabilities).contains("closed"))
        (capabilities.features, capabilities.bodyLimit, capabilities.reportsClosing) = ([.urgency], 400, false)
        let sentence = FeatureTexts.sentence(capabilities)
        #expect(sentence.hasPrefix("shows titles only; lacks texts under the title, "))
        #expect(sentence.hasSuffix("; texts are cut to 400 characters; it does not report when a notice is closed"))
        capabilities = DeliveryCapabilities(server: "s", features: FeatureTexts.all)
        #expect(FeatureTexts.sentence(capabilities).hasSuffix("numbers on the app's icon"), "nothing is missing")
    }

    @Test("A bus that nobody listens on is named with the reason, and so is what a new login would do")
    func deadBus() async throws {
        let bus = try await found("bus", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"]).lines
            .first
        #expect(bus?["state"] == "missing" && bus?["address"] == "unix:path=/nowhere/bus")
        #expect(bus?["detail"]?.hasPrefix("There is no bus at 'unix:path=/nowhere/bus'") == true)
        #expect(bus?["detail"]?.contains("No such file or directory") == true)
        #expect(bus?["advice"]?.contains("Log in again") == true)
    }

    @Test("A store that is there is opened, one that is not is missing and not made, one in use is no error")
    func stores() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("store")
        let missing = try await found("store", "--store", path)
        #expect(missing.status == 1 && missing.lines.first?["detail"] == "there is none in \(path)")
        #expect(missing.lines.first?["advice"] == "Look at the path; 'belfry add --store' makes one.")
        #expect(!FileManager.default.fileExists(atPath: path))
        let add = ["add", "Tea", "--id", "tea", "--in", "1h", "--no-wait", "--store", path]
        #expect(try await BuiltProgram.run(add).status == 0)
        let whole = try await found("store", "--store", path).lines.first
        #expect(whole?["state"] == "ok" && whole?["detail"] == "\(path), with 1 pending")
        let owner = try RunningProgram(["run", "--backend", "console", "--store", path])
        _ = await owner.line()
        let used = try await found("store", "--store", path).lines.first
        #expect(used?["state"] == "ok" && used?["detail"]?.hasPrefix("\(path) is in use: ") == true)
        owner.signal(SIGINT)
        _ = await owner.end()
    }

    @Test(
        "An agent that can store nothing is damaged, with what is in its way; nothing is made to find out",
        .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
    )
    func unwritable() async throws {
        let (bus, folder) = (try await TestBus(), try TemporaryFolder())
        _ = try folder.writeScript("belfryd", "exit 1")
        let file = try folder.write("file", "")
        var environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": "\(folder.path):/usr/bin:/bin",
            "XDG_STATE_HOME": file + "/state",
        ]
        let bad = try await found("agent", environment: environment)
        let line = try #require(bad.lines.first)
        #expect(bad.status == 1 && line["state"] == "damaged" && line["presence"] == "found")
        let words = "; it can't store anything: \(file)/state/belfry/agent: Not a directory"
        #expect(line["detail"]?.contains(words) == true, "\(line)")
        #expect(line["advice"]?.contains("XDG_STATE_HOME") == true)
        environment["XDG_STATE_HOME"] = folder.path("state")
        let good = try await found("agent", environment: environment).lines.first
        #expect(good?["state"] == "ok" && good?["detail"]?.contains("store anything") == false)
        #expect(try folder.names().sorted() == ["belfryd", "file"])
    }

    @Test("Zone data that is not there is missing, with the package that has it")
    func zoneData() async throws {
        let folder = try TemporaryFolder()
        let missing = try await found("zone data", environment: ["TZDIR": folder.path])
        #expect(missing.status == 1 && missing.lines.first?["advice"] == "Install it (Debian: apt install tzdata).")
        try folder.write("UTC", "TZif")
        let unnamed = try await found("zone data", environment: ["TZDIR": folder.path]).lines.first
        #expect(unnamed?["state"] == "ok" && unnamed?["detail"] == folder.path)
        try folder.write("tzdata.zi", "# version 2026c\nR d")
        let named = try await found("zone data", environment: ["TZDIR": folder.path]).lines.first
        #expect(named?["version"] == "2026c" && named?["detail"] == "\(folder.path), version 2026c")
    }

    @Test(
        "Do not disturb: on with what to do, off, or a desktop that does not say",
        .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
    )
    func silence() async throws {
        let cases: [(ServerProfile, Bool?, String, String)] = [
            (.kde, false, "ok", "do not disturb: off"),
            (.kde, true, "ok", "do not disturb: on: notices are kept and not shown, but for critical ones"),
            (.minimal, nil, "-", "do not disturb: this desktop does not say"),
        ]
        for (profile, isInhibited, state, detail) in cases {
            let bus = try await TestBus()
            let server = ScriptedServer(profile, at: bus.address)
            try await server.start()
            if let isInhibited { try server.setInhibited(isInhibited) }
            let line = try await found("disturb", environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]).lines.first
            #expect(line?["detail"] == detail && line?["state"] == (state == "-" ? "absent" : state))
            #expect((line?["advice"] != nil) == (isInhibited == true))
            await server.stop()
        }
    }

    @Test("In a sandbox the portal comes first, and without one the bus is still tried")
    func sandbox() async throws {
        let environment = ["SNAP": "/snap/mine/1"]
        let portal = try await found("portal", environment: environment)
        #expect(portal.status == 1 && portal.lines.first?["state"] == "missing")
        #expect(portal.lines.first?["advice"] == "The sandbox has to let the session bus in.")
        let choice = try await found("backend", environment: environment).lines.first
        let order = "--backend auto takes console, the first that works of portal, dbus, terminal, console"
        #expect(choice?["detail"] == order)
        #expect(choice?["advice"] == "Notices are lines on the console until there is a server.")
    }

    @Test("An app that is named is looked for, and missing is then an error")
    func app() async throws {
        let folder = try TemporaryFolder()
        let environment = ["XDG_DATA_HOME": folder.path("share"), "XDG_DATA_DIRS": folder.path("system")]
        let named = try await found("identity", "--app", "org.example.Tea", environment: environment)
        let line = try #require(named.lines.first)
        #expect(named.status == 1 && named.lines.count == 1)
        #expect(line["app"] == "org.example.Tea" && line["part"] == "entry" && line["state"] == "missing")
        #expect(
            line["detail"]?.hasPrefix("org.example.Tea, entry: no org.example.Tea.desktop in 'applications' of ")
                == true
        )
        #expect(line["advice"] == "'belfry app install' writes one.")
        #expect(try await found("identity", environment: environment).lines.isEmpty, "nobody asked")
    }

    @Test(
        "What is wrong with an app's entry is told with what to write",
        arguments: [
            ("Exec=true\n", "name", "the entry has no Name", "Desktops leave such an entry out."),
            ("Name=Tea\n", "program", "the entry has no Exec", "Nothing can start the app."),
            (
                "Name=Tea\nExec=/nowhere/tea %u\n", "program", "no program for '/nowhere/tea %u'",
                "Install it, or change Exec= in "
            ),
            ("Name=Tea\nExec=true\n", "icon", "the entry names none", "Icon= names one of the theme, or a file."),
            ("Name=Tea\nIcon=/nowhere.png\n", "icon", "no file /nowhere.png", "Copy it there, or change Icon=."),
            ("Name=Tea\nIcon=cup\n", "icon", "no picture 'cup' in a theme", "Put cup.svg into "),
            (
                "Name=Tea\n", "settings", "GNOME's settings don't list it",
                "X-GNOME-UsesNotifications=true has it listed."
            ),
            (
                "Name=Tea\nDBusActivatable=true\n", "start",
                "DBusActivatable=true, and no org.example.Tea.service in 'dbus-1/services' that names it",
                "'belfry app install --activatable' writes one."
            ),
        ]
    )
    func entries(entry: String, check: String, detail: String, advice: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.folder("share/applications")
        try folder.write("share/applications/org.example.Tea.desktop", "[Desktop Entry]\n\(entry)")
        let environment = [
            "XDG_DATA_HOME": folder.path("share"), "XDG_DATA_DIRS": folder.path("none"), "PATH": "/usr/bin:/bin",
        ]
        let diagnostics = AppCheck(id: "org.example.Tea", environment: environment).diagnostics()
        let found = try #require(diagnostics.first { $0.check == check })
        #expect(found.detail == detail && found.advice?.hasPrefix(advice) == true, "\(found)")
    }

    @Test("A service whose program is gone is named by its file")
    func service() throws {
        let folder = try TemporaryFolder()
        for name in ["share/applications", "share/dbus-1/services"] { _ = try folder.folder(name) }
        try folder.write(
            "share/applications/org.example.Tea.desktop",
            "[Desktop Entry]\nName=Tea\nExec=true\nDBusActivatable=true\n"
        )
        let service = try folder.write(
            "share/dbus-1/services/org.example.Tea.service",
            "[D-BUS Service]\nName=org.example.Tea\nExec=/nowhere/tea\n"
        )
        let environment = [
            "XDG_DATA_HOME": folder.path("share"), "XDG_DATA_DIRS": folder.path("none"), "PATH": "/usr/bin:/bin",
        ]
        let start = AppCheck(id: "org.example.Tea", environment: environment).diagnostics().last
        #expect(start?.detail == "no program for '/nowhere/tea'" && start?.advice == "Change \(service).")
    }

    @Test("A service file is in order whatever characters its program's path has")
    func oddPath() throws {
        let folder = try TemporaryFolder()
        for name in ["share/applications", "share/dbus-1/services", "bin"] { _ = try folder.folder(name) }
        let program = try folder.write(#"bin/a $HOME `b` "c" 'd' \s \\$e"#, "#!/bin/sh\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        try folder.write(
            "share/applications/org.example.Tea.desktop",
            "[Desktop Entry]\nName=Tea\nExec=true\nDBusActivatable=true\n"
        )
        let service = try folder.write(
            "share/dbus-1/services/org.example.Tea.service",
            "[D-BUS Service]\nName=org.example.Tea\nExec=\(AgentInstallation.quoted(program)) --service\n"
        )
        let environment = [
            "XDG_DATA_HOME": folder.path("share"), "XDG_DATA_DIRS": folder.path("none"), "PATH": "/usr/bin:/bin",
        ]
        let start = AppCheck(id: "org.example.Tea", environment: environment).diagnostics().last
        #expect(start?.state == .ok && start?.detail == service, "\(String(describing: start))")
    }

    @Test(
        "The program of a command line is read with its quotes and escapes, and the rest stays as it is",
        arguments: [
            ("/usr/bin/tea --new  %u", "/usr/bin/tea", " --new  %u"), ("tea", "tea", ""), ("", "", ""),
            (#""/opt/a b/tea" %u"#, "/opt/a b/tea", " %u"),
            (#""/opt/\$a \"b\" \\c/tea" x"#, #"/opt/$a "b" \c/tea"#, " x"),
            (#"'/opt/$a '"'"'b'"'"'/tea' 'x y'"#, "/opt/$a 'b'/tea", " 'x y'"), (#""/opt/open"#, "/opt/open", ""),
        ]
    )
    func programs(command: String, program: String, arguments: String) {
        let line = ExecLine(command)
        #expect(line.program == program && line.arguments == arguments)
    }
}
