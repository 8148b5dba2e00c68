import Belfry
import BelfryBus
import BelfryBusTestSupport
import BelfryTestSupport
import Dispatch
import Foundation
import Testing

@testable import BelfryDBus

@Suite(
    "The desktop's own switch for an app, where each desktop keeps it",
    .takesTurns,
    .timeLimit(.minutes(5)),
    .enabled(if: TestBus.program != nil, "dbus-daemon is not installed: apt-get install dbus-daemon")
)
struct DesktopPermissionTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "belfry-switch-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func write(_ text: String, to path: String, mode: Int = 0o644) throws {
        let file = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    // MARK: GNOME

    @Test("GNOME's is asked of its settings program, at the path that GNOME makes of the identifier") func gnome()
        async throws
    {
        let place =
            "org.gnome.desktop.notifications.application:/org/gnome/desktop/notifications/application/org-example-stage/"
        let answers: [(enable: String, banners: String, DesktopPermission)] = [
            ("true", "true", .on), ("true", "false", .quiet), ("false", "true", .off), ("maybe", "true", .unknown),
            ("true", "", .on),
        ]
        try await withFolder { folder in
            for (enable, banners, expected) in answers {
                let script = """
                    #!/bin/sh
                    case "$*" in
                    'get \(place) enable') echo \(enable) ;;
                    'get \(place) show-banners') echo \(banners) ;;
                    *) exit 1 ;;
                    esac

                    """
                try write(script, to: folder + "/settings", mode: 0o755)
                try await Stage.run(.gnome, settingsProgram: folder + "/settings") { stage, _ in
                    #expect(await stage.backend.desktopPermission(for: Stage.app) == expected)
                }
            }
        }
        try await Stage.run(.gnome, settingsProgram: nil) { stage, _ in
            #expect(await stage.backend.desktopPermission(for: Stage.app) == .unknown)
        }
    }

    @Test("the real settings program with GNOME's schemas answers so") func realSettings() async throws {
        guard let program = DesktopSettings.Places.standard.settingsProgram,
            FileManager.default.fileExists(
                atPath: "/usr/share/glib-2.0/schemas/org.gnome.desktop.notifications.gschema.xml"
            )
        else {
            try Test.cancel("gsettings or GNOME's schemas are not installed: apt-get install gsettings-desktop-schemas")
        }
        try await withFolder { folder in
            let wrapper = "#!/bin/sh\nGSETTINGS_BACKEND=keyfile XDG_CONFIG_HOME='\(folder)' exec '\(program)' \"$@\"\n"
            try write(wrapper, to: folder + "/settings", mode: 0o755)
            let group = "[org/gnome/desktop/notifications/application/org-example-stage]\n"
            let states = [("", DesktopPermission.on), ("show-banners=false\n", .quiet), ("enable=false\n", .off)]
            for (lines, expected) in states {
                try write(group + lines, to: folder + "/glib-2.0/settings/keyfile")
                try await Stage.run(.gnome, settingsProgram: folder + "/settings") { stage, _ in
                    #expect(await stage.backend.desktopPermission(for: Stage.app) == expected, "\(lines)")
                }
            }
        }
    }

    @Test(
        "GNOME's name of an identifier",
        arguments: [
            ("org.example.Tea", "org-example-tea"), ("org.example._x-_y", "org-example-x-y"), ("A--b..C", "a-b-c"),
            ("ä", "-"),
        ]
    )
    func gnomeName(id: String, name: String) { #expect(DesktopSettings.gnomeName(id) == name) }

    // MARK: Plasma

    @Test("Plasma's is in its file: popups and list are apart, the person's file counts before the system's")
    func plasma()
        async throws
    {
        let app = "[Applications][org.example.Stage]\n"
        let cases: [(own: String?, system: String?, DesktopPermission)] = [
            (nil, nil, .on), ("", nil, .on), (app, nil, .on), (app + "ShowPopups=true\n", nil, .on),
            (app + "ShowPopups=false\n", nil, .quiet), (app + "ShowPopups=false\nShowInHistory=false\n", nil, .off),
            (app + "ShowPopups[$i]=false\n", nil, .quiet), (app + " ShowPopups = off\r\n", nil, .quiet),
            ("[Applications][org.example.Other]\nShowPopups=false\n", nil, .on),
            ("[Services][org.example.Stage]\nShowPopups=false\n", nil, .on),
            (app + "[Other]\nShowPopups=false\n", nil, .on), (nil, app + "ShowPopups=false\n", .quiet),
            (app + "ShowPopups=true\n", app + "ShowPopups=false\n", .on),
            ("]][[\n=\n[\nShowPopups\n\u{0}=x\n" + app + "ShowPopups=false", nil, .quiet),
        ]
        for (own, system, expected) in cases {
            try await withFolder { folder in
                if let own { try write(own, to: folder + "/own/plasmanotifyrc") }
                if let system { try write(system, to: folder + "/system/plasmanotifyrc") }
                try await Stage.run(.kde, configFolders: [folder + "/own", folder + "/system"]) { stage, _ in
                    #expect(
                        await stage.backend.desktopPermission(for: Stage.app) == expected,
                        "\(own ?? "") \(system ?? "")"
                    )
                }
            }
        }
    }

    @Test("Plasma's file is read off the thread of all centers, which works on meanwhile")
    func plasmaOffThread() async throws {
        try await withFolder { folder in
            try write("[Applications][org.example.Stage]\nShowPopups=false\n", to: folder + "/plasmanotifyrc")
            try await Stage.run(.kde, configFolders: [folder]) { stage, _ in
                // From now on the server is known.
                #expect(await stage.backend.desktopPermission(for: Stage.app) == .quiet)
                let found = AwaitedState<DesktopPermission?>(nil)
                DesktopSettings.files.suspend()
                let question = Task(executorPreference: CenterThread.shared) {
                    let permission = await stage.backend.desktopPermission(for: Stage.app)
                    found.withLock { $0 = permission }
                }
                for _ in 0..<1_000 { await CenterThread.shared.letOthersWork() }
                #expect(found.current == nil)
                DesktopSettings.files.resume()
                await question.value
                #expect(found.current == .quiet)
            }
        }
    }

    @Test("the folders are those of the base directory specification") func folders() {
        #expect(
            DesktopSettings.Places.standardFolders(environment: ["HOME": "/h", "XDG_CONFIG_HOME": "relative"])
                == ["/h/.config", "/etc/xdg"]
        )
        let given = ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_CONFIG_DIRS": "/a:b:/d"]
        #expect(DesktopSettings.Places.standardFolders(environment: given) == ["/c", "/a", "/d"])
    }

    // MARK: Xfce

    @Test("Xfce's is a list of muted apps; where it keeps a log they are quiet") func xfce() async throws {
        let names = BusValue.array(of: .variant, [.variant(.string("Other")), .variant(.string("Stage"))])
        let cases: [(muted: BusValue?, log: Bool?, DesktopPermission)] = [
            (nil, nil, .on), (names, nil, .off), (names, true, .quiet), (names, false, .off),
            (.array(of: .variant, [.variant(.string("Other"))]), nil, .on),
            (.strings(["org.example.Stage"]), nil, .off),
            (.int32(7), nil, .on),
        ]
        for (muted, log, expected) in cases {
            try await Stage.run(Stage.profile(["body"], "Xfce Notify Daemon", "Xfce", "0.7.3")) { stage, _ in
                let method = BusMethod(
                    "GetProperty",
                    takes: [BusArgument("channel", "s"), BusArgument("property", "s")],
                    returns: [BusArgument("value", "v")],
                    atOnce: { call in
                        let value: BusValue? =
                            switch call.arguments.map(\.string) {
                            case ["xfce4-notifyd", "/applications/muted_applications"]: muted
                            case ["xfce4-notifyd", "/notification-log"]: log.map(BusValue.boolean)
                            default: nil
                            }
                        guard let value else { throw BusError.reply("org.xfce.Xfconf.Error.PropertyNotFound", "") }
                        return [.variant(value)]
                    }
                )
                let connection = try await stage.bus.connection()
                let export = try await connection.export(
                    [BusInterface("org.xfce.Xfconf", methods: [method])],
                    at: "/org/xfce/Xfconf"
                )
                try await connection.requestName("org.xfce.Xfconf")
                #expect(await stage.backend.desktopPermission(for: Stage.app) == expected)
                withExtendedLifetime(export) {}
                await connection.close()
            }
        }
    }

    @Test("no other server has one, nor a desktop without a server") func others() async throws {
        try await Stage.run(Stage.profile(["body"], "dunst", "knopwob", "1.9.0")) { stage, _ in
            #expect(await stage.backend.desktopPermission(for: Stage.app) == .unknown)
        }
        try await Stage.run(.kde, isThere: false) { stage, _ in
            #expect(await stage.backend.desktopPermission(for: Stage.app) == .unknown)
        }
    }
}
