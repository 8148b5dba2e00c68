import Belfry
import FoundationEssentials

/// An app's record beside its store, in `app.json`.
struct AppRecordFile: Sendable {
    let folder: String
    private var path: String { folder + "/app.json" }

    /// Nil where there is none, or none that can be read: the app says it all again when it connects.
    func read() -> AppRecord? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(AppRecord.self, from: $0) }
    }

    /// Whole or not at all; makes the folder where there is none. Throws ``NoticeError/Code/storeFailed``.
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
