import Belfry
import BelfryAgent
import BelfryBus
import BelfrySchedules
import FoundationEssentials

/// The files by which a desktop identifies an app: its name and icon, its entry in the settings, and how it is started.
struct AppFiles: Sendable {
    let id: String
    let name: String
    let icon: String?
    /// A command line in the form of the Desktop Entry Specification ("The Exec key").
    let command: String
    /// Whether the bus starts the app for a click on a notice.
    let isActivatable: Bool

    /// Returns the files after validating them. Throws ``NoticeError/Code/invalidIdentifier`` and
    /// ``NoticeError/Code/wrongUsage`` for values that such files can't have.
    func checked() throws(NoticeError) -> AppFiles {
        do throws(BusError) { try BusNameRules.checkWellKnownName(id) } catch {
            throw NoticeError(
                .invalidIdentifier,
                "--id: '\(id.clipped)' is no identifier of an app; write it as org.example.Tea."
            )
        }
        for (option, text) in [("--name", name), ("--icon", icon ?? "-"), ("--exec", command)] {
            guard !text.trimmed.isEmpty, !text.utf8.contains(where: { $0 < 0x20 }) else {
                throw .usage("\(option): '\(text.clipped)' is empty or has control characters.")
            }
        }
        return self
    }

    /// Returns the files.
    ///
    /// - Parameter program: The absolute path of the program in ``command``.
    func files(startedBy program: String) -> [AgentInstallation.File] {
        let folder = BaseFolder.data.path()
        var entry = [
            "[Desktop Entry]", "Type=Application", "Name=\(Self.escaped(name))", "Exec=\(Self.escaped(command))",
            // GNOME's settings list the apps with this key.
            "X-GNOME-UsesNotifications=true",
        ]
        if let icon { entry.append("Icon=\(Self.escaped(icon))") }
        if isActivatable { entry.append("DBusActivatable=true") }
        var files = [
            AgentInstallation.File(
                path: "\(folder)/applications/\(id).desktop",
                purpose: "so that notices have the app's name and icon, and the settings list it",
                text: entry.joined(separator: "\n") + "\n"
            )
        ]
        if isActivatable {
            files.append(
                AgentInstallation.File(
                    path: "\(folder)/dbus-1/services/\(id).service",
                    purpose: "so that a click on a notice starts the app",
                    text: "[D-BUS Service]\nName=\(id)\nExec=\(Self.escaped(activation(by: program)))\n"
                )
            )
        }
        return files
    }

    /// Escapes backslashes as the Desktop Entry Specification requires ("Possible value types"). libdbus reads service
    /// files the same way, and ignores one with another escape sequence (`bus/desktop-file.c`).
    private static func escaped(_ text: String) -> String { text.replacing("\\", with: "\\\\") }

    /// Returns the command line for the bus, which neither searches PATH nor supports field codes, such as %u for the
    /// opened address. Spaces stay as they are: they may be part of a quoted argument.
    private func activation(by program: String) -> String {
        let line = ExecLine(command)
        let isPath = line.program.hasPrefix("/")
        let start = isPath ? String(command.dropLast(line.arguments.count)) : AgentInstallation.quoted(program)
        return String((start + Self.withoutFieldCodes(line.arguments)).trimmed)
    }

    /// Expands the field codes as for a start without files: `%%` is a percent sign, and the others are nothing.
    private static func withoutFieldCodes(_ arguments: String) -> String {
        arguments.split(separator: "%%", omittingEmptySubsequences: false)
            .map { part in "fFuUdDnNickvm".reduce(String(part)) { $0.replacing("%\($1)", with: "") } }
            .joined(separator: "%")
    }
}

/// A command line in the form of the Desktop Entry Specification ("The Exec key"), or of a D-Bus service file, which is
/// split by shell rules.
struct ExecLine: Sendable {
    /// The name or the path of the program, without its quotes and escapes.
    let program: String
    /// What follows the program, as it is written.
    let arguments: String

    init(_ text: String) {
        var program = ""
        var quote: Character?
        var rest = text[...]
        while let character = rest.first, quote != nil || character != " " {
            rest = rest.dropFirst()
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            } else if character == "\\", quote != "'", let next = rest.first, quote == nil || "\"`$\\".contains(next) {
                program.append(next)
                rest = rest.dropFirst()
            } else {
                program.append(character)
            }
        }
        self.program = program
        arguments = String(rest)
    }

    /// Returns the absolute path of the program; nil if there is no such executable. A name is searched in PATH.
    func file(in environment: [String: String]) -> String? {
        guard !program.isEmpty else { return nil }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let files = program.contains("/") ? [program] : folders.map { "\($0)/\(program)" }
        // A relative path is refused: a desktop chooses the working directory itself.
        return files.first {
            $0.hasPrefix("/") && PathText.isRegularFile($0) && FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
