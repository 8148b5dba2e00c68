package import BelfryBus
import FoundationEssentials

/// `org.freedesktop.Application`, by which a desktop or the agent starts an app and says what for
/// (Desktop Entry Specification, "D-Bus Activation",
/// https://specifications.freedesktop.org/desktop-entry-spec/latest/dbus.html).
package enum ApplicationInterface {
    private static let name = "org.freedesktop.Application"
    /// Of `platform_data`: Plasma's under X11 has the second one alone.
    private static let tokenKeys = ["activation-token", "desktop-startup-id"]
    /// By which a process gets the same tokens when it is started, in the same order.
    private static let tokenVariables = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]

    /// What an app is called for.
    enum Call: Sendable {
        case activate(token: String?)
        /// At most one parameter by the specification; the portal adds `platform_data` and what was typed.
        case action(String, parameters: [BusValue], token: String?)
        case open([URL], token: String?)
    }

    /// `Activate` of an app, which the bus starts for it. The token is the right to raise a window.
    package static func activation(of app: String, token: String?) throws(BusError) -> BusMethodCall {
        try call("Activate", of: app, tokens: tokenKeys.map { ($0, token) }, startsService: true)
    }

    /// A call of the app's running process, with the tokens that this process was started with.
    static func call(
        for activation: ActivatableApp.Activation,
        of app: String,
        startedWith environment: [String: String]
    ) throws(BusError) -> BusMethodCall {
        let tokens = zip(tokenKeys, tokenVariables).map { ($0, environment[$1]) }
        return switch activation {
        case .activate, .open([]): try call("Activate", of: app, tokens: tokens)
        case .open(let urls): try call("Open", [.strings(urls.map(\.absoluteString))], of: app, tokens: tokens)
        case .action(let name, let parameter):
            try call(
                "ActivateAction",
                [.string(name), .array(of: .variant, parameter.map { [.variant($0)] } ?? [])],
                of: app,
                tokens: tokens
            )
        }
    }

    private static func call(
        _ method: String,
        _ arguments: [BusValue] = [],
        of app: String,
        tokens: [(key: String, token: String?)],
        startsService: Bool = false
    ) throws(BusError) -> BusMethodCall {
        let given = tokens.compactMap { key, token in token.map { (key, BusValue.string($0)) } }
        let platform = BusValue.options(Dictionary(uniqueKeysWithValues: given))
        return BusMethodCall(
            to: app,
            try path(of: app),
            name,
            method,
            arguments + [platform],
            startsService: startsService
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
