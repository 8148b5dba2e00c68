import Belfry
import BelfryDesktop
import BelfryPortal
import BelfryTerminal

/// The backends for the desktop, and the one that `auto` uses.
extension Doctor {
    private var confinement: Sandbox? { Sandbox.current() }

    func sandbox() -> Diagnostic {
        let name = confinement?.rawValue
        return Diagnostic(
            "sandbox",
            .ok,
            name.map { "inside \($0)" } ?? "none",
            ["sandbox": name?.json ?? JSONValue.null]
        )
    }

    /// Checks the portal, which is required only in a sandbox.
    func portal(hasBus: Bool) async -> Diagnostic {
        guard hasBus else {
            return noPortal("without a bus there is no desktop portal", "The sandbox has to let the session bus in.")
        }
        do throws(NoticeError) {
            let backend = PortalBackend(for: .command(), timeouts: .init(call: .seconds(5)))
            return try await works("portal", backend)
        } catch {
            let advice = "Install it outside of the sandbox, and log in again."
            return noPortal(error.message, advice, ["code": error.code.rawValue])
        }
    }

    private func noPortal(_ detail: String, _ advice: String, _ values: [String: String] = [:]) -> Diagnostic {
        guard confinement == nil else { return Diagnostic("portal", .missing, detail, advice: advice, values) }
        return Diagnostic("portal", .absent, detail, advice: "Nothing needs it outside of a sandbox.", values)
    }

    /// Checks the terminal by asking for its type. It is not required on a desktop.
    func terminal() async -> Diagnostic {
        do throws(NoticeError) {
            return try await works("terminal", TerminalBackend(environment: environment))
        } catch {
            return Diagnostic("terminal", .absent, error.message, ["code": error.code.rawValue])
        }
    }

    /// Returns the result for a backend of this name that can be run.
    private func works(_ name: String, _ backend: any DeliveryBackend) async throws(NoticeError) -> Diagnostic {
        let found = try await BackendProbe.query(backend).capabilities
        return Diagnostic(
            name,
            .ok,
            "\(found.server) \(FeatureTexts.sentence(found)); --backend \(name)",
            ["server": found.server, "features": FeatureTexts.names(found.features)]
        )
    }

    /// Returns the backend that `--backend auto` uses, from the other results.
    func choice(server: Diagnostic, portal: Diagnostic, terminal: Diagnostic) -> Diagnostic {
        let order = (confinement == nil ? [] : [portal]) + [server, terminal]
        let names = order.map { $0.check == server.check ? "dbus" : $0.check } + ["console"]
        let taken = zip(names, order).first { $1.state == .ok }?.0 ?? "console"
        return Diagnostic(
            "backend",
            taken == "console" ? .missing : .ok,
            "--backend auto takes \(taken), the first that works of \(names.joined(separator: ", "))",
            advice: taken == "console" ? "Notices are lines on the console until there is a server." : nil,
            ["backend": taken]
        )
    }
}
