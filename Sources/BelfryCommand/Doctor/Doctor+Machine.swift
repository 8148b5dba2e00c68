import Belfry
import BelfryRecurrence
import Foundation

/// What times and dates rest on.
extension Doctor {
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

    /// Calendar triggers fire by the wall clock: whether it can be right, and whether it is known to be kept so.
    func clock() -> DoctorFinding {
        let now = Date()
        let text = RFC3339.text(now, in: .system())
        // Before this was written: a machine without a battery for its clock.
        guard now.timeIntervalSince1970 > 1_760_000_000 else {
            return DoctorFinding(
                check: "clock",
                state: .missing,
                detail: "the wall clock says \(text), which is past",
                advice: "Set it, or let the network do that (Debian: apt install systemd-timesyncd).",
                values: ["now": .string(text)]
            )
        }
        let isKept = FileManager.default.fileExists(atPath: "/run/systemd/timesync/synchronized")
        return DoctorFinding(
            check: "clock",
            state: .ok,
            detail: "the wall clock says \(text)" + (isKept ? ", kept right by systemd-timesyncd" : ""),
            values: ["now": .string(text)]
        )
    }

    func zone() -> DoctorFinding {
        let zone = ZoneRules.system()
        let offset = LocalDate.text(ofOffset: zone.offset(at: Int64(Date().timeIntervalSince1970)))
        return DoctorFinding(
            check: "zone",
            state: .ok,
            detail: "\(zone.identifier), now \(offset)",
            values: ["zone": .string(zone.identifier)]
        )
    }

    func zoneData() -> DoctorFinding {
        let folder = environment["TZDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo"
        guard FileManager.default.fileExists(atPath: folder + "/UTC") else {
            return DoctorFinding(
                check: "zone data",
                state: .missing,
                detail: "there is none in \(folder): zones by name are not known",
                advice: "Install it (Debian: apt install tzdata)."
            )
        }
        let version = Self.zoneDataVersion(in: folder)
        return DoctorFinding(
            check: "zone data",
            state: .ok,
            detail: "\(folder)\(version.map { ", version \($0)" } ?? "")",
            values: ["folder": .string(folder), "version": version.map { .string($0) } ?? .null]
        )
    }

    /// The first line of `tzdata.zi`: "# version 2024a".
    private static func zoneDataVersion(in folder: String) -> String? {
        guard let start = try? RegularFile.bytes(of: folder + "/tzdata.zi", limit: 64) else { return nil }
        let line = String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard line.hasPrefix("# version ") else { return nil }
        return String(line.dropFirst("# version ".count))
    }
}
