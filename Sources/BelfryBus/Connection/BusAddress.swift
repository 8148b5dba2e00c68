import CDBus
import Glibc

/// The bus to connect to.
///
/// ```swift
/// let system = BusConnection(to: .system)
/// let other = BusConnection(to: .address("unix:path=/run/user/1000/bus"))
/// ```
public enum BusAddress: Sendable, Hashable {
    /// `$DBUS_SESSION_BUS_ADDRESS`, or else `$XDG_RUNTIME_DIR/bus`. If neither is set, as in a cron job, the bus of the
    /// user's session, `/run/user/UID/bus`, if the user owns it. Belfry never starts a bus ("autolaunch"), because that
    /// would leave a stray one behind.
    case session
    /// `$DBUS_SYSTEM_BUS_ADDRESS`, or else the well-known socket.
    case system
    /// An address in D-Bus notation, such as `unix:path=/run/user/1000/bus`.
    case address(String)

    /// Returns the address for libdbus. Resolved anew for each attempt, because a session's socket may appear later.
    ///
    /// Throws ``BusError/Code/noBus`` (transient) and ``BusError/Code/invalidAddress`` (permanent).
    package func resolve() throws(BusError) -> String {
        switch self {
        case .session:
            return try Self.session(
                named: Self.environment("DBUS_SESSION_BUS_ADDRESS"),
                runtimeFolder: Self.environment("XDG_RUNTIME_DIR"),
                // A privileged (setuid) program must not trust the directory of the user who started it.
                userFolder: getuid() == geteuid() ? "/run/user/\(getuid())" : nil
            )
        case .system:
            if let named = Self.environment("DBUS_SYSTEM_BUS_ADDRESS") { return try Self.usable(named) }
            return "unix:path=/run/dbus/system_bus_socket"
        case .address(let address): return try Self.usable(address)
        }
    }

    /// Returns the session bus's address from the environment, or of the socket that systemd keeps for the user.
    static func session(
        named address: String?,
        runtimeFolder: String?,
        userFolder: String?
    ) throws(BusError) -> String {
        if let address { return try usable(address) }
        if let runtimeFolder {
            let path = runtimeFolder + "/bus"
            guard socketOwner(path) != nil else {
                throw noSession("DBUS_SESSION_BUS_ADDRESS is not set, and there is no socket '\(path)'")
            }
            return try socketAddress(path)
        }
        let path = userFolder.map { $0 + "/bus" }
        guard let path, socketOwner(path) == getuid() else {
            let own = path.map { ", and there is no socket '\($0)' of this user's" } ?? ""
            throw noSession("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set" + own)
        }
        return try socketAddress(path)
    }

    private static func socketAddress(_ path: String) throws(BusError) -> String {
        guard let escaped = dbus_address_escape_value(path) else { throw WireMessage.outOfMemory }
        defer { dbus_free(escaped) }
        return "unix:path=" + String(cString: escaped)
    }

    private static func noSession(_ reason: String) -> BusError {
        BusError(
            .noBus,
            "There is no session bus: \(reason). Log in to a desktop, or run the program under dbus-run-session."
        )
    }

    /// The address without its "autolaunch" entries.
    private static func usable(_ address: String) throws(BusError) -> String {
        guard !address.utf8.contains(0) else {
            throw BusError(.invalidAddress, "The bus address '\(address.prefix(200))' has a NUL inside: mend it.")
        }
        let entries = address.split(separator: ";").filter { !$0.hasPrefix("autolaunch:") }
        guard !entries.isEmpty else {
            throw BusError(
                .noBus,
                "The bus address '\(address.prefix(200))' names no bus that runs, and Belfry starts none: log in to a "
                    + "desktop, or run the program under dbus-run-session."
            )
        }
        return entries.joined(separator: ";")
    }

    /// Returns a nonempty value; always nil in a privileged program, where another user controls the environment.
    private static func environment(_ name: String) -> String? {
        guard let value = belfry_dbus_environment(name), value[0] != 0 else { return nil }
        return String(cString: value)
    }

    /// Returns the owner of the socket; nil if there is none.
    private static func socketOwner(_ path: String) -> uid_t? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return status.st_uid
    }
}
