import Belfry
import FoundationEssentials
import Glibc

/// The stored data of an app besides its requests: how it is named and how it is started. It is in the file `app.json`
/// beside the app's store.
struct AppRecord: Codable, Hashable {
    var name: String
    var icon: NoticeIcon?
    var command: [String] = []
    var isActivatable = false

    /// Whether the app can be started. Otherwise a response waits until the user starts it.
    var isStartable: Bool { isActivatable || !command.isEmpty }

    /// Reads the record in an app's directory; nil if the file is missing or unreadable. The app sends all of it again
    /// when it connects.
    static func read(in folder: String) -> AppRecord? {
        FileManager.default.contents(atPath: path(in: folder)).flatMap {
            try? JSONDecoder().decode(Self.self, from: $0)
        }
    }

    /// Writes the record atomically, and creates the directory if missing. Throws ``NoticeError/Code/storeFailed``.
    func write(in folder: String) throws(NoticeError) {
        let path = Self.path(in: folder)
        func failed(_ cause: String) -> NoticeError {
            NoticeError(.storeFailed, "The file '\(path)' can't be written.", cause: cause)
        }
        let data: Data
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            data = try JSONEncoder().encode(self)
        } catch { throw failed("\(error)") }
        guard PrivateFile.replace(path, with: data) else { throw failed(String(cString: strerror(errno))) }
    }

    private static func path(in folder: String) -> String { folder + "/app.json" }
}
