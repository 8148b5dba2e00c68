import BelfryLoop
import CDBus
import Glibc

/// A private libdbus connection, driven by the readiness of its socket on one thread. It never blocks.
///
/// All functions are called on that thread. libdbus authenticates and reads. It requests readiness through its watches,
/// and only events that occurred are passed to it; no blocking function of libdbus is ever called. Messages are popped
/// off its queue. Its pending calls (whose timeouts need its own loop), filters and object paths are not used.
///
/// Messages are written here, several at once. libdbus would parse and validate each first, and write it alone.
///
/// `@unchecked Sendable`: every property is accessed on the thread only. So are the callbacks of libdbus, which is only
/// called there.
final class WireConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    private let loop: EventLoop
    /// The owner of this connection, which processes what arrives.
    private weak var core: BusCore?
    private let generation: UInt64
    private var readWatch: OpaquePointer?
    private var writeWatch: OpaquePointer?
    /// The socket; libdbus closes it, also in the middle of a call when the bus hangs up.
    private var socket: Int32 = -1
    /// The loop's watch of the socket; nil before ``begin()``, and once libdbus has removed its own watches.
    private var socketWatch: UInt64?
    /// The events to wait for.
    private var readiness: Readiness = []
    private var outgoing = OutgoingBytes()
    private var lastSerial: UInt32 = 0
    /// From then on the socket carries messages, and libdbus itself sends none.
    private var isAuthenticated = false
    private var isEnded = false

    /// How often the socket is read before other work on the thread gets its turn: at least 2 KiB each time.
    private static let mostReads = 64

    /// Takes ownership of an open private connection, for the current generation of `core`.
    init(_ handle: OpaquePointer, of core: BusCore) {
        self.handle = handle
        self.core = core
        loop = core.loop
        generation = core.generation
    }

    /// Starts watching the socket. Throws ``BusError/Code/noBus`` if the system has no descriptors left, and
    /// ``BusError/Code/outOfMemory``.
    func begin() throws(BusError) {
        // Otherwise the loss of the bus exits the process.
        dbus_connection_set_exit_on_disconnect(handle, 0)
        dbus_connection_set_max_message_unix_fds(handle, BusLimits.receivedFileDescriptors)
        guard dbus_connection_get_unix_fd(handle, &socket) != 0 else {
            throw BusError(.noBus, "The connection to the bus has no socket: it was lost at once.")
        }
        do throws(EventLoopError) {
            // The closure retains this object until ``unwatch()``.
            socketWatch = try loop.watch(socket, for: []) { readiness in
                if readiness.contains(.reading) { self.readable() }
                if readiness.contains(.writing) { self.writable() }
            }
        } catch {
            throw BusError(
                .noBus,
                "The connection to the bus can't be watched: raise the limit of open files.",
                cause: String(cString: strerror(error.number))
            )
        }
        let added = dbus_connection_set_watch_functions(
            handle,
            { watch, data in
                WireConnection.from(data)?.added(watch)
                return 1
            },
            { watch, data in WireConnection.from(data)?.removed(watch) },
            { _, data in WireConnection.from(data)?.follow() },
            Unmanaged.passUnretained(self).toOpaque(),
            nil
        )
        guard added != 0 else { throw WireMessage.outOfMemory }
    }

    var canSendDescriptors: Bool { dbus_connection_can_send_type(handle, Int32(BELFRY_DBUS_UNIX_FD)) != 0 }
    /// Bytes that the bus has not accepted yet.
    var unsentLength: Int { outgoing.length }

    /// The identifier of the bus, which changes when it restarts; known after authentication.
    var busID: String? {
        guard let text = dbus_connection_get_server_id(handle) else { return nil }
        defer { dbus_free(text) }
        return String(cString: text)
    }

    /// Sets the unique name that the bus assigned.
    func setUniqueName(_ name: String) { dbus_bus_set_unique_name(handle, name) }

    /// Queues a message for the next ``flush()``. Returns its serial number.
    func send(_ message: WireMessage) -> UInt32 {
        // Zero is no serial number.
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        if !isEnded { outgoing.append(message, serial: lastSerial) }
        return lastSerial
    }

    /// Writes the queued messages, as far as the socket takes them, and checks whether the bus is gone.
    func flush() {
        writeOutgoing()
        guard !isEnded, dbus_connection_get_is_connected(handle) == 0 else { return }
        takeMessages()
        lose()
    }

    private func writeOutgoing() {
        guard !isEnded, socketWatch != nil, outgoing.length > 0 else { return }
        isAuthenticated = isAuthenticated || dbus_connection_get_is_authenticated(handle) != 0
        // Authenticating may have found the bus gone.
        guard isAuthenticated, socketWatch != nil else { return }
        switch outgoing.write(to: socket) {
        case .open: follow()
        case .hungUp:
            // What the bus sent before can still be read; the end comes after it.
            outgoing = OutgoingBytes()
            follow()
        case .broken: dbus_connection_close(handle)
        }
    }

    /// Closes the connection; no callback runs afterwards.
    func end() {
        writeOutgoing()
        guard !isEnded else { return }
        isEnded = true
        _ = dbus_connection_set_watch_functions(handle, nil, nil, nil, nil, nil)
        unwatch()
        dbus_connection_close(handle)
        dbus_connection_unref(handle)
    }

    private func readable() {
        var reads = 0
        while !isEnded, let watch = readWatch, dbus_watch_get_enabled(watch) != 0 {
            _ = dbus_watch_handle(watch, DBUS_WATCH_READABLE.rawValue)
            core?.runJobs()
            takeMessages()
            writeOutgoing()
            reads += 1
            guard reads < Self.mostReads, hasInput else { break }
        }
        flush()
        noteUnsent()
    }

    private var hasInput: Bool {
        guard socketWatch != nil else { return false }
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }

    private func writable() {
        if !isEnded, let watch = writeWatch, dbus_watch_get_enabled(watch) != 0 {
            _ = dbus_watch_handle(watch, DBUS_WATCH_WRITABLE.rawValue)
            takeMessages()
        }
        flush()
        noteUnsent()
    }

    /// Room for further messages is only free once the core knows of it.
    private func noteUnsent() { if !isEnded { core?.noteUnsent() } }

    private func takeMessages() {
        while !isEnded, let message = dbus_connection_pop_message(handle) {
            core?.receive(message, on: generation)
            dbus_message_unref(message)
        }
    }

    private func lose() {
        guard !isEnded else { return }
        end()
        core?.lose(generation)
    }

    // MARK: watches of libdbus

    private static func from(_ data: UnsafeMutableRawPointer?) -> WireConnection? {
        data.map { Unmanaged<WireConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func added(_ watch: OpaquePointer?) {
        guard let watch else { return }
        if dbus_watch_get_flags(watch) & DBUS_WATCH_READABLE.rawValue != 0 {
            readWatch = watch
        } else {
            writeWatch = watch
        }
        follow()
    }

    private func removed(_ watch: OpaquePointer?) {
        if readWatch == watch { readWatch = nil }
        if writeWatch == watch { writeWatch = nil }
        // libdbus removes both before it closes the socket, whose number may then be reused.
        if readWatch == nil, writeWatch == nil { unwatch() } else { follow() }
    }

    private func follow() {
        guard let socketWatch else { return }
        let before = readiness
        readiness = []
        if let readWatch, dbus_watch_get_enabled(readWatch) != 0 { readiness.insert(.reading) }
        if let writeWatch, dbus_watch_get_enabled(writeWatch) != 0 { readiness.insert(.writing) }
        if isAuthenticated, outgoing.length > 0 { readiness.insert(.writing) }
        if readiness != before { loop.change(socketWatch, to: readiness) }
    }

    private func unwatch() {
        if let socketWatch { loop.unwatch(socketWatch) }
        socketWatch = nil
    }
}
