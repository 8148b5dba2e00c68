import Belfry
import BelfryAgent
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Foundation
import Testing

@Suite(
    "Installing the agent, on a newcomer's machine",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct AgentInstallationTests {
    private static let service = ".local/share/dbus-1/services/org.belfry.Agent1.service"
    private static let unit = ".config/systemd/user/belfryd.service"
    private static let autostart = ".config/autostart/org.belfry.Agent1.desktop"

    /// By its D-Bus name alone: neither `belfry` nor a library of ours starts anything.
    private func call(_ method: String, _ arguments: [BusValue], on bus: TestBus) async throws -> [BusValue] {
        try await bus.connection().call(
            BusMethodCall(
                to: "org.belfry.Agent1",
                "/org/belfry/Agent1",
                "org.belfry.Agent1",
                method,
                arguments,
                startsService: true
            )
        )
    }

    @Test("a call starts the agent from the installed files alone, and uninstall leaves no trace")
    func activation() async throws {
        let programs = try await Programs()
        // Something of another program's in a folder that is used too.
        try programs.home.write(".config/autostart/other.desktop", "[Desktop Entry]\n")
        let before = try programs.home.tree()
        #expect(try await programs.belfry(["agent", "status"]).contains("not installed: "))
        await #expect(throws: BusError.self) { _ = try await call("Apps", [], on: programs.bus) }

        let told = try await programs.belfry(["agent", "install"])
        let files = Set(try programs.home.tree()).subtracting(before)
        #expect(files.isSuperset(of: [Self.service, Self.unit, Self.autostart]))
        for name in [Self.service, Self.unit, Self.autostart] {
            #expect(told.contains("wrote \(programs.home.path)/\(name)"))
        }
        #expect(told.contains("the session bus has read") && told.contains("no systemd"))
        let installed = try await programs.belfry(["agent", "status"])
        #expect(installed.contains("the bus starts it") && !installed.contains("not installed: "))
        #expect(try await programs.agentProcess() == nil, "looking starts nothing")

        #expect(try await call("Apps", [], on: programs.bus) == [.strings([])])
        let process = try #require(try await programs.agentProcess())
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe").hasSuffix("/belfryd"))
        #expect(try await programs.belfry(["agent", "status"]).contains("It runs as process \(process)."))

        let removed = try await programs.belfry(["agent", "uninstall"])
        #expect(!removed.contains("next"), "nothing is started by what is gone: \(removed)")
        #expect(removed.contains("still runs as process \(process)"))
        try await programs.killAgent()
        #expect(try programs.home.tree() == before)
        await #expect(throws: BusError.self) { _ = try await call("Apps", [], on: programs.bus) }
        #expect(try await programs.belfry(["agent", "uninstall"]).contains("nothing was installed"))
    }

    @Test("where systemd runs for the user it is told of its unit, and where it refuses that is said")
    func systemd() async throws {
        let programs = try await Programs()
        let connection = try await programs.bus.connection()
        let export = try await connection.export(
            [
                BusInterface(
                    "org.freedesktop.systemd1.Manager",
                    methods: [
                        BusMethod(
                            "Reload",
                            atOnce: { _ in
                                guard (try? programs.home.read(Self.unit)) != nil else {
                                    throw BusError.reply("org.example.NoUnit", "there is no unit")
                                }
                                return []
                            }
                        )
                    ]
                )
            ],
            at: "/org/freedesktop/systemd1"
        )
        try await connection.requestName("org.freedesktop.systemd1")
        #expect(try await programs.belfry(["agent", "install"]).contains("systemd has read"))
        let removed = try await programs.belfry(["agent", "uninstall"])
        #expect(removed.contains("systemd") && removed.contains("there is no unit"))
        let lines = try await programs.belfry(["agent", "install", "--json"])
        #expect(lines.contains(#"{"service":"systemd","state":"told"}"#))
        withExtendedLifetime(export) {}
    }

    @Test("without a session bus nobody is told of the files, and nothing has failed")
    func noBus() async throws {
        let programs = try await Programs()
        for action in ["install", "uninstall"] {
            let lines = try await programs.run([
                "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent/bus", programs.folder + "/belfry", "agent", action,
                "--json",
            ])
            #expect(lines.contains(#"{"service":"session bus","state":"absent"}"#))
            #expect(lines.contains(#"{"service":"systemd","state":"absent"}"#) == (action == "install"))
            #expect(!lines.contains("failed"), "\(lines)")
        }
    }

    @Test("a relative path of the program is made absolute, since nothing starts in this directory")
    func relativePath() async throws {
        let programs = try await Programs()
        let upToRoot = FileManager.default.currentDirectoryPath.split(separator: "/").map { _ in "../" }.joined()
        let program = programs.folder + "/belfryd"
        try await programs.belfry(["agent", "install", "--program", upToRoot + program.dropFirst()])
        for file in [Self.service, Self.unit, Self.autostart] {
            #expect(try programs.home.read(file).contains("=\"\(program)\""))
        }
    }

    /// A name with what a shell, a desktop file or a unit could take for something else.
    private static let oddName = #"a $HOME `b` "c" 'd' \s \\$e"#

    @Test("the bus starts an agent whose path has quotes, backslashes and dollar signs")
    func oddPathOnBus() async throws {
        let programs = try await Programs()
        let program = programs.home.path + "/" + Self.oddName
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: programs.folder + "/belfryd")
        try await programs.belfry(["agent", "install", "--program", program])
        #expect(try await call("Apps", [], on: programs.bus) == [.strings([])])
        try await programs.killAgent()
    }

    @Test(
        "a desktop's login starts it too",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gio"),
            "gio: apt-get install libglib2.0-bin"
        )
    )
    func oddPathAtLogin() async throws {
        let home = try Home()
        let (program, pipe) = (home.path + "/" + Self.oddName, home.path + "/pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        try home.write(Self.oddName, "#!/bin/sh\necho \"$@\" > \(pipe)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        try AgentInstallation(program: program, environment: ["HOME": home.path]).install { _ in }
        // Or else this would wait for a program that nobody has started.
        let reader = open(pipe, O_RDWR)
        defer { close(reader) }
        let printed = try await output(of: "/usr/bin/gio", ["launch", home.path + "/" + Self.autostart])
        let isStarted = await offThePool {
            var event = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            return poll(&event, 1, 60_000) == 1
        }
        try #require(isStarted, "\(printed)")
        var text = [UInt8](repeating: 0, count: 100)
        let count = read(reader, &text, text.count)
        #expect(String(decoding: text.prefix(max(0, count)), as: UTF8.self) == "--at-login\n")
    }

    // GIO looks for a program with two percent signs in its name, and starts none with one.
    @Test("a percent sign is written as each file's reader reads it, and so is a dollar sign in systemd's unit")
    func percentSign() {
        let installation = AgentInstallation(program: "/opt/a $b %u/belfryd", environment: ["HOME": "/nonexistent"])
        let lines = installation.files.flatMap { $0.text.split(separator: "\n") }.filter { $0.hasPrefix("Exec") }
        #expect(
            lines == [
                #"Exec='/opt/a $b %u/belfryd'"#, #"ExecStart="/opt/a $b %%u/belfryd""#,
                #"Exec="/opt/a \\$b %%u/belfryd" --at-login"#,
            ]
        )
    }

    @Test("what the agent has started stays when systemd ends it, and a login without the program starts nothing")
    func unitAndEntry() throws {
        let installation = AgentInstallation(program: #"/opt/a \b/belfryd"#, environment: ["HOME": "/nonexistent"])
        let lines = installation.files.map { $0.text.split(separator: "\n") }
        #expect(lines[1].contains("KillMode=process"))
        #expect(lines[2].contains(#"TryExec=/opt/a \\b/belfryd"#))
    }

    @Test("a package's files are those of a user, for all users and by the package's program")
    func package() async throws {
        let programs = try await Programs()
        let root = programs.home.path + "/root"
        try FileManager.default.createDirectory(atPath: root + "/usr/bin", withIntermediateDirectories: true)
        let told = try await programs.belfry(["agent", "install", "--package-root", root], status: 1)
        #expect(!told.contains("wrote"), "without the program nothing is written")
        try FileManager.default.createSymbolicLink(
            atPath: root + "/usr/bin/belfryd",
            withDestinationPath: programs.folder + "/belfryd"
        )
        try await programs.belfry(["agent", "install", "--package-root", root])
        try await programs.belfry(["agent", "install"])
        for (packaged, own) in [
            ("usr/share/dbus-1/services/org.belfry.Agent1.service", Self.service),
            ("usr/lib/systemd/user/belfryd.service", Self.unit),
            ("etc/xdg/autostart/org.belfry.Agent1.desktop", Self.autostart),
        ] {
            let text = try programs.home.read("root/" + packaged)
            #expect(text.contains("\"/usr/bin/belfryd\""))
            let users = try programs.home.read(own)
            #expect(text == users.replacingOccurrences(of: programs.folder + "/belfryd", with: "/usr/bin/belfryd"))
        }
    }

    @Test("the agent's program says what it is, and refuses what it doesn't know")
    func help() async throws {
        let programs = try await Programs()
        let program = programs.folder + "/belfryd"
        #expect(try await programs.run([program, "--help"]).contains("USAGE: belfryd"))
        let version = try await programs.belfry(["--version"])
        #expect(try await programs.run([program, "--version"]) == version)
        #expect(try await programs.run([program, "--nonsense"], status: 64).contains("'--nonsense'"))
    }
}
