import BelfryLoop
import CDBus

/// An open connection on its way from the thread that opened it to the thread that will own it.
///
/// `@unchecked Sendable`: one thread has it at a time; whoever gets it last closes it or hands it on.
struct OpenedConnection: @unchecked Sendable {
    let handle: OpaquePointer

    func discard() {
        dbus_connection_close(handle)
        dbus_connection_unref(handle)
    }
}

extension Result<OpenedConnection, BusError> {
    /// Nobody wants it any more.
    func discard() { if case .success(let opened) = self { opened.discard() } }
}

/// Opens sockets. `connect(2)` on a bus that accepts nobody (stopped, or overrun) waits without a bound, and a TCP
/// address looks names up; so it is done on a thread of its own, where nothing but the attempt itself can be held up.
enum WireOpening {
    static func open(
        _ address: String,
        on loop: EventLoop,
        completion: @escaping @Sendable (Result<OpenedConnection, BusError>) -> Void
    ) {
        startThread(named: "belfry-connect") {
            let result = open(address)
            loop.perform { completion(result) }
        }
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
                    "No bus answers at '\(address)': start one, or log in to a desktop.",
                    cause: text,
                    name: name
                )
            )
        }
        return .success(OpenedConnection(handle: handle))
    }
}
