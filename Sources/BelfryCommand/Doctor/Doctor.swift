import Belfry
import BelfryDBus
import Foundation

/// Looks at what this desktop can do. Every look has an end: the longest is the desktop's own time limit of a few seconds.
struct Doctor: Sendable {
    var environment = ProcessInfo.processInfo.environment

    func bus() -> DoctorFinding {
        switch SessionBus(environment: environment).state {
        case .reachable(let address):
            DoctorFinding(check: "bus", state: .ok, detail: address, values: ["address": .string(address)])
        case .unreachable(let address, let why):
            DoctorFinding(
                check: "bus",
                state: .missing,
                detail: "nobody answers at \(address): \(why)",
                advice: "Log in again, or run it under 'dbus-run-session -- belfry …'.",
                values: ["address": .string(address)]
            )
        case .absent:
            DoctorFinding(
                check: "bus",
                state: .missing,
                detail: "no DBUS_SESSION_BUS_ADDRESS, and no bus in XDG_RUNTIME_DIR",
                advice: "Run it inside a desktop session, or under 'dbus-run-session -- belfry …' "
                    + "(Debian: apt install dbus-daemon)."
            )
        }
    }

    /// Asks the notification server, which is started by that where it can be; and whether the person wants to be left alone.
    func server() async -> [DoctorFinding] {
        guard SessionBus(environment: environment).isReachable else {
            return [
                DoctorFinding(
                    check: "server",
                    state: .missing,
                    detail: "without a bus there is no notification server",
                    advice: "Notices go to the console meanwhile (--backend console)."
                )
            ]
        }
        do throws(NoticeError) {
            let found = try await BackendProbe.look(at: DBusBackend(limits: .init(call: .seconds(5))), closely: true)
            return [server(found), silence(found.doNotDisturb)]
        } catch {
            return [
                DoctorFinding(
                    check: "server",
                    state: .missing,
                    detail: error.description,
                    advice: error.code == .serverTimedOut
                        ? "It has the name on the bus and does not answer: end it, and start it anew."
                        : "Start the one of your desktop, or install one (Debian: apt install dunst).",
                    values: ["code": .string(error.code.rawValue)]
                )
            ]
        }
    }

    private func server(_ found: BackendProbe) -> DoctorFinding {
        let capabilities = found.capabilities
        let ways = found.lost.map { "; \($0.feature.rawValue): \($0.detail)" }.joined()
        return DoctorFinding(
            check: "server",
            state: .ok,
            detail: "\(capabilities.server) \(FeatureWords.sentence(capabilities))\(ways)",
            values: [
                "server": .string(capabilities.server), "features": FeatureWords.names(capabilities.features),
                "missing": FeatureWords.names(FeatureWords.all.subtracting(capabilities.features)),
                "lost": .array(found.lost.map { .string($0.description) }),
            ]
        )
    }

    private func silence(_ state: DeliveryCapabilities.DoNotDisturb) -> DoctorFinding {
        let detail =
            switch state {
            case .on: "on: notices are kept and not shown, but for critical ones"
            case .off: "off"
            case .unknown: "this desktop does not say"
            }
        return DoctorFinding(
            check: "disturb",
            state: state == .unknown ? .absent : .ok,
            detail: "do not disturb: \(detail)",
            advice: state == .on ? "Turn it off in the desktop's settings if notices should pop up." : nil,
            values: ["doNotDisturb": .string(state.rawValue)]
        )
    }
}
