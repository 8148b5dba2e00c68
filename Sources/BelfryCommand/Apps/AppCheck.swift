import Belfry
import BelfryAgent
import FoundationEssentials

/// The checks of what a desktop finds for an app, with advice where something is missing.
struct AppCheck: Sendable {
    let id: String
    let folders: [String]
    let environment: [String: String]

    init(id: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.id = id
        self.environment = environment
        folders = KeyFile.dataFolders(in: environment)
    }

    func diagnostics() -> [Diagnostic] {
        guard let entry = KeyFile.desktopEntry(of: id, in: folders) else {
            return [
                Diagnostic(
                    "entry",
                    .missing,
                    "no \(id).desktop in 'applications' of \(folders.joined(separator: ", "))",
                    advice: "'belfry app install' writes one."
                )
            ]
        }
        return [Diagnostic("entry", .ok, entry.path), name(entry), icon(entry), program(entry), settings(entry)]
            + activation(entry)
    }

    private func name(_ entry: KeyFile) -> Diagnostic {
        guard let name = entry["Name"] else {
            return Diagnostic("name", .missing, "the entry has no Name", advice: "Desktops leave such an entry out.")
        }
        return Diagnostic("name", .ok, name, ["name": name])
    }

    private func icon(_ entry: KeyFile) -> Diagnostic {
        guard let icon = entry["Icon"] else {
            return Diagnostic(
                "icon",
                .absent,
                "the entry names none",
                advice: "Icon= names one of the theme, or a file."
            )
        }
        if icon.hasPrefix("/") {
            guard !FileManager.default.fileExists(atPath: icon) else { return Diagnostic("icon", .ok, icon) }
            return Diagnostic("icon", .missing, "no file \(icon)", advice: "Copy it there, or change Icon=.")
        }
        guard let file = themeFile(of: icon) else {
            return Diagnostic(
                "icon",
                .missing,
                "no picture '\(icon)' in a theme",
                advice: "Put \(icon).svg into \(folders.first ?? "/usr/share")/icons/hicolor/scalable/apps."
            )
        }
        return Diagnostic("icon", .ok, file)
    }

    /// Returns the icon's file from any theme the user may choose (Icon Theme Specification, "Directory Layout").
    private func themeFile(of icon: String) -> String? {
        let endings = [".svg", ".png", ".xpm"]
        let files = FileManager.default
        func contents(_ folder: String) -> [String] {
            ((try? files.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { "\(folder)/\($0)" }
        }
        var places = folders.map { $0 + "/pixmaps" }
        for theme in folders.flatMap({ contents($0 + "/icons") }) {
            places += contents(theme).flatMap { ["\($0)/apps"] + contents($0) }
        }
        return places.lazy.flatMap { place in endings.map { "\(place)/\(icon)\($0)" } }
            .first { files.fileExists(atPath: $0) }
    }

    private func program(_ entry: KeyFile) -> Diagnostic {
        guard let command = command(in: entry) else {
            return Diagnostic("program", .missing, "the entry has no Exec", advice: "Nothing can start the app.")
        }
        guard let file = ExecLine(command).file(in: environment) else {
            return Diagnostic(
                "program",
                .missing,
                "no program for '\(command)'",
                advice: "Install it, or change Exec= in \(entry.path)."
            )
        }
        return Diagnostic("program", .ok, file)
    }

    /// Returns the command line of a file, in which backslashes are escaped (``AppFiles``).
    private func command(in file: KeyFile) -> String? { file["Exec"]?.replacing("\\\\", with: "\\") }

    private func settings(_ entry: KeyFile) -> Diagnostic {
        let key = "X-GNOME-UsesNotifications"
        guard entry[key] == "true" else {
            return Diagnostic(
                "settings",
                .absent,
                "GNOME's settings don't list it",
                advice: "\(key)=true has it listed."
            )
        }
        return Diagnostic("settings", .ok, "GNOME's settings list it")
    }

    /// Checks that an app with `DBusActivatable` has a service file that tells the bus how to start it.
    private func activation(_ entry: KeyFile) -> [Diagnostic] {
        guard entry["DBusActivatable"] == "true" else {
            return [
                Diagnostic("start", .absent, "a click starts it by its command; 'app install --activatable' by the bus")
            ]
        }
        guard let service = KeyFile.service(of: id, in: folders), service["Name"] == id,
            let command = command(in: service)
        else {
            return [
                Diagnostic(
                    "start",
                    .missing,
                    "DBusActivatable=true, and no \(id).service in 'dbus-1/services' that names it",
                    advice: "'belfry app install --activatable' writes one."
                )
            ]
        }
        let line = ExecLine(command)
        // The bus doesn't search PATH.
        guard line.file(in: [:]) != nil else {
            let isPath = line.program.hasPrefix("/")
            let detail = isPath ? "no program for '\(command)'" : "the bus needs the whole path of '\(command)'"
            return [Diagnostic("start", .missing, detail, advice: "Change \(service.path).")]
        }
        return [Diagnostic("start", .ok, service.path)]
    }
}
