public import Belfry
public import FoundationEssentials
import Glibc

/// The files that start the agent: by the bus when an app calls it, at login, and again after a crash.
///
/// The files of one user need no privileges. A package installs the same files for all users.
///
/// ```swift
/// let installation = AgentInstallation(program: "/usr/local/bin/belfryd")
/// if !installation.state().missing.isEmpty {
///     try installation.install { file in print("\(file.path), \(file.purpose)") }
/// }
/// ```
public struct AgentInstallation: Sendable {
    /// One file, and its purpose.
    public struct File: Sendable, Hashable {
        /// The path at which the file is written.
        public var path: String
        /// The purpose in words for the user, as in "so that …".
        public var purpose: String
        /// The file's content.
        public var text: String

        package init(path: String, purpose: String, text: String) {
            self.path = path
            self.purpose = purpose
            self.text = text
        }
    }

    /// The absolute path of the agent's program.
    public let program: String
    /// Whether this is the installation of a package, which no command removes.
    package let isForAllUsers: Bool
    /// The prefix of every path: a package is built in a directory that is not the machine's root.
    private let root: String
    /// The directories that other programs use too; they are never removed.
    private let sharedFolders: [String]
    private let serviceFolder: String
    private let unitFolder: String
    private let autostartFolder: String

    /// Creates an installation for the user of an environment: in `$XDG_DATA_HOME` and `$XDG_CONFIG_HOME`, or their
    /// defaults in the home directory.
    public init(program: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let dataHome = BaseFolder.data.path(in: environment)
        let configHome = BaseFolder.config.path(in: environment)
        self.program = program
        isForAllUsers = false
        root = ""
        sharedFolders = [dataHome, configHome]
        serviceFolder = dataHome + "/dbus-1/services"
        unitFolder = configHome + "/systemd/user"
        autostartFolder = configHome + "/autostart"
    }

    /// Creates a package's installation for all users, below a directory; empty for the machine's root.
    package init(program: String, forAllUsersBelow root: String) {
        self.program = program
        isForAllUsers = true
        self.root = root
        sharedFolders = [root + "/usr", root + "/etc"]
        serviceFolder = root + "/usr/share/dbus-1/services"
        unitFolder = root + "/usr/lib/systemd/user"
        autostartFolder = root + "/etc/xdg/autostart"
    }

