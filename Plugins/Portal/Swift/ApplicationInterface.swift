package import BelfryBus
import FoundationEssentials

/// `org.freedesktop.Application`, by which a desktop or the agent starts an app and says what for
/// (Desktop Entry Specification, "D-Bus Activation",
/// https://specifications.freedesktop.org/desktop-entry-spec/latest/dbus.html).
package enum ApplicationInterface {
    private static let name = "org.freedesktop.Application"
    /// Of `platform_data`: Plasma's under X11 has the second one alone.
    private static let tokenKeys = ["activation-token", "desktop-startup-id"]

    /// What an app is called for.
    enum Call: Sendable {
        case activate(token: String?)
        /// At most one parameter by the specification; the portal adds `platform_data` and what was typed.
        case action(String, parameters: [BusValue], token: String?)
        case open([URL], token: String?)
    }

    /// `Activate` of an app, which the bus starts for it. The token is the right to raise a window.
    package static func activation(of app: String, token: String?) throws(BusError) -> BusMethodCall {
        let platform = token.map { token in tokenKeys.map { ($0, BusValue.string(token)) } } ?? []
        return BusMethodCall(
            to: app,
            try path(of: app),
            name,
            "Activate",
            [.options(Dictionary(uniqueKeysWithValues: platform))],
            startsService: true
        )
    }

    static func path(of app: String) throws(BusError) -> BusObjectPath {
        try BusObjectPath("/" + app.replacing(".", with: "/").replacing("-", with: "_"))
    }

    static func token(in platform: BusValue?) -> String? {
        tokenKeys.lazy.compactMap { platform?[$0]?.string }.first { !$0.isEmpty }
    }

    /// The interface; `receive` runs on the connection's queue, in order. What it throws is the caller's error.
    static func interface(_ receive: @escaping @Sendable (Call) throws -> Void) -> BusInterface {
        let platform = BusArgument("platform_data", "a{sv}")
        let activate = BusMethod("Activate", takes: [platform]) { call in
            try receive(.activate(token: token(in: call.arguments[0])))
            return []
        }
        let open = BusMethod("Open", takes: [BusArgument("uris", "as"), platform]) { call in
            let urls = try (call.arguments[0].strings ?? []).map { text in
                guard let url = URL(string: text) else { throw refusal("'\(text.prefix(200))' is no URI.") }
                return url
            }
            try receive(.open(urls, token: token(in: call.arguments[1])))
            return []
        }
        let takes = [BusArgument("action_name", "s"), BusArgument("parameter", "av"), platform]
        let action = BusMethod("ActivateAction", takes: takes) { call in
            let parameters = (call.arguments[1].elements ?? []).map(\.unwrapped)
            let token = token(in: call.arguments[2])
            try receive(.action(call.arguments[0].string ?? "", parameters: parameters, token: token))
            return []
        }
        return BusInterface(name, methods: [activate, open, action])
    }

    static func refusal(_ text: String) -> BusError { .answer("org.freedesktop.DBus.Error.InvalidArgs", text) }
}
