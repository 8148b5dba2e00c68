import Belfry
import FoundationEssentials

/// An application's desktop file (Desktop Entry Specification 1.5), as far as it says who the application is.
package enum DesktopEntry {
    /// `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`, or what stands for them (XDG Base Directory Specification).
    package static func dataFolders(
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String] {
        func given(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let home = given("XDG_DATA_HOME") ?? given("HOME").map { $0 + "/.local/share" }
        let shared = given("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
        return ([home].compactMap(\.self) + shared.split(separator: ":").map(String.init)).filter { $0.hasPrefix("/") }
    }

    /// Nil where there is no such file, or it doesn't say.
    static func name(of app: String, in folders: [String]) -> String? {
        for folder in folders {
            // No more than any desktop file has.
            guard let bytes = try? RegularFile.bytes(of: "\(folder)/applications/\(app).desktop", limit: 1 << 20) else {
                continue
            }
            let text = String(decoding: bytes, as: UTF8.self)
            var isEntry = false
            for line in text.split(whereSeparator: \.isNewline) {
                if line.hasPrefix("[") { isEntry = line == "[Desktop Entry]" }
                guard isEntry, let equals = line.firstIndex(of: "=") else { continue }
                guard line[..<equals].filter({ $0 != " " }) == "Name" else { continue }
                let name = line[line.index(after: equals)...].trimmingPrefix(while: \.isWhitespace)
                return name.isEmpty ? nil : String(name.prefix(256))
            }
            return nil
        }
        return nil
    }
}
