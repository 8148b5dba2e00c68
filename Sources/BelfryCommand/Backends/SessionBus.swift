import BelfryBus
import FoundationEssentials
import Glibc

/// The session bus of the environment: whether it has an address, and whether a bus listens there.
struct SessionBus: Sendable, Hashable {
    enum State: Sendable, Hashable {
        case reachable(address: String)
        case unreachable(address: String, why: String)
        case absent
    }

    let state: State

    init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        sessionFolder: String = "/run/user/\(getuid())"
    ) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let named = value("DBUS_SESSION_BUS_ADDRESS")
        let address = try? BusAddress.session(
            named: named,
            runtimeFolder: value("XDG_RUNTIME_DIR"),
            userFolder: sessionFolder
        )
        // An address without a usable transport is tried anyway, to get the reason.
        state = (address ?? named).map(Self.state) ?? .absent
    }

    var isReachable: Bool {
        if case .reachable = state { true } else { false }
    }

    /// Returns the state of an address by the D-Bus Specification, "Server Addresses": alternatives separated by
    /// semicolons, `transport:key=value,…`, values with %-escapes. Transports other than Unix sockets can't be tried
    /// here and count as reachable.
    private static func state(of address: String) -> State {
        var reason = "the address can't be read"
        for alternative in address.split(separator: ";") {
            let halves = alternative.split(separator: ":", maxSplits: 1)
            guard halves.count == 2 else { continue }
            guard halves[0] == "unix" else { return .reachable(address: address) }
            var values: [Substring: String] = [:]
            for pair in halves[1].split(separator: ",") {
                let sides = pair.split(separator: "=", maxSplits: 1)
                if sides.count == 2 { values[sides[0]] = BusAddress.unescaped(String(sides[1])) }
            }
            guard let name = values["path"] ?? values["abstract"].map({ "\0" + $0 }) else { continue }
            guard let failure = connectionFailure(name) else { return .reachable(address: address) }
            reason = failure
        }
        return .unreachable(address: address, why: reason)
    }

    /// Returns why connecting fails; nil if it succeeds. A local socket accepts or refuses immediately.
    private static func connectionFailure(_ name: String) -> String? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else { return "the path is too long" }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = MemoryLayout<sockaddr_un>.size - room + bytes.count
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(length)) }
        }
        return result == 0 ? nil : String(cString: strerror(errno))
    }
}
