package import Belfry
import FoundationEssentials
import Glibc

/// The damage reports of a store: a file for each in the directory `damage` beside the store's own file, until somebody
/// has acknowledged them.
///
/// Files are made, renamed and removed, each in one step, so that any number of processes may read and report them
/// without a lock: whoever renames a file from ``unreported`` to ``reported`` is the one who reports it.
package struct StoreDamageLog: Sendable {
    private static let unreported = ".new.json"
    private static let reported = ".json"
    /// Reports that are kept; older ones make room. A store that is damaged at every opening must not fill the disk.
    private static let limit = 100

    private let directory: String

    /// - Parameter folder: the store's folder. Nothing is created in it but by ``add(_:)``.
    package init(folder: String) { directory = folder + "/damage" }

    /// The reports that nobody has acknowledged, oldest first. What can't be read of them is left out.
    package func reports() -> [NoticeStore.Damage] {
        entries().map(\.damage)
    }

    /// The reports that nobody has been told yet. Each is returned once, to one caller of all processes.
    package func takeUnreported() -> [NoticeStore.Damage] {
        entries().filter { name, _ in
            guard name.hasSuffix(Self.unreported) else { return false }
            let new = name.dropLast(Self.unreported.count) + Self.reported
            return rename(directory + "/" + name, directory + "/" + new) == 0
        }.map(\.damage)
    }

    /// Forgets all reports. What was set aside stays where it is.
    package func acknowledge() {
        for name in names() { unlink(directory + "/" + name) }
    }

    /// Keeps a report, durably. Throws ``NoticeError/Code/storeFailed``.
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

    private func names() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(Self.reported) }
    }

    private func entries() -> [(name: String, damage: NoticeStore.Damage)] {
        let decoder = JSONDecoder()
        return names().compactMap { name in
            let data = FileManager.default.contents(atPath: directory + "/" + name)
            return data.flatMap { try? decoder.decode(NoticeStore.Damage.self, from: $0) }.map { (name, $0) }
        }.sorted { ($0.damage.foundAt, $0.name) < ($1.damage.foundAt, $1.name) }
    }
}
