public import Belfry
public import FoundationEssentials
import Glibc

/// The files that have the agent started: by the bus when somebody calls it, at login, and again after a crash.
///
/// A user's own need no rights. A package brings the same files for all users.
public struct AgentInstallation: Sendable {
    /// One file, and what it is for.
    public struct File: Sendable, Hashable {
        /// Where it is written.
        public var path: String
        /// For people: "so that …".
        public var purpose: String
        /// What it holds.
        public var text: String

        package init(path: String, purpose: String, text: String) {
            self.path = path
            self.purpose = purpose
            self.text = text
        }
    }

    /// The agent's program, by an absolute path.
    public let program: String
    /// True: a package's, which no command removes.
    package let isForAllUsers: Bool
    /// What stands before every path: a package is put together in a directory that is not the machine's root.
    private let root: String
    /// The directories that other programs' files are in too; they are never removed.
    private let sharedFolders: [String]
    private let serviceFolder: String
    private let unitFolder: String
    private let autostartFolder: String

    /// Creates an installation for the user of an environment: in `$XDG_DATA_HOME` and `$XDG_CONFIG_HOME`, or their
    /// defaults under the home folder.
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

    /// Creates an installation for all users, as a package brings it, below a directory; empty is the machine's own
    /// root.
    package init(program: String, forAllUsersBelow root: String) {
        self.program = program
        isForAllUsers = true
        self.root = root
        sharedFolders = [root + "/usr", root + "/etc"]
        serviceFolder = root + "/usr/share/dbus-1/services"
        unitFolder = root + "/usr/lib/systemd/user"
        autostartFolder = root + "/etc/xdg/autostart"
    }

    /// The installation that counts: the user's own where any of its files is there, else a package's.
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
                    Exec=\(Self.quoted(program)) \(AgentProgram.atLogin)
                    NoDisplay=true
                    X-GNOME-Autostart-enabled=true

                    """
            ),
        ]
    }

    /// Writes what is not there as it should be; answers the files that it wrote. Throws
    /// ``Belfry/NoticeError/Code/storeFailed`` naming the file.
    public func install(told tell: (File) -> Void) throws(NoticeError) {
        guard FileManager.default.isExecutableFile(atPath: root + program) else {
            throw NoticeError(
                .notFound,
                "There is no program '\(root + program)': build it with 'swift build' and install it."
            )
        }
        guard !program.utf8.contains(where: { $0 < 0x20 }) else {
            throw NoticeError(.unsupported, "The program's path '\(program)' has control characters: move it.")
        }
        for file in files {
            try file.write()
            tell(file)
        }
    }

    /// Removes every file that ``install(told:)`` writes, and the folders that are empty then; what isn't there is no
    /// error.
    public func uninstall(told tell: (File) -> Void) throws(NoticeError) {
        for file in files where FileManager.default.fileExists(atPath: file.path) {
            do { try FileManager.default.removeItem(atPath: file.path) } catch {
                throw NoticeError(.storeFailed, "The file '\(file.path)' can't be removed.", cause: "\(error)")
            }
            tell(file)
            removeEmptyFolders(above: file.path)
        }
    }

    /// Up to the folders that are every program's. rmdir(2) leaves alone what is not empty.
    private func removeEmptyFolders(above path: String) {
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        while !(sharedFolders + ["/"]).contains(folder.path), rmdir(folder.path) == 0 {
            folder = folder.deletingLastPathComponent()
        }
    }

    /// The files that are there and say what they should; those that are there and say something else.
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

    /// The Desktop Entry Specification, "The Exec key"; D-Bus splits a service file's line by shell rules, which agree
    /// here.
    private static func quoted(_ path: String) -> String {
        var text = ""
        for character in path {
            if "\"`$\\".contains(character) { text.append("\\") }
            text.append(character)
        }
        return "\"\(text)\""
    }

    /// systemd.service(5), "Command lines": `%` begins a specifier, `$` a variable.
    private static func unitQuoted(_ path: String) -> String {
        quoted(path).replacing("%", with: "%%").replacing("\\$", with: "$$")
    }
}

extension AgentInstallation.File {
    /// Makes its folder where there is none. Throws ``Belfry/NoticeError/Code/storeFailed`` naming the file.
    package func write() throws(NoticeError) {
        let place = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: place, options: .atomic)
        } catch { throw NoticeError(.storeFailed, "The file '\(path)' can't be written.", cause: "\(error)") }
    }
}
