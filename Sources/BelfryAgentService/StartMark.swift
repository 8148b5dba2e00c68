import Belfry
import FoundationEssentials
import Glibc

/// How an app's last starts went, in `start.json` beside its store.
///
/// The mark is made before the store is opened, and removed when the center has come to rest. One that is found is of a
/// start during which the process ended: a crash, which may have been this app's doing. A mark of an earlier boot says
/// nothing, since a power cut or a restart of the machine leaves one too. For that reason it needs no fsync(2): what
/// the kernel has taken over outlives the process, and nothing more is asked of it.
struct StartMark: Sendable {
    private struct Record: Codable {
        var bootID: String
        /// How many starts in a row were not survived, this one included until it has come to rest.
        var starts: Int
        var lastStart: Date
        /// Stands until it is released, over restarts of the machine too.
        var isQuarantined = false
    }

    /// An app that crashed the process so often in a row is not started again.
    static let mostCrashes = 2

    private let path: String
    private let bootID: String

    init(folder: String, bootID: String) {
        path = folder + "/start.json"
        self.bootID = bootID
    }

    /// How many starts in a row have ended with the process, since the machine was started.
    var crashes: Int {
        guard let record = read(), record.bootID == bootID else { return 0 }
        return record.starts
    }

    /// The last start of an app that is not to be started again; nil for all others.
    func quarantined() -> Date? {
        guard var record = read() else { return nil }
        if record.isQuarantined { return record.lastStart }
        guard record.bootID == bootID, record.starts >= Self.mostCrashes else { return nil }
        record.isQuarantined = true
        write(record)
        return record.lastStart
    }

    /// A start begins. Where the mark can't be written the app is started all the same.
    func begin(at date: Date) { write(Record(bootID: bootID, starts: crashes + 1, lastStart: date)) }

    /// The start was survived, or the user wants another one.
    func clear() { unlink(path) }

    private func read() -> Record? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(Record.self, from: $0) }
    }

    private func write(_ record: Record) {
        guard let data = try? JSONEncoder().encode(record) else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        _ = data.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}
