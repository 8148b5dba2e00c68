import BelfryTestSupport
import Foundation
import Testing

@Suite("belfry app, as a program", .takesTurns, .timeLimit(.minutes(5)))
struct AppProgramTests {
    private let home: TemporaryFolder
    private let program: String

    init() throws {
        home = try TemporaryFolder()
        program = try home.writeScript("tea", "exit 0")
    }

    private func app(_ arguments: String...) async throws -> BuiltProgram.Outcome { try await app(arguments) }

    private func app(_ arguments: [String]) async throws -> BuiltProgram.Outcome {
        var environment = BuiltProgram.environment
        environment["XDG_DATA_HOME"] = home.path("share")
        environment["XDG_DATA_DIRS"] = home.path("system")
        return try await BuiltProgram.run(["app"] + arguments + ["--json"], environment: environment)
    }

    /// Installs the app Tea.
    private func install(_ command: String, _ options: String...) async throws -> BuiltProgram.Outcome {
        try await app(["install", "--id", "org.example.Tea", "--name", "Tea", "--exec", command] + options)
    }

    private func states() async throws -> (states: [String: String], status: Int32) {
        let outcome = try await app("check", "org.example.Tea")
        let found = try outcome.lines.map { try #require(JSONLine($0), "\($0)") }
        return (Dictionary(uniqueKeysWithValues: found.map { ($0["check"] ?? "", $0["state"] ?? "") }), outcome.status)
    }

    @Test("A file that can't be written is named with the system's reason, without names of Swift types")
    func unwritable() async throws {
        try home.write("share", "no folder")
        let outcome = try await install(program)
        #expect(outcome.status == 1 && outcome.output == "")
        let message = try #require(JSONLine(outcome.errors)?["error", "message"])
        #expect(message.contains("share/applications/org.example.Tea.desktop' can't be written."))
        #expect(!outcome.errors.contains("Error("), "\(outcome.errors)")
        let reasons = ["File exists", "Not a directory"]
        #expect(reasons.contains { outcome.errors.contains($0) }, "\(outcome.errors)")
    }

    @Test("What is written is a valid desktop file, and the check finds all of it")
    func installing() async throws {
        #expect(try await states() == (["entry": "missing"], 1))
        let icon = try home.write("tea.svg", "<svg/>")
        let outcome = try await app(
            "install",
            "--id",
            "org.example.Tea",
            "--name",
            "Tea \\ Milk",
            "--icon",
            icon,
            "--exec",
            "\(program) --open %u",
            "--activatable"
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let entry = home.path("share/applications/org.example.Tea.desktop")
        let service = home.path("share/dbus-1/services/org.example.Tea.service")
        #expect(outcome.lines.compactMap { JSONLine($0)?["file"] } == [entry, service])
        #expect(try String(contentsOfFile: entry, encoding: .utf8).contains("\nName=Tea \\\\ Milk\n"))
        #expect(
            try String(contentsOfFile: service, encoding: .utf8)
                == "[D-BUS Service]\nName=org.example.Tea\nExec=\(program) --open\n"
        )
        let validator = "/usr/bin/desktop-file-validate"
        if FileManager.default.isExecutableFile(atPath: validator) {
            #expect(try await output(of: validator, [entry]) == "")
        } else {
            print("not validated: desktop-file-validate is not installed (apt-get install desktop-file-utils)")
        }
        let (states, status) = try await states()
        #expect(Set(states.keys) == ["entry", "name", "icon", "program", "settings", "start"])
        #expect(Set(states.values) == ["ok"])
        #expect(status == 0)
        // The same again is no other text.
        let again = try await app(
            "install",
            "--id",
            "org.example.Tea",
            "--name",
            "Tea \\ Milk",
            "--icon",
            icon,
            "--exec",
            "\(program) --open %u",
            "--activatable"
        )
        #expect(again.status == 0)
    }

    @Test("The bus gets the whole path of a program that is in PATH, and the rest of its command line as it is")
    func activationFile() async throws {
        for (command, expected) in [
            ("true --title 'a  b' %u", #"Exec="/usr/bin/true" --title 'a  b'"#), (#""true""#, #"Exec="/usr/bin/true""#),
            (#""/usr/bin/true" "a  b""#, #"Exec="/usr/bin/true" "a  b""#),
            // `%%` is a percent sign; the other field codes are nothing, as without a file to open.
            ("/usr/bin/true --rate %%", "Exec=/usr/bin/true --rate %"),
            ("/usr/bin/true --rate=5%% --url=%u", "Exec=/usr/bin/true --rate=5% --url="),
            ("true %%f %%%f --percent=%%%%", #"Exec="/usr/bin/true" %f % --percent=%%"#),
            // The bus reads `\\` as a backslash, and ignores a file with another escape sequence.
            (#"/usr/bin/true "5 \$""#, #"Exec=/usr/bin/true "5 \\$""#),
        ] {
            let installed = try await install(command, "--activatable", "--replace")
            #expect(installed.status == 0, "\(installed.errors)")
            let service = home.path("share/dbus-1/services/org.example.Tea.service")
            let lines = try String(contentsOfFile: service, encoding: .utf8).split(separator: "\n")
            #expect(lines.last.map(String.init) == expected)
            #expect(try await states().states["start"] == "ok")
        }
    }

    @Test("A service file with a mere name can't be started: the bus doesn't search PATH")
    func activationByName() async throws {
        _ = try await install(program, "--activatable")
        let service = home.path("share/dbus-1/services/org.example.Tea.service")
        for (command, state) in [("true", "missing"), ("/usr/bin/true", "ok")] {
            let text = "[D-BUS Service]\nName=org.example.Tea\nExec=\(command)\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: service))
            #expect(try await states().states["start"] == state)
        }
    }

    @Test("A file that says something else is left alone, unless it is to be replaced")
    func replacing() async throws {
        let entry = try home.folder("share/applications") + "/org.example.Tea.desktop"
        try Data("[Desktop Entry]\nName=Mine\n".utf8).write(to: URL(fileURLWithPath: entry))
        let refused = try await install(program)
        #expect(refused.status == 1)
        #expect(JSONLine(refused.errors)?["error", "message"]?.contains(entry) == true)
        #expect(try String(contentsOfFile: entry, encoding: .utf8).contains("Name=Mine"))
        // What can't be read is not overwritten either; a folder is that for root, too.
        let service = try home.folder("share/dbus-1/services/org.example.Tea.service")
        try FileManager.default.removeItem(atPath: entry)
        let folder = try await install(program, "--activatable")
        #expect(folder.status == 1 && JSONLine(folder.errors)?["error", "code"] == "unsupported")
        #expect(JSONLine(folder.errors)?["error", "message"]?.contains("'\(service)'") == true, "\(folder.errors)")
        #expect(!FileManager.default.fileExists(atPath: entry), "nothing is written")
        try Data("[Desktop Entry]\nName=Mine\n".utf8).write(to: URL(fileURLWithPath: entry))
        let replaced = try await install(program, "--replace")
        #expect(replaced.status == 0)
        #expect(try String(contentsOfFile: entry, encoding: .utf8).contains("Name=Tea\n"))
    }

    @Test(
        "What no desktop file can hold is named, and nothing is written",
        arguments: [
            (["--id", "tea", "--name", "Tea", "--exec", "true"], 64, "'tea'"),
            (["--id", "org.example/../Tea", "--name", "Tea", "--exec", "true"], 64, "org.example/../Tea"),
            (["--id", "org.example.Tea", "--name", " ", "--exec", "true"], 64, "--name"),
            (["--id", "org.example.Tea", "--name", "Tea\nExec=rm", "--exec", "true"], 64, "--name"),
            (["--id", "org.example.Tea", "--name", "Tea", "--exec", "true\nX=1"], 64, "--exec"),
            (["--id", "org.example.Tea", "--name", "Tea", "--exec", "/nowhere/tea"], 1, "/nowhere/tea"),
            (["--id", "org.example.Tea", "--name", "Tea", "--exec", "./tea"], 1, "./tea"),
            (["--id", "org.example.Tea", "--name", "Tea", "--exec", "/usr/bin"], 1, "/usr/bin"),
        ] as [([String], Int32, String)]
    )
    func wrong(arguments: [String], status: Int32, mention: String) async throws {
        var environment = BuiltProgram.environment
        environment["XDG_DATA_HOME"] = home.path("share")
        let outcome = try await BuiltProgram.run(["app", "install"] + arguments + ["--json"], environment: environment)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(JSONLine(outcome.errors)?["error", "message"]?.contains(mention) == true, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.path("share")))
    }

    @Test(
        "What is missing is found",
        arguments: [
            ("Exec=true\n", "name", "missing"), ("Name=Tea\n", "program", "missing"),
            ("Name=Tea\nExec=/nowhere/tea\n", "program", "missing"),
            ("Name=Tea\nExec=\"/bin/true\" %u\n", "program", "ok"), ("Name=Tea\nExec=true\n", "icon", "absent"),
            ("Name=Tea\nExec=true\nIcon=nowhere\n", "icon", "missing"),
            ("Name=Tea\nExec=true\nIcon=/nowhere.png\n", "icon", "missing"),
            ("Name=Tea\nExec=true\nIcon=cup\n", "icon", "ok"), ("Name=Tea\nExec=true\n", "settings", "absent"),
            ("Name=Tea\nExec=true\nDBusActivatable=true\n", "start", "missing"),
            ("Name=Tea\nExec=true\n", "start", "absent"),
        ]
    )
    func findings(entry: String, check: String, state: String) async throws {
        let folder = try home.folder("system/applications")
        try Data("[Desktop Entry]\nType=Application\n\(entry)[Other]\nName=No\n".utf8)
            .write(to: URL(fileURLWithPath: folder + "/org.example.Tea.desktop"))
        let icons = try home.folder("system/icons/hicolor/48x48/apps")
        try Data().write(to: URL(fileURLWithPath: icons + "/cup.png"))
        #expect(try await states().states[check] == state)
    }
}
