import Belfry
import BelfryRecurrence
import FoundationEssentials

/// The checks that times and dates depend on.
extension Doctor {
    /// Checks that the kernel provides the timers; none is armed.
    func timer() -> Diagnostic {
        do throws(NoticeError) {
            let clock = SystemTriggerClock()
            _ = try clock.makeAlarm()
            let uptime = TimeSpan.text(Int(clock.now().boot / 1_000_000))
            return Diagnostic("timer", .ok, "timerfd on both clocks; the machine has been up for \(uptime)")
        } catch {
            let advice = "Without timerfd nothing can be scheduled; look at the sandbox's rules for system calls."
            return Diagnostic("timer", .missing, error.description, advice: advice)
        }
    }

    /// Checks whether the wall clock, which calendar triggers use, is plausible and known to be synchronized.
    func clock() -> Diagnostic {
        let now = Date()
        let text = now.rfc3339()
        // A date before this code was written means a machine whose clock has no battery.
        guard now.timeIntervalSince1970 > 1_760_000_000 else {
            let advice = "Set it, or let the network do that (Debian: apt install systemd-timesyncd)."
            return Diagnostic(
                "clock",
                .missing,
                "the wall clock says \(text), which is past",
                advice: advice,
                ["now": text]
            )
        }
        let isKept = FileManager.default.fileExists(atPath: "/run/systemd/timesync/synchronized")
        let detail = "the wall clock says \(text)" + (isKept ? ", kept right by systemd-timesyncd" : "")
        return Diagnostic("clock", .ok, detail, ["now": text])
    }

    func zone() -> Diagnostic {
        let zone = ZoneRules.system()
        let offset = LocalDate.text(ofOffset: zone.offset(at: Int64(Date().timeIntervalSince1970)))
        return Diagnostic("zone", .ok, "\(zone.identifier), now \(offset)", ["zone": zone.identifier])
    }

    func zoneData() -> Diagnostic {
        let folder = environment["TZDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo"
        guard FileManager.default.fileExists(atPath: folder + "/UTC") else {
            let detail = "there is none in \(folder): zones by name are not known"
            return Diagnostic("zone data", .missing, detail, advice: "Install it (Debian: apt install tzdata).")
        }
        let version = Self.zoneDataVersion(in: folder)
        let detail = folder + (version.map { ", version \($0)" } ?? "")
        return Diagnostic("zone data", .ok, detail, ["folder": folder, "version": version?.json ?? JSONValue.null])
    }

    /// Returns the version from the first line of `tzdata.zi`: "# version 2024a".
    private static func zoneDataVersion(in folder: String) -> String? {
        guard let start = try? RegularFile.bytes(of: folder + "/tzdata.zi", limit: 64) else { return nil }
        let line = String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard line.hasPrefix("# version ") else { return nil }
        return String(line.dropFirst("# version ".count))
    }
}
