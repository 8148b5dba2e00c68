import Belfry
import FoundationEssentials

/// The file `app.json` beside an app's store, with its record.
struct AppRecordFile: Sendable {
    let folder: String
    private var path: String { folder + "/app.json" }

    /// Reads the record; nil if the file is missing or unreadable. The app sends all of it again when it connects.
    func read() -> AppRecord? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(AppRecord.self, from: $0) }
    }

    /// Writes the record atomically, and creates the directory if missing. Throws ``NoticeError/Code/storeFailed``.
    func write(_ record: AppRecord) throws(NoticeError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let data = try JSONEncoder().encode(record)
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw NoticeError(.storeFailed, "The file '\(path)' can't be written.", cause: "\(error)")
        }
    }
}
