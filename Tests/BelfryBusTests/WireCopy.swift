import CDBus

@testable import BelfryBus

/// Copies the arguments of a message into another one, as libdbus writes them: by its iterator. The source is valid, so
/// that copying can only fail for lack of memory.
struct WireCopy {
    func arguments(of message: OpaquePointer, to copy: OpaquePointer) throws(BusError) {
        var source = DBusMessageIter()
        var target = DBusMessageIter()
        guard dbus_message_iter_init(message, &source) != 0 else { return }
        dbus_message_iter_init_append(copy, &target)
        try values(of: &source, to: &target)
    }

    private func values(
        of source: inout DBusMessageIter,
        to target: inout DBusMessageIter
    ) throws(BusError) {
        while true {
            let type = dbus_message_iter_get_arg_type(&source)
            guard type != Int32(BELFRY_DBUS_INVALID) else { return }
            if dbus_type_is_container(type) != 0 {
                try container(type, of: &source, to: &target)
            } else {
                try basic(type, of: &source, to: &target)
            }
            dbus_message_iter_next(&source)
        }
    }

    private func basic(
        _ type: Int32,
        of source: inout DBusMessageIter,
        to target: inout DBusMessageIter
    ) throws(BusError) {
        var value = DBusBasicValue()
        dbus_message_iter_get_basic(&source, &value)
        guard dbus_message_iter_append_basic(&target, type, &value) != 0 else { throw WireMessage.outOfMemory }
    }

    /// Copies a container. None is left open, because libdbus would abort the process.
    private func container(
        _ type: Int32,
        of source: inout DBusMessageIter,
        to target: inout DBusMessageIter
    ) throws(BusError) {
        var contents = DBusMessageIter()
        var copies = DBusMessageIter()
        dbus_message_iter_recurse(&source, &contents)
        // The type of an array's or a variant's contents is given when it is opened. That of a structure or an entry
        // follows from what is appended.
        let isDeclared = [UInt8(ascii: "a"), UInt8(ascii: "v")].map(Int32.init).contains(type)
        let signature = isDeclared ? dbus_message_iter_get_signature(&contents) : nil
        defer { dbus_free(signature) }
        guard !isDeclared || signature != nil,
            dbus_message_iter_open_container(&target, type, signature, &copies) != 0
        else { throw WireMessage.outOfMemory }
        do throws(BusError) {
            try values(of: &contents, to: &copies)
        } catch {
            dbus_message_iter_abandon_container(&target, &copies)
            throw error
        }
        guard dbus_message_iter_close_container(&target, &copies) != 0 else { throw WireMessage.outOfMemory }
    }
}
