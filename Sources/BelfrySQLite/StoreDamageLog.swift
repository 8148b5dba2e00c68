package import Belfry
import FoundationEssentials
import Glibc

/// The damage reports of a store: one file for each in the directory `damage` beside the store's own file, until they
/// are acknowledged.
///
/// Files are created, renamed and removed atomically, so that any number of processes may read and report them without
/// a lock. The process that renames a file from ``unreported`` to ``reported`` is the one to report it.
package struct StoreDamageLog: Sendable {
    private static let unreported = ".new.json"
    private static let reported = ".json"
    /// The maximum number of reports; older ones are removed. A store that is damaged at every opening must not fill
    /// the disk.
    private static let limit = 100

    private let directory: String

    /// - Parameter folder: the store's directory. Only ``add(_:)`` creates anything in it.
    package init(folder: String) { directory = folder + "/damage" }

    /// Returns the reports that nobody has acknowledged, oldest first. Unreadable ones are left out.
    package func reports() -> [NoticeStore.Damage] {
        entries().map(\.damage)
    }

    /// Returns the reports that have not been reported yet. Each is returned once, to one caller among all processes.
    package func takeUnreported() -> [NoticeStore.Damage] {
        entries().filter { name, _ in
            guard name.hasSuffix(Self.unreported) else { return false }
            let new = name.dropLast(Self.unreported.count) + Self.reported
            return rename(directory + "/" + name, directory + "/" + new) == 0
        }.map(\.damage)
    }

    /// Removes all reports. Files that were set aside stay, and so does every file that is no report.
    package func acknowledge() {
        for (name, _) in entries() { unlink(directory + "/" + name) }
    }

    /// Stores a report durably. Throws ``NoticeError/Code/storeFailed``.
    func add(_ damage: NoticeStore.Damage) throws(NoticeError) {
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw NoticeError(file: directory, "make the folder", errno: errno)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let path = "\(directory)/\(damage.id)\(Self.unreported)"
        guard let data = try? encoder.encode(damage), PrivateFile.replace(path, with: data) else {
            throw NoticeError(file: path, "keep the damage report", errno: errno)
        }
        StoreFolder.synchronize(directory)
        for (name, _) in entries().dropLast(Self.limit) { unlink(directory + "/" + name) }
    }

    private func entries() -> [(name: String, damage: NoticeStore.Damage)] {
        let decoder = JSONDecoder()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(Self.reported) }.compactMap { name in
            let data = FileManager.default.contents(atPath: directory + "/" + name)
            return data.flatMap { try? decoder.decode(NoticeStore.Damage.self, from: $0) }.map { (name, $0) }
        }.sorted { ($0.damage.foundAt, $0.name) < ($1.damage.foundAt, $1.name) }
    }
}
