import Belfry
import BelfryDBus
import FoundationEssentials

/// The checks of this desktop. Every check ends, the longest by the desktop's own timeout of a few seconds.
struct Doctor: Sendable {
    let environment = ProcessInfo.processInfo.environment

    func bus() -> Diagnostic {
        switch SessionBus(environment: environment).state {
        case .reachable(let address): Diagnostic("bus", .ok, address, ["address": address])
        case .unreachable(let address, let why):
            Diagnostic(
                "bus",
                .missing,
                "nobody answers at \(address): \(why)",
                advice: "Log in again, or run it under 'dbus-run-session -- belfry …'.",
                ["address": address]
            )
        case .absent:
            Diagnostic(
                "bus",
                .missing,
                "no DBUS_SESSION_BUS_ADDRESS, and no bus in XDG_RUNTIME_DIR",
                advice: "Run it inside a desktop session, or under 'dbus-run-session -- belfry …' "
                    + "(Debian: apt install dbus-daemon)."
            )
        }
    }

    /// Queries the notification server, which the bus starts if possible, and whether do-not-disturb is on.
    func server() async -> [Diagnostic] {
        guard SessionBus(environment: environment).isReachable else {
            let advice = "Notices go to the terminal or the console meanwhile (--backend terminal, console)."
            return [Diagnostic("server", .missing, "without a bus there is no notification server", advice: advice)]
        }
        do throws(NoticeError) {
            let found = try await BackendProbe.look(at: DBusBackend(timeouts: .init(call: .seconds(5))), closely: true)
            return [server(found), silence(found.doNotDisturb)]
        } catch {
            let advice =
                error.code == .serverTimedOut
                ? "It has the name on the bus and does not answer: end it, and start it anew."
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
