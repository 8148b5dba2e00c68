import Foundation

/// The tables of docs/servers: what each recorded server did, and what its versions do differently.
public enum ServerTable {
    static let servers = [
        "dunst", "notification-daemon", "xfce4-notifyd", "mate-notification-daemon", "lxqt-notificationd", "notify-osd",
        "mako", "swaync", "gnome-shell", "plasma", "cinnamon", "budgie", "phosh",
    ]

    /// One version of a server, on the releases that have it.
    private struct Version {
        let facts: TourFacts
        var releases: [String]
    }

    /// Of all that is recorded beside the page.
    public static func markdown() throws -> String {
        let all = try servers.map(versions(of:)).filter { !$0.isEmpty }
        let overviews = [overview(all), [""], differences(all), [""]].flatMap { $0 }
        return (overviews + all.flatMap(section)).joined(separator: "\n")
    }

    /// Writes the tables into a page, between its two marks.
    static func write(into page: URL) throws {
        let (begin, end) = ("<!-- table: ", "<!-- end -->")
        let lines = try String(contentsOf: page, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        guard let first = lines.firstIndex(where: { $0.hasPrefix(begin) }),
            let last = lines.firstIndex(where: { $0.hasPrefix(end) }), first < last
        else { throw ConformanceProgram.Usage("\(page.path) has no lines '\(begin)…' and '\(end)' for the tables") }
        let text =
            lines[...first].joined(separator: "\n") + "\n\n" + (try markdown()) + lines[last...].joined(separator: "\n")
        try text.write(to: page, atomically: true, encoding: .utf8)
    }

    private static func versions(of server: String) throws -> [Version] {
        var versions: [Version] = []
        for tour in try RecordedTour.all(of: server) {
            if let index = versions.firstIndex(where: { $0.facts == tour.facts }) {
                versions[index].releases.append(tour.release)
            } else {
                versions.append(Version(facts: tour.facts, releases: [tour.release]))
            }
        }
        return versions
    }

    /// The facts in which servers differ, side by side, of the newest version of each.
    private static func overview(_ all: [[Version]]) -> [String] {
        let shown = [
            "bold text", "link", "image of pixels", "progress", "button", "click on the popup", "closed by hand",
            "time limit of 0.7 s", "25 at once",
        ]
        return table(
            ["server"] + shown,
            all.compactMap(\.last).map { version in [version.facts.identity] + shown.map { version.facts[$0] ?? "" } }
        )
    }

    /// What a newer version does otherwise than the one before it.
    private static func differences(_ all: [[Version]]) -> [String] {
        var rows: [[String]] = []
        for versions in all {
            for (old, new) in zip(versions, versions.dropFirst()) {
                for fact in new.facts.facts where old.facts[fact.what] != fact.found {
                    guard let before = old.facts[fact.what] else { continue }
                    // Losses name the server with its version.
                    guard before.replacing(old.facts.identity, with: new.facts.identity) != fact.found else { continue }
                    rows.append([old.facts.identity, new.facts.identity, fact.what, before, fact.found])
                }
            }
        }
        guard !rows.isEmpty else { return [] }
        return ["What changed from version to version:", ""] + table(["from", "to", "what", "before", "now"], rows)
    }

    /// A server's versions side by side.
    private static func section(_ versions: [Version]) -> [String] {
        guard let newest = versions.last?.facts else { return [] }
        let pictures = versions.map { version in
            "![\(version.facts.identity)](\(version.releases[0])/\(newest.server).png)"
        }
        let rows = newest.facts.map { fact in [fact.what] + versions.map { $0.facts[fact.what] ?? "not looked at" } }
        let heads = versions.map { "\($0.facts.identity) (\($0.releases.joined(separator: ", ")))" }
        return ["### \(newest.server)", ""] + table([""] + heads, [[""] + pictures] + rows) + [""]
    }

    static func table(_ head: [String], _ rows: [[String]]) -> [String] {
        let lines = [head, head.map { _ in "---" }] + rows.map { row in row.map { $0.replacing("|", with: "\\|") } }
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }
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