    /// The installation in effect: the user's own if any of its files exists, else a package's.
    package static func current(
        program: String,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> AgentInstallation {
        let own = AgentInstallation(program: program, environment: environment)
        let package = AgentInstallation(program: program, forAllUsersBelow: "")
        return own.state().missing.count == own.files.count && package.state().installed == package.files
            ? package : own
    }

    private static let unit = "belfryd.service"

    /// The files that start the agent at login and on demand.
    public var files: [File] {
        [
            File(
                path: "\(serviceFolder)/\(AgentNames.agent).service",
                purpose: "so that the session bus starts the agent when an app calls it",
                text: """
                    [D-BUS Service]
                    Name=\(AgentNames.agent)
                    Exec=\(Self.quoted(program))
                    SystemdService=\(Self.unit)

                    """
            ),
            File(
                path: "\(unitFolder)/\(Self.unit)",
                purpose: "so that systemd starts it again after a crash",
                text: """
                    [Unit]
                    Description=Keeps and shows notices of apps that do not run
                    Documentation=man:belfryd(1)
                    PartOf=graphical-session.target
                    After=graphical-session.target

                    [Service]
                    Type=dbus
                    BusName=\(AgentNames.agent)
                    ExecStart=\(Self.unitQuoted(program))
                    Restart=on-failure
                    # The apps that it starts stay in its control group, and outlive it.
                    KillMode=process
                    Slice=background.slice

                    """
            ),
            File(
                path: "\(autostartFolder)/\(AgentNames.agent).desktop",
                purpose: "so that it is there from login on, for what is pending",
                text: """
                    [Desktop Entry]
                    Type=Application
                    Name=Belfry
                    Comment=Keeps and shows notices of apps that do not run
                    TryExec=\(program.replacing("\\", with: "\\\\"))
                    Exec=\(Self.entryQuoted(program)) \(AgentProgram.atLogin)
                    NoDisplay=true
                    X-GNOME-Autostart-enabled=true

                    """
            ),
        ]
    }

    /// Writes all files and calls `report` with each.
    ///
    /// - Throws: ``Belfry/NoticeError/Code/notFound`` without the program and ``Belfry/NoticeError/Code/unsupported``
    ///   for control characters in its path (both permanent); ``Belfry/NoticeError/Code/storeFailed`` (transient)
    ///   naming a file that can't be written. Files that were written before stay.
    public func install(reporting report: (File) -> Void) throws(NoticeError) {
        guard FileManager.default.isExecutableFile(atPath: root + program) else {
            throw NoticeError(
                .notFound,
                "There is no program '\(root + program)': build it with 'swift build --product belfryd'."
            )
        }
        guard !program.utf8.contains(where: { $0 < 0x20 }) else {
            throw NoticeError(.unsupported, "The program's path '\(program)' has control characters: move it.")
        }
        for file in files {
            try file.write()
            report(file)
        }
    }

    /// Removes every file that ``install(reporting:)`` writes, and the directories that are then empty. Missing files
    /// are ignored. Throws ``Belfry/NoticeError/Code/storeFailed`` (transient) naming a file that can't be removed.
    public func uninstall(reporting report: (File) -> Void) throws(NoticeError) {
        for file in files where FileManager.default.fileExists(atPath: file.path) {
            do { try FileManager.default.removeItem(atPath: file.path) } catch {
                throw NoticeError(file: file.path, "removed", error)
            }
            report(file)
            removeEmptyFolders(above: file.path)
        }
    }

    /// Removes empty parent directories up to the shared ones. rmdir(2) fails for a directory that is not empty.
    private func removeEmptyFolders(above path: String) {
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        while !(sharedFolders + ["/"]).contains(folder.path), rmdir(folder.path) == 0 {
            folder = folder.deletingLastPathComponent()
        }
    }

    /// Returns the files with the expected content, those with other content, and those that are missing.
    public func state() -> (installed: [File], differing: [File], missing: [File]) {
        var state: (installed: [File], differing: [File], missing: [File]) = ([], [], [])
        for file in files {
            switch FileManager.default.contents(atPath: file.path) {
            case nil: state.missing.append(file)
            case Data(file.text.utf8)?: state.installed.append(file)
            default: state.differing.append(file)
            }
        }
        return state
    }

    /// Quotes a path for the key Exec of a D-Bus service file, which is split by shell rules.
    ///
    /// Single quotes need no backslashes. dbus-daemon decodes backslashes as in a desktop file before it splits the
    /// line, and ignores a file with `\$`; dbus-broker does not decode them.
    package static func quoted(_ path: String) -> String {
        guard path.contains(where: { "\"`$\\".contains($0) }) else { return "\"\(path)\"" }
        return "'\(path.replacing("'", with: "'\"'\"'").replacing("\\", with: "\\\\"))'"
    }

    /// Quotes a path for the key Exec of a desktop file (Desktop Entry Specification, "The Exec key"). The value is a
    /// string, whose backslashes are escaped once more ("Possible value types"), and `%` begins a field code.
    private static func entryQuoted(_ path: String) -> String {
        var argument = ""
        for character in path {
            if "\"`$\\".contains(character) { argument.append("\\") }
            argument.append(character)
        }
        return "\"\(argument.replacing("\\", with: "\\\\").replacing("%", with: "%%"))\""
    }

    /// Quotes a path by systemd.service(5), "Command lines": `%` begins a specifier. In the path of the program `$` is
    /// an ordinary character, and systemd refuses quotes and backslashes, even escaped ones.
    private static func unitQuoted(_ path: String) -> String { "\"\(path.replacing("%", with: "%%"))\"" }
}

extension AgentInstallation.File {
    /// Writes the file and creates its directory. Throws ``Belfry/NoticeError/Code/storeFailed`` (transient) naming it.
    package func write() throws(NoticeError) {
        let place = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: place, options: .atomic)
        } catch { throw NoticeError(file: path, "written", error) }
    }
}

extension NoticeError {
    /// Creates the error of a file that can't be written or removed. The cause is the system's, with the path that it
    /// is about: it may be that of a parent. The description of Foundation's error would name Swift types.
    fileprivate init(file path: String, _ deed: String, _ error: any Error) {
        let error = error as? CocoaError
        let reason = (error?.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)) }
        let cause = [error?.filePath, reason].compactMap(\.self).joined(separator: ": ")
        self.init(.storeFailed, "The file '\(path)' can't be \(deed).", cause: cause)
    }
}
