/// The interfaces of the specification that every object has.
enum StandardInterfaces {
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let peer = "org.freedesktop.DBus.Peer"
    static let properties = "org.freedesktop.DBus.Properties"
    static let all: Set<String> = [introspectable, peer, properties]
}

/// What an object says of itself, in the specification's XML ("Introspection Data Format").
enum Introspection {
    static func document(_ interfaces: [BusInterface], children: [String]) -> String {
        var lines = [
            "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
            " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">",
            "<node>",
        ]
        if !interfaces.isEmpty {
            for interface in (interfaces + standard).sorted(by: { $0.name < $1.name }) { lines += describe(interface) }
        }
        lines += children.sorted().map { "  <node name=\"\($0)\"/>" }
        lines.append("</node>\n")
        return lines.joined(separator: "\n")
    }

    private static func describe(_ interface: BusInterface) -> [String] {
        var lines = ["  <interface name=\"\(interface.name)\">"]
        for method in interface.methods {
            lines.append("    <method name=\"\(method.name)\">")
            lines += method.takes.map { argument($0, " direction=\"in\"") }
            lines += method.returns.map { argument($0, " direction=\"out\"") }
            lines.append("    </method>")
        }
        for signal in interface.signals {
            lines.append("    <signal name=\"\(signal.name)\">")
            lines += signal.arguments.map { argument($0, "") }
            lines.append("    </signal>")
        }
        for property in interface.properties {
            let access = property.write == nil ? "read" : "readwrite"
            lines += [
                "    <property name=\"\(property.name)\" type=\"\(property.type.text)\" access=\"\(access)\">",
                "      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" "
                    + "value=\"\(property.changes.rawValue)\"/>",
                "    </property>",
            ]
        }
        return lines + ["  </interface>"]
    }

    private static func argument(_ argument: BusArgument, _ direction: String) -> String {
        "      <arg name=\"\(escaped(argument.name))\" type=\"\(argument.type.text)\"\(direction)/>"
    }

    /// Names of arguments are free text; all others have only letters, digits, dots and underscores.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\0": break
            default: result.append(character)
            }
        }
    }

    /// For description only: ``BusCore`` answers these itself.
    private static let standard: [BusInterface] = [
        BusInterface(
            StandardInterfaces.introspectable,
            methods: [described("Introspect", returns: [BusArgument("data", "s")])]
        ),
        BusInterface(
            StandardInterfaces.peer,
            methods: [described("Ping"), described("GetMachineId", returns: [BusArgument("machine_uuid", "s")])]
        ),
        BusInterface(
            StandardInterfaces.properties,
            methods: [
                described(
                    "Get",
                    takes: [BusArgument("interface", "s"), BusArgument("name", "s")],
                    returns: [BusArgument("value", "v")]
                ),
                described("GetAll", takes: [BusArgument("interface", "s")], returns: [BusArgument("values", "a{sv}")]),
                described(
                    "Set",
                    takes: [BusArgument("interface", "s"), BusArgument("name", "s"), BusArgument("value", "v")]
                ),
            ],
            signals: [
                BusSignalDeclaration(
                    "PropertiesChanged",
                    [BusArgument("interface", "s"), BusArgument("changed", "a{sv}"), BusArgument("invalidated", "as")]
                )
            ]
        ),
    ]

    private static func described(
        _ name: String,
        takes: [BusArgument] = [],
        returns: [BusArgument] = []
    ) -> BusMethod {
        BusMethod(name, takes: takes, returns: returns, atOnce: { _ in [] })
    }
}
