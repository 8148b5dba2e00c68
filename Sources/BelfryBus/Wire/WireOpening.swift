import BelfryLoop
import CDBus
import Glibc

/// An open connection that moves from the thread that opened it to the thread that will own it.
///
/// `@unchecked Sendable`: only one thread has it at a time; the last one closes it or passes it on.
struct OpenedConnection: @unchecked Sendable {
    let handle: OpaquePointer

    func discard() {
        dbus_connection_close(handle)
        dbus_connection_unref(handle)
    }
}

extension Result<OpenedConnection, BusError> {
    /// Closes the connection of a result that is no longer wanted.
    func discard() { if case .success(let opened) = self { opened.discard() } }
}

/// Opens sockets. `connect(2)` blocks without a limit if the bus doesn't accept connections (stopped, or overrun), and
/// a TCP address needs name lookups. So each attempt runs on its own thread, where it blocks nothing else.
enum WireOpening {
    static func open(
        _ address: String,
        on loop: EventLoop,
        completion: @escaping @Sendable (Result<OpenedConnection, BusError>) -> Void
    ) {
        let status = tryStartThread(named: "belfry-connect") {
            let result = open(address)
            loop.perform { completion(result) }
        }
        guard status != 0 else { return }
        completion(
            .failure(
                BusError(
                    .noBus,
                    "The bus can't be reached, because there is no room for another thread: close programs.",
                    cause: String(cString: strerror(status))
                )
            )
        )
    }

    private static func open(_ address: String) -> Result<OpenedConnection, BusError> {
        // Otherwise libdbus makes the whole process ignore SIGPIPE; on Linux it writes with MSG_NOSIGNAL anyway.
        dbus_connection_set_change_sigpipe(0)
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let handle = dbus_connection_open_private(address, &error) else {
            let name = error.name.map { String(cString: $0) } ?? ""
            let text = error.message.map { String(cString: $0) } ?? ""
            if name == "org.freedesktop.DBus.Error.BadAddress" {
                return .failure(
                    BusError(
                        .invalidAddress,
                        "The bus address '\(address)' can't be read: mend it.",
                        cause: text,
                        name: name
                    )
                )
            }
            return .failure(
                BusError(
                    .noBus,
                    "There is no bus at '\(address)': start one, or log in to a desktop.",
                    cause: text,
                    name: name
                )
            )
        }
        return .success(OpenedConnection(handle: handle))
    }
}
