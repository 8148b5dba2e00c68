import Belfry
import BelfryLibnotify
import BelfryPlugins
import BelfryRecurrence
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

    /// Asks the notification server; one that can be started is started by that.
    func server() async -> DoctorFinding {
        guard SessionBus(environment: environment).isReachable else {
            return DoctorFinding(
                check: "server",
                state: .missing,
                detail: "without a bus there is no notification server",
                advice: "Notices go to the console meanwhile (--backend console)."
            )
        }
        let app = AppIdentity.command()
        do throws(NoticeError) {
            let found = try await BackendProbe.look(at: .libnotify(for: app)).capabilities
            let features = found.features.map(\.rawValue).sorted()
            return DoctorFinding(
                check: "server",
                state: .ok,
                detail: "\(found.server): \(features.joined(separator: ", "))",
                values: ["server": .string(found.server), "features": .array(features.map { .string($0) })]
            )
        } catch {
            return DoctorFinding(
                check: "server",
                state: .missing,
                detail: error.description,
                advice: "Start the desktop's notification server, or install one (Debian: apt install dunst).",
                values: ["code": .string(error.code.rawValue)]
            )
        }
    }

    func libnotify() -> DoctorFinding {
        DoctorFinding(check: "libnotify", state: .ok, detail: "linked in; --backend libnotify")
    }

    /// Arms nothing: that the kernel gives the timers is the question.
    func timer() -> DoctorFinding {
        do throws(NoticeError) {
            let clock = SystemTriggerClock()
            _ = try clock.makeAlarm()
            let seconds = clock.now().boot / 1_000_000
            return DoctorFinding(
                check: "timer",
                state: .ok,
                detail: "timerfd on both clocks; the machine has been up for \(ReadableDate.span(Int(seconds)))"
            )
        } catch {
            return DoctorFinding(
                check: "timer",
                state: .missing,
                detail: error.description,
                advice: "Without timerfd nothing can be scheduled; look at the sandbox's rules for system calls."
            )
        }
    }

    func zone() -> DoctorFinding {
        let zone = ZoneRules.system()
        let offset = RFC3339.offsetText(zone.offset(at: Int64(Date().timeIntervalSince1970)))
        return DoctorFinding(
            check: "zone",
            state: .ok,
            detail: "\(zone.identifier), now \(offset)",
            values: ["zone": .string(zone.identifier)]
        )
    }

    /// What the command line will tell of when it is there.
    func absent() -> [DoctorFinding] {
        [
            DoctorFinding(
                check: "agent",
                state: .absent,
                detail: "not in this version",
                advice: "add and series wait in their own process instead."
            ),
            DoctorFinding(check: "location", state: .absent, detail: "not in this version"),
            DoctorFinding(check: "plug-ins", state: .absent, detail: "files are not loaded in this version"),
        ]
    }
}
