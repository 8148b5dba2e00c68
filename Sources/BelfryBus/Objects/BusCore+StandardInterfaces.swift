internal import CDBus

/// What every object answers by the specification ("Standard Interfaces").
extension BusCore {
    func standardAnswer(to call: BusIncomingCall) throws -> [BusValue] {
        switch (call.interface, call.method) {
        case (StandardInterfaces.peer, "Ping"): return []
        case (StandardInterfaces.peer, "GetMachineId"):
            guard let text = dbus_try_get_local_machine_id(nil) else {
                throw BusError.answer(.fileNotFound, "This machine has no machine id.")
            }
            defer { dbus_free(text) }
            return [.string(String(cString: text))]
        case (StandardInterfaces.introspectable, "Introspect"): return [.string(try introspect(call.path))]
        case (StandardInterfaces.properties, "Get"):
            guard call.arguments.count == 2, let interface = call.arguments[0].string,
                let name = call.arguments[1].string
            else { throw invalidArguments(call, "ss") }
            return [.variant(try Self.read(try property(name, of: interface, at: call.path)))]
        case (StandardInterfaces.properties, "GetAll"):
            guard call.arguments.count == 1, let name = call.arguments[0].string else {
                throw invalidArguments(call, "s")
            }
            var values: [String: BusValue] = [:]
            for property in try interface(name, at: call.path).properties {
                values[property.name] = try Self.read(property)
            }
            return [.options(values)]
        case (StandardInterfaces.properties, "Set"):
            guard call.arguments.count == 3, let interface = call.arguments[0].string,
                let name = call.arguments[1].string, case .variant(let value) = call.arguments[2]
            else { throw invalidArguments(call, "ssv") }
            try write(value, to: try property(name, of: interface, at: call.path))
            return []
        default:
            throw BusError.answer(.unknownMethod, "'\(call.interface)' has no method '\(call.method)'.")
        }
    }

    /// Also for paths above objects: they have no interfaces, but children.
    private func introspect(_ path: BusObjectPath) throws(BusError) -> String {
        let prefix = path == .root ? "/" : path.text + "/"
        let children = Set(
            objects.keys.compactMap { below -> String? in
                guard below != path, below.text.hasPrefix(prefix) else { return nil }
                return below.text.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
            }
        )
        let interfaces = objects[path].map { Array($0.values) } ?? []
        guard !interfaces.isEmpty || !children.isEmpty || path == .root else {
            throw BusError.answer(.unknownObject, "There is no object at '\(path)'.")
        }
        return Introspection.document(interfaces, children: Array(children))
    }

    private func property(
        _ name: String,
        of interfaceName: String,
        at path: BusObjectPath
    ) throws(BusError) -> BusProperty {
        guard let property = try interface(interfaceName, at: path).properties.first(where: { $0.name == name }) else {
            throw BusError.answer(.unknownProperty, "'\(interfaceName)' has no property '\(name)'.")
        }
        return property
    }

    private static func read(_ property: BusProperty) throws -> BusValue {
        let value = try property.read()
        guard (try? value.type()) == property.type else {
            throw BusError.answer(
                .failed,
                "The property '\(property.name)' has another type than its declared '\(property.type.text)': tell the "
                    + "program's author."
            )
        }
        return value
    }

    private func write(_ value: BusValue, to property: BusProperty) throws {
        guard let write = property.write else {
            throw BusError.answer(.propertyReadOnly, "The property '\(property.name)' can't be set.")
        }
        guard (try? value.type()) == property.type else {
            throw BusError.answer(.invalidArgs, "The property '\(property.name)' is of type '\(property.type.text)'.")
        }
        try write(value)
    }

    private func invalidArguments(_ call: BusIncomingCall, _ signature: String) -> BusError {
        .answer(.invalidArgs, "\(call.method) of \(call.interface) takes '\(signature)'.")
    }
}
