import Belfry
package import FoundationEssentials
import Glibc

/// The outcome of an app's last starts, in `start.json` beside its store.
///
/// The mark is written before the store is opened, and removed when the center is quiet. A remaining mark means that
/// the process ended during a start: a crash, which this app may have caused. A mark of an earlier boot is ignored,
/// since a power cut or reboot also leaves one. Therefore it needs no fsync(2): it only has to outlive the process, and
/// written data does. A quarantine does need it.
package struct StartMark: Sendable {
    private struct Record: Codable {
        var bootID: String
        /// The number of consecutive starts that failed, including the current one until its center is quiet.
        var starts: Int
        var lastStart: Date
        /// Kept until the app is released, also across reboots.
        var isQuarantined = false
    }

    /// The number of consecutive crashes after which an app is not started again.
    private static let mostCrashes = 2

    private let path: String
    private let bootID: String

    package init(folder: String, bootID: String) {
        path = folder + "/start.json"
        self.bootID = bootID
    }

    /// The number of consecutive starts since boot during which the process ended.
    package var crashes: Int {
        guard let record = read(), record.bootID == bootID else { return 0 }
        return record.starts
    }

    /// Whether the agent does not start the app, or will not at its next start. Changes nothing.
    package var isQuarantined: Bool { read().map(\.isQuarantined) == true || crashes >= Self.mostCrashes }

    /// Returns the last start of a quarantined app; nil for all others. Keeps the quarantine from then on.
    package func quarantined() -> Date? {
        guard isQuarantined, var record = read() else { return nil }
        if !record.isQuarantined {
            record.isQuarantined = true
            write(record)
        }
        return record.lastStart
    }

    /// Records the beginning of a start. If the mark can't be written, the app starts anyway.
    package func begin(at date: Date) { write(Record(bootID: bootID, starts: crashes + 1, lastStart: date)) }

    /// Removes the mark, after a survived start or a release by the user.
    package func clear() { unlink(path) }

    private func read() -> Record? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(Record.self, from: $0) }
    }

    private func write(_ record: Record) {
        guard let data = try? JSONEncoder().encode(record) else { return }
        // If the disk is full, the earlier record stays.
        PrivateFile.replace(path, with: data, outlivesPowerCut: record.isQuarantined)
    }
}
