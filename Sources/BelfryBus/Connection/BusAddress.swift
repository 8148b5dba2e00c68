internal import CDBus
import Glibc

/// Which bus.
public enum BusAddress: Sendable, Hashable {
    /// `$DBUS_SESSION_BUS_ADDRESS`, or else `$XDG_RUNTIME_DIR/bus`. No bus is ever started ("autolaunch"): that would
    /// leave a stray one behind.
    case session
    /// `$DBUS_SYSTEM_BUS_ADDRESS`, or else the well-known socket.
    case system
    /// An address in D-Bus notation, such as `unix:path=/run/user/1000/bus`.
    case address(String)

    /// The address as libdbus reads it, found anew at each attempt: the socket of a session may appear later.
    ///
    /// Throws ``BusError/Code/noBus`` and ``BusError/Code/invalidAddress``.
    func resolve() throws(BusError) -> String {
        switch self {
        case .session:
            if let named = Self.environment("DBUS_SESSION_BUS_ADDRESS") { return try Self.usable(named) }
            guard let folder = Self.environment("XDG_RUNTIME_DIR") else {
                throw BusError(
                    .noBus,
                    "There is no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set. "
                        + "Log in to a desktop, or run the program under dbus-run-session."
                )
            }
            let path = folder + "/bus"
            guard Self.isSocket(path) else {
                throw BusError(
                    .noBus,
                    "There is no session bus: DBUS_SESSION_BUS_ADDRESS is not set, and there is no socket '\(path)'. "
                        + "Log in to a desktop, or run the program under dbus-run-session."
                )
            }
            return "unix:path=" + Self.escaped(path)
        case .system:
            if let named = Self.environment("DBUS_SYSTEM_BUS_ADDRESS") { return try Self.usable(named) }
            return "unix:path=/run/dbus/system_bus_socket"
        case .address(let address): return try Self.usable(address)
        }
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

    /// Nil where it is empty, and in a program with raised privileges, whose environment is another's.
    private static func environment(_ name: String) -> String? {
        guard let value = belfry_dbus_environment(name), value[0] != 0 else { return nil }
        return String(cString: value)
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// The specification, "Server Addresses": all but `[-0-9A-Za-z_/.\*]` as `%` and two hexadecimal digits.
    private static func escaped(_ path: String) -> String {
        let digits = Array("0123456789abcdef")
        return path.utf8.reduce(into: "") { text, byte in
            if BusNameRules.isWord(byte) || "-/.".utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
