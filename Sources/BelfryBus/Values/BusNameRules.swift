import CDBus

/// The rules for names, checked by libdbus's own functions: sending an invalid name would abort the process.
package enum BusNameRules {
    static func checkBusName(_ name: String) throws(BusError) {
        guard isValid(name, dbus_validate_bus_name) else {
            throw failure(name, "a bus name, such as org.example.App or :1.42")
        }
    }

    package static func checkWellKnownName(_ name: String) throws(BusError) {
        guard isValid(name, dbus_validate_bus_name), !isUnique(name) else {
            throw failure(name, "a bus name that can be owned, such as org.example.App")
        }
    }

    static func checkInterface(_ name: String) throws(BusError) {
        guard isInterface(name) else { throw failure(name, "an interface name, such as org.example.Door") }
    }

    static func checkMember(_ name: String) throws(BusError) {
        guard isValid(name, dbus_validate_member) else {
            throw failure(name, "a member name: letters, digits and underscores, no digit first")
        }
    }

    static func isUnique(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ":") }

    /// Error names obey the same rules.
    static func isInterface(_ name: String) -> Bool { isValid(name, dbus_validate_interface) }

    /// Returns whether libdbus accepts the text. It would only see the part before a NUL, so that is invalid.
    static func isValid(
        _ text: String,
        _ validate: (UnsafePointer<CChar>?, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t
    ) -> Bool {
        !text.utf8.contains(0) && validate(text, nil) != 0
    }

    private static func failure(_ name: String, _ what: String) -> BusError {
        BusError(.invalidName, "'\(name.prefix(255))' is not \(what), of at most 255 bytes.")
    }
}
