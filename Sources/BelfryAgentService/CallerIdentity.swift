package import Belfry
import BelfryAgent
import BelfryBus
import Glibc

/// The identity of a caller from the bus and the kernel, not from the caller itself.
struct CallerIdentity: Sendable {
    /// The application identifier from its sandbox; nil for an ordinary program.
    var sandboxed: String?

    /// Throws ``NoticeError/Code/accessDenied`` if the process is unknown or belongs to another user, and
    /// ``NoticeError/Code/agentUnavailable`` (transient) if the bus does not reply now.
    static func of(
        _ sender: String,
        on bus: BusConnection,
        processes: String
    ) async throws(NoticeError) -> CallerIdentity {
        let credentials: BusCredentials
        do throws(BusError) { credentials = try await bus.credentials(of: sender) } catch {
            let code: NoticeError.Code = error.isTransient ? .agentUnavailable : .accessDenied
            throw NoticeError(code, "The bus does not say who '\(sender)' is: \(error.message)")
        }
        guard let process = credentials.processID else {
            throw NoticeError(.accessDenied, "The bus does not say which process '\(sender)' is.")
        }
        if let user = credentials.userID, user != getuid() {
            throw NoticeError(.accessDenied, "This agent serves the user \(getuid()), and '\(sender)' is \(user).")
        }
        return CallerIdentity(sandboxed: try sandbox(of: process, processes))
    }

    /// Returns the app of a sandbox. Flatpak puts `/.flatpak-info` at its root, out of its reach (flatpak-metadata(5)).
    private static func sandbox(of process: UInt32, _ processes: String) throws(NoticeError) -> String? {
        guard let bytes = try sandboxInfo(of: process, processes) else { return nil }
        if let name = KeyFile(".flatpak-info", bytes, group: "Application")["name"] { return name }
        throw NoticeError(.accessDenied, "The sandbox of process \(process) does not say which application it is.")
    }

    /// Returns the sandbox's file; nil if the root directory of the process is readable and has none. An unreadable
    /// process is refused: a sandboxed one could end and leave its connection to a child, or hide itself (prctl(2),
    /// PR_SET_DUMPABLE).
    private static func sandboxInfo(of process: UInt32, _ processes: String) throws(NoticeError) -> [UInt8]? {
        func refusal(_ reason: Int32) -> NoticeError {
            NoticeError(
                .accessDenied,
                "Whether process \(process) is in a sandbox can't be seen: \(String(cString: strerror(reason)))."
            )
        }
        let root = open("\(processes)/\(process)/root", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { throw refusal(errno) }
        defer { close(root) }
        let info = openat(root, ".flatpak-info", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard info >= 0 else {
            guard errno == ENOENT else { throw refusal(errno) }
            return nil
        }
        defer { close(info) }
        do throws(RegularFile.Failure) { return try RegularFile.bytes(from: info, limit: KeyFile.limit) } catch {
            throw refusal(EIO)
        }
    }

    /// Checks whether the caller may use an identifier. An ordinary program may use any: between programs of one user,
    /// identifiers separate data and protect nothing.
    func check(mayUse app: String) throws(NoticeError) {
        guard let sandboxed, sandboxed != app else { return }
        throw NoticeError(
            .accessDenied,
            "The sandboxed application '\(sandboxed)' may use its own identifier only, not '\(app)'."
        )
    }

    /// Throws ``NoticeError/Code/accessDenied`` to a sandboxed application, which can't do `what`.
    func checkIsFree(_ what: String) throws(NoticeError) {
        guard sandboxed != nil else { return }
        throw NoticeError(.accessDenied, "A sandboxed application can't \(what).")
    }

    /// The rules for the caller's notices; nil for an ordinary program.
    var rules: SandboxRules? { sandboxed.map(SandboxRules.init) }
}

extension NoticeError.Code {
    /// The caller may not do this. Permanent.
    package static let accessDenied = Self(rawValue: "accessDenied")
}
