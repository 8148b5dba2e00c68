import Belfry
import FoundationEssentials

/// One group of a key file: an application's desktop file (Desktop Entry Specification 1.5), its D-Bus service file
/// (D-Bus Specification, "Message Bus Starting Services"), or the file of its sandbox (flatpak-metadata(5)).
package struct KeyFile: Sendable {
    package let path: String
    private var values: [String: String] = [:]

    /// Reads a group; nil if there is no such file. The first of duplicate keys counts.
    package init?(_ path: String, group: String) {
        guard let bytes = try? RegularFile.bytes(of: path, limit: Self.limit) else { return nil }
        self.init(path, bytes, group: group)
    }

    /// Larger than any such file.
    package static let limit = 1 << 20

    /// Reads a group from the bytes of a file.
    package init(_ path: String, _ bytes: [UInt8], group: String) {
        self.path = path
        var isInGroup = false
        // Other line breaks of Unicode may be part of a value.
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            if line.hasPrefix("[") { isInGroup = line == "[\(group)]" }
            guard isInGroup, let equals = line.firstIndex(of: "="), !line.hasPrefix("#") else { continue }
            let key = line[..<equals].filter { $0 != " " }
            let value = line[line.index(after: equals)...].trimmingPrefix(while: \.isWhitespace)
            if values[key] == nil { values[key] = String(value) }
        }
    }

    /// The value of a key; nil if the key is missing or empty.
    package subscript(key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the desktop file of an app, from the first directory that has one.
    package static func desktopEntry(of app: String, in folders: [String]) -> KeyFile? {
        folders.lazy.compactMap { KeyFile("\($0)/applications/\(app).desktop", group: "Desktop Entry") }.first
    }

    /// Returns the D-Bus service file of an app, from the first directory that has one.
    package static func service(of app: String, in folders: [String]) -> KeyFile? {
        folders.lazy.compactMap { KeyFile("\($0)/dbus-1/services/\(app).service", group: "D-BUS Service") }.first
    }

    /// Returns `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`, or their defaults (XDG Base Directory Specification).
    package static func dataFolders(
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String] {
        let given = environment["XDG_DATA_DIRS"] ?? ""
        let shared = (given.isEmpty ? "/usr/local/share:/usr/share" : given).split(separator: ":").map(String.init)
        return [BaseFolder.data.path(in: environment)] + shared.filter { $0.hasPrefix("/") }
    }
}
