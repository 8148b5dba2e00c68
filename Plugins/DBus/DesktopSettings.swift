import Belfry
import BelfryBus
import FoundationEssentials

/// Reads settings where desktops keep them.
struct DesktopSettings: Sendable {
    let bus: BusConnection
    let limit: Duration
    /// Prints a key of GSettings; nil where it isn't installed.
    let settingsProgram: String?
    /// Where programs keep their files, the person's own first.
    let configFolders: [String]

    static let standardProgram = ["/usr/bin/gsettings", "/bin/gsettings", "/usr/local/bin/gsettings"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// By the XDG base directory specification, which has relative paths ignored.
    static func standardFolders(environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
        let others = environment["XDG_CONFIG_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/etc/xdg"
        return [BaseFolder.config.path(in: environment)]
            + others.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }

    /// A truth value of GSettings, which is read by its own program: reading it here would need GLib, and its library
    /// ends the process for a schema that isn't installed. The portal for settings doesn't give these out. `schema` may
    /// name a path, `SCHEMA:PATH`.
    func truth(of key: String, in schema: String) async -> Bool? {
        guard let settingsProgram else { return nil }
        switch await ChildOutput.firstLine(of: settingsProgram, ["get", schema, key], within: limit) {
        case "true": return true
        case "false": return false
        default: return nil
        }
    }

    /// What Xfce's settings daemon says.
    enum XfceValue: Sendable {
        case set(BusValue)
        case neverSet
        case unknown
    }

    func xfce(_ property: String, of channel: String) async -> XfceValue {
        let call = BusMethodCall(
            to: "org.xfce.Xfconf",
            "/org/xfce/Xfconf",
            "org.xfce.Xfconf",
            "GetProperty",
            [.string(channel), .string(property)],
            timeLimit: limit
        )
        do throws(BusError) {
            let values = try await bus.call(call)
            return values.count == 1 ? .set(values[0]) : .unknown
        } catch { return error.name == "org.xfce.Xfconf.Error.PropertyNotFound" ? .neverSet : .unknown }
    }

    /// A truth value of one of KDE's files: the person's own counts before the system's. Nil where it is in none.
    func truth(of key: String, in group: [String], ofFile name: String) -> Bool? {
        for folder in configFolders {
            if let text = KDEConfigFile(folder + "/" + name)?.value(of: key, in: group) {
                // KConfig takes these four for true, and anything else for false.
                return ["true", "on", "yes", "1"].contains(text.lowercased())
            }
        }
        return nil
    }
}
