import Belfry
import BelfryDesktop
import BelfryPortal

/// The ways to the desktop, and which one is taken.
extension Doctor {
    private var confinement: Sandbox? { Sandbox.current(environment: environment) }

    func sandbox() -> DoctorFinding {
        DoctorFinding(
            check: "sandbox",
            state: .ok,
            detail: confinement.map { "inside \($0.rawValue)" } ?? "none",
            values: ["sandbox": confinement.map { .string($0.rawValue) } ?? .null]
        )
    }

    /// Outside of a sandbox nobody needs it.
    func portal() async -> DoctorFinding {
        guard SessionBus(environment: environment).isReachable else {
            return DoctorFinding(
                check: "portal",
                state: confinement == nil ? .absent : .missing,
                detail: "without a bus there is no desktop portal",
                advice: confinement == nil
                    ? "Nothing needs it outside of a sandbox." : "The sandbox has to let the session bus in."
            )
        }
        let backend = PortalBackend(for: .command(), limits: .init(call: .seconds(5)))
        do throws(NoticeError) {
            let found = try await BackendProbe.look(at: backend).capabilities
            return DoctorFinding(
                check: "portal",
                state: .ok,
                detail: "\(found.server) \(FeatureWords.sentence(found)); --backend portal",
                values: ["server": .string(found.server), "features": FeatureWords.names(found.features)]
            )
        } catch {
            return DoctorFinding(
                check: "portal",
                state: confinement == nil ? .absent : .missing,
                detail: error.message,
                advice: confinement == nil
                    ? "Nothing needs it outside of a sandbox." : "Install it outside of the sandbox, and log in again.",
                values: ["code": .string(error.code.rawValue)]
            )
        }
    }

    /// What `--backend auto` takes, by what was found.
    func choice(server: DoctorFinding, portal: DoctorFinding) -> DoctorFinding {
        let taken = confinement != nil && portal.state == .ok ? "portal" : server.state == .ok ? "dbus" : "console"
        let order = confinement == nil ? "dbus, console" : "portal, dbus, console"
        return DoctorFinding(
            check: "backend",
            state: taken == "console" ? .missing : .ok,
            detail: "--backend auto takes \(taken), the first that works of \(order)",
            advice: taken == "console" ? "Notices are lines on the console until there is a server." : nil,
            values: ["backend": .string(taken)]
        )
    }
}
