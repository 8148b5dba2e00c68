package import BelfryBus
import FoundationEssentials

/// The interface `org.freedesktop.Application`, by which a desktop or the agent starts and activates an app (Desktop
/// Entry Specification, "D-Bus Activation",
/// https://specifications.freedesktop.org/desktop-entry-spec/latest/dbus.html).
package enum ApplicationInterface {
    private static let name = "org.freedesktop.Application"
    /// The keys of tokens in `platform_data`. Plasma on X11 only sends the second one.
    private static let tokenKeys = ["activation-token", "desktop-startup-id"]
    /// The environment variables of the same tokens for a started process, in the same order.
    private static let tokenVariables = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]

    /// A call of the interface.
    enum Call: Sendable {
        case activate(token: String?)
        /// At most one parameter by the specification; the portal adds `platform_data` and the typed text.
        case action(String, parameters: [BusValue], token: String?)
        case open([URL], token: String?)
    }

    /// Returns the call of `Activate`, for which the bus starts the app. The token permits raising a window.
    package static func activation(of app: String, token: String?) throws(BusError) -> BusMethodCall {
        try call("Activate", of: app, tokens: tokenKeys.map { ($0, token) }, startsService: true)
    }

    /// Returns the call that forwards an activation, with the tokens of this process, to the running process.
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

    /// Returns the interface. `receive` runs on the connection's thread, in order; its errors are sent to the caller.
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

    static func refusal(_ text: String) -> BusError { .reply("org.freedesktop.DBus.Error.InvalidArgs", text) }
}
