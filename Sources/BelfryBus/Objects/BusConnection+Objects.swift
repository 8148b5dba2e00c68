import CDBus

extension BusConnection {
    /// Exports an object with these interfaces at `path`. It stays exported across reconnections until the returned
    /// subscription is canceled or released. Belfry adds `Introspectable`, `Peer` and `Properties` of
    /// org.freedesktop.DBus.
    ///
    /// - Throws: All permanent: ``BusError/Code/alreadyExported`` if one of the interfaces is exported there already,
    ///   or is one that Belfry adds; ``BusError/Code/invalidName`` and ``BusError/Code/invalidSignature`` for
    ///   declarations that D-Bus can't carry; ``BusError/Code/closed`` after ``close()``. It works without a bus.
    public func export(
        _ interfaces: [BusInterface],
        at path: BusObjectPath
    ) async throws(BusError) -> BusSubscription {
        for interface in interfaces { try interface.check() }
        let names = interfaces.map(\.name)
        try await core.result { core, completion in
            completion(Result { () throws(BusError) in try core.export(interfaces, at: path) })
        }
        return BusSubscription { [weak core] in
            core?.perform { core in
                for name in names { core.objects[path]?[name] = nil }
                if core.objects[path]?.isEmpty == true { core.objects[path] = nil }
                core.cancelReplies(of: path, names)
            }
        }
    }

    /// Emits `PropertiesChanged` for an exported object: with the values of `changed`, without those of `invalidated`.
    ///
    /// - Throws: The errors of ``emit(_:)``: transient without a bus or with too many unsent bytes, else permanent.
    public func emitPropertiesChanged(
        at path: BusObjectPath,
        _ interface: String,
        _ changed: [String: BusValue],
        invalidated: [String] = []
    ) throws(BusError) {
        try emit(
            BusSignal(
                path,
                DBUS_INTERFACE_PROPERTIES,
                "PropertiesChanged",
                [.string(interface), .options(changed), .strings(invalidated)]
            )
        )
    }
}

extension BusCore {
    fileprivate func export(_ interfaces: [BusInterface], at path: BusObjectPath) throws(BusError) {
        if case .closed = state { throw Self.closedError }
        var there = objects[path] ?? [:]
        for interface in interfaces {
            guard there.updateValue(interface, forKey: interface.name) == nil else {
                throw BusError(
                    .alreadyExported,
                    "There is an object with '\(interface.name)' at '\(path)' already: take that back first."
                )
            }
        }
        objects[path] = there
    }
}

extension BusInterface {
    fileprivate func check() throws(BusError) {
        try BusNameRules.checkInterface(name)
        let standard = [DBUS_INTERFACE_INTROSPECTABLE, DBUS_INTERFACE_PEER, DBUS_INTERFACE_PROPERTIES]
        guard !standard.contains(name) else {
            throw BusError(.alreadyExported, "'\(name)' is implemented by Belfry itself on every object: leave it out.")
        }
        for method in methods {
            try BusNameRules.checkMember(method.name)
            try Self.check(method.takes)
            try Self.check(method.returns)
        }
        for signal in signals {
            try BusNameRules.checkMember(signal.name)
            try Self.check(signal.arguments)
        }
        for property in properties { try BusNameRules.checkMember(property.name) }
    }

    private static func check(_ arguments: [BusArgument]) throws(BusError) {
        _ = try BusSignature(arguments.map(\.type))
    }
}
