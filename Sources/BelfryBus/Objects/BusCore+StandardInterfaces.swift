import CDBus

/// The methods that every object has by the specification ("Standard Interfaces").
extension BusCore {
    /// Returns the interfaces. Their handlers may use `unowned`: only this object, which keeps them, calls them.
    func makeStandardInterfaces() -> [BusInterface] {
        let (interface, name) = (BusArgument("interface", "s"), BusArgument("name", "s"))
        return [
            BusInterface(
                DBUS_INTERFACE_INTROSPECTABLE,
                methods: [
                    BusMethod("Introspect", returns: [BusArgument("data", "s")]) { [unowned self] call in
                        [.string(try introspect(call.path))]
                    }
                ]
            ),
            BusInterface(
                DBUS_INTERFACE_PEER,
                methods: [
                    BusMethod("Ping", atOnce: { _ in [] }),
                    BusMethod("GetMachineId", returns: [BusArgument("machine_uuid", "s")]) { _ in
                        [.string(try Self.machineID())]
                    },
                ]
            ),
            BusInterface(
                DBUS_INTERFACE_PROPERTIES,
                methods: [
                    BusMethod("Get", takes: [interface, name], returns: [BusArgument("value", "v")]) {
                        [unowned self] call in
                        [.variant(try Self.read(try property(of: call)))]
                    },
                    BusMethod("GetAll", takes: [interface], returns: [BusArgument("values", "a{sv}")]) {
                        [unowned self] call in
                        [.options(try properties(of: call))]
                    },
                    BusMethod("Set", takes: [interface, name, BusArgument("value", "v")]) { [unowned self] call in
                        guard case .variant(let value) = call.arguments[2] else { return [] }
                        try Self.write(value, to: try property(of: call))
                        return []
                    },
                ],
                signals: [
                    BusSignalDeclaration(
                        "PropertiesChanged",
                        [interface, BusArgument("changed", "a{sv}"), BusArgument("invalidated", "as")]
                    )
                ]
            ),
        ]
    }

    private static func machineID() throws(BusError) -> String {
        guard let text = dbus_try_get_local_machine_id(nil) else {
            throw BusError.reply(DBUS_ERROR_FILE_NOT_FOUND, "This machine has no machine id.")
        }
        defer { dbus_free(text) }
        return String(cString: text)
    }

    /// Returns the XML of an object, or of a path above objects, which has no interfaces but children.
    private func introspect(_ path: BusObjectPath) throws(BusError) -> String {
        let prefix = path == .root ? "/" : path.text + "/"
        let children = Set(
            objects.keys.compactMap { below -> String? in
                guard below != path, below.text.hasPrefix(prefix) else { return nil }
                return below.text.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
            }
        )
        let own = Array(objects[path, default: [:]].values)
        guard !own.isEmpty || !children.isEmpty || path == .root else {
            throw BusError.reply(DBUS_ERROR_UNKNOWN_OBJECT, "There is no object at '\(path)'.")
        }
        return Introspection.document(own.isEmpty ? [] : own + standardInterfaces, children: Array(children))
    }

    private func properties(of call: BusIncomingCall) throws -> [String: BusValue] {
        var values: [String: BusValue] = [:]
        for property in try interface(call.arguments[0].string ?? "", at: call.path).properties {
            values[property.name] = try Self.read(property)
        }
        return values
    }

    private func property(of call: BusIncomingCall) throws(BusError) -> BusProperty {
        let (interface, name) = (call.arguments[0].string ?? "", call.arguments[1].string ?? "")
        guard let property = try self.interface(interface, at: call.path).properties.first(where: { $0.name == name })
        else { throw BusError.reply(DBUS_ERROR_UNKNOWN_PROPERTY, "'\(interface)' has no property '\(name)'.") }
        return property
    }

    private static func read(_ property: BusProperty) throws -> BusValue {
        let value = try property.read()
        guard (try? value.type()) == property.type else {
            throw BusError.reply(
                DBUS_ERROR_FAILED,
                "The property '\(property.name)' has another type than its declared '\(property.type.text)': report it "
                    + "to the program's author."
            )
        }
        return value
    }

    private static func write(_ value: BusValue, to property: BusProperty) throws {
        guard let write = property.write else {
            throw BusError.reply(DBUS_ERROR_PROPERTY_READ_ONLY, "The property '\(property.name)' can't be set.")
        }
        guard (try? value.type()) == property.type else {
            throw BusError.reply(
                DBUS_ERROR_INVALID_ARGS,
                "The property '\(property.name)' is of type '\(property.type.text)'."
            )
        }
        try write(value)
    }
}
