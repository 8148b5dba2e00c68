import Foundation

/// The table of docs/servers: what each recorded server did, one row a fact.
public enum ServerTable {
    private static let order = [
        "dunst", "notification-daemon", "xfce4-notifyd", "mate-notification-daemon", "lxqt-notificationd",
        "gnome-shell",
        "plasma",
    ]

    /// Of all files beside the page.
    public static func markdown() throws -> String {
        let all = try order.map(TourFacts.file(of:)).filter { FileManager.default.fileExists(atPath: $0.path) }
            .map(TourFacts.init(reading:))
        // Servers in rows: their answers are long, and a page is narrower than it is high.
        var lines: [String] = []
        for facts in all {
            lines += ["### \(facts.identity)", "", "![A popup of \(facts.server)](\(facts.server).png)", ""]
            lines += ["| | |", "|---|---|"]
            lines += facts.facts.map { "| \($0.what) | \($0.found.replacingOccurrences(of: "|", with: "\\|")) |" }
            lines.append("")
        }
        return (overview(all) + [""] + lines).joined(separator: "\n")
    }

    /// The facts in which servers differ, side by side.
    private static func overview(_ all: [TourFacts]) -> [String] {
        let shown = [
            "bold text", "link", "image of pixels", "progress", "button", "click on the popup", "closed by hand",
            "time limit of 0.7 s", "25 at once",
        ]
        var lines = ["| server | " + shown.joined(separator: " | ") + " |"]
        lines.append("|---" + String(repeating: "|---", count: shown.count) + "|")
        for facts in all {
            lines.append("| \(facts.server) | " + shown.map { facts[$0] ?? "" }.joined(separator: " | ") + " |")
        }
        return lines
    }
}

extension ServerTour {
    /// Tells `make test` which server was really used, where it asks for that (`BELFRY_TEST_SERVERS_USED`, a file).
    public static func remember(_ facts: TourFacts) throws {
        guard let path = ProcessInfo.processInfo.environment["BELFRY_TEST_SERVERS_USED"], !path.isEmpty else { return }
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(facts.identity)\n".utf8))
        try file.close()
    }
}
