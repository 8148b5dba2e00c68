import Belfry
import BelfryBus
import BelfryDBus
import FoundationEssentials

/// The checks of this desktop. Every check ends, the longest by the desktop's own timeout of a few seconds.
struct Doctor: Sendable {
    let environment = ProcessInfo.processInfo.environment

    /// Connects to the session bus. A socket that accepts is not enough: a bus that hangs accepts too.
    func bus() async -> Diagnostic {
        var address: String?
        do throws(BusError) {
            address = try BusAddress.session.resolve()
            let configuration = BusConfiguration(connectTimeout: .seconds(2), reconnection: nil)
            let connection = BusConnection(configuration: configuration)
            try await connection.connect()
            await connection.close()
            return Diagnostic("bus", .ok, address ?? "", ["address": address])
        } catch {
            let advice =
                address == nil
                ? "Run it inside a desktop session, or under 'dbus-run-session -- belfry …' "
                    + "(Debian: apt install dbus-daemon)."
                : "Log in again, or run it under 'dbus-run-session -- belfry …'."
            return Diagnostic("bus", .missing, error.description, advice: advice, ["address": address])
        }
    }

    /// Queries the notification server, which the bus starts if possible, and whether do-not-disturb is on.
    func server(hasBus: Bool) async -> [Diagnostic] {
        guard hasBus else {
            let advice = "Notices go to the terminal or the console meanwhile (--backend terminal, console)."
            return [Diagnostic("server", .missing, "without a bus there is no notification server", advice: advice)]
        }
        do throws(NoticeError) {
            let found = try await BackendProbe.query(
                DBusBackend(timeouts: .init(call: .seconds(5))),
                includingPreview: true
            )
            return [server(found), silence(found.doNotDisturb)]
        } catch {
            let advice =
                error.code == .serverTimedOut
                ? "It has the name on the bus and does not reply: end it, and start it anew."
                : "Start the one of your desktop, or install one (Debian: apt install dunst)."
            return [
                Diagnostic("server", .missing, error.description, advice: advice, ["code": error.code.rawValue])
            ]
        }
    }

    private func server(_ found: BackendProbe) -> Diagnostic {
        let capabilities = found.capabilities
        let ways = found.lost.map { "; \($0.feature.rawValue): \($0.detail)" }.joined()
        return Diagnostic(
            "server",
            .ok,
            "\(capabilities.server) \(FeatureTexts.sentence(capabilities))\(ways)",
            [
                "server": capabilities.server, "features": FeatureTexts.names(capabilities.features),
                "missing": FeatureTexts.names(FeatureTexts.all.subtracting(capabilities.features)),
                "lost": found.lost.map(\.description),
            ]
        )
    }

    private func silence(_ state: DeliveryCapabilities.DoNotDisturb) -> Diagnostic {
        let words =
            switch state {
            case .on: "on: notices are kept and not shown, but for critical ones"
            case .off: "off"
            case .unknown: "this desktop does not say"
            }
        return Diagnostic(
            "disturb",
            state == .unknown ? .absent : .ok,
            "do not disturb: \(words)",
            advice: state == .on ? "Turn it off in the desktop's settings if notices should pop up." : nil,
            ["doNotDisturb": state.rawValue]
        )
    }
}
