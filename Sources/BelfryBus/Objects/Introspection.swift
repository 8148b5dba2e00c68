/// The description of an object in the specification's XML ("Introspection Data Format").
enum Introspection {
    static func document(_ interfaces: [BusInterface], children: [String]) -> String {
        var lines = [
            "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
            " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">",
            "<node>",
        ]
        for interface in interfaces.sorted(by: { $0.name < $1.name }) { lines += describe(interface) }
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

    /// Escapes the names of arguments, which are free text. All others have only letters, digits, dots and underscores.
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
}
