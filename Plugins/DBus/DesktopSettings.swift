import Belfry
import BelfryBus
import Dispatch
import FoundationEssentials

/// Reads settings from where desktops store them.
struct DesktopSettings: Sendable {
    let bus: BusConnection
    let limit: Duration
    let places: Places
    /// A queue for reading files, since the home directory may be on a file server that doesn't reply.
    static let files = DispatchQueue(label: "org.belfry.settings")

    /// Where desktops store their settings.
    struct Places: Sendable {
        /// The program that prints a key of GSettings; nil if it isn't installed.
        let settingsProgram: String?
        /// The configuration directories, the user's own first.
        let configFolders: [String]

        /// The paths on this machine, found at the first use, since most programs ask for none.
        static let standard = Places(
            settingsProgram: ["/usr/bin/gsettings", "/bin/gsettings", "/usr/local/bin/gsettings"]
                .first { FileManager.default.isExecutableFile(atPath: $0) },
            configFolders: standardFolders(environment: ProcessInfo.processInfo.environment)
        )

        /// Returns the directories of the XDG base directory specification, by which relative paths are ignored.
        static func standardFolders(environment: [String: String]) -> [String] {
            let others = environment["XDG_CONFIG_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
            return [BaseFolder.config.path(in: environment)]
                + others.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
    }

    /// Reads a boolean of GSettings with its own program: reading it here would need GLib, which aborts the process if
    /// a schema isn't installed. The settings portal doesn't expose these keys. `schema` may include a path:
    /// `SCHEMA:PATH`.
    func truth(of key: String, in schema: String) async -> Bool? {
        guard let program = places.settingsProgram else { return nil }
        switch await ChildOutput.firstLine(of: program, ["get", schema, key], within: limit) {
        case "true": return true
        case "false": return false
        default: return nil
        }
    }

    /// A value from Xfce's settings daemon.
    enum XfceValue: Sendable {
        case set(BusValue)
        case neverSet
        case unknown
    }

    func xfce(_ property: String, of channel: String) async -> XfceValue {
        let xfconf = BusObject("org.xfce.Xfconf", "/org/xfce/Xfconf", "org.xfce.Xfconf", timeout: limit)
        do throws(BusError) {
            let values = try await bus.call(xfconf.call("GetProperty", [.string(channel), .string(property)]))
            return values.count == 1 ? .set(values[0]) : .unknown
        } catch { return error.name == "org.xfce.Xfconf.Error.PropertyNotFound" ? .neverSet : .unknown }
    }

    /// Reads a boolean of a KDE file, the user's own before the system's. Returns nil if no file has it.
    func truth(of key: String, in group: [String], ofFile name: String) async -> Bool? {
        await Self.files.perform { [places] in
            for folder in places.configFolders {
                if let text = KDEConfigFile(folder + "/" + name)?.value(of: key, in: group) {
                    // KConfig treats these four as true, and anything else as false.
                    return ["true", "on", "yes", "1"].contains(text.lowercased())
                }
            }
            return nil
        }
    }
}
