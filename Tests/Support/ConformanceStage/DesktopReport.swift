import BelfryTesting
import Foundation

/// The report of `make test-desktops`: which server of which release obeys the rules, which rules were skipped and why.
///
/// `.ci/servers` leaves a folder for each release, and in it, for each server that ran, `SERVER.conform.json` (the
/// suite's results), `SERVER.json` (the tour's facts), and `SERVER.note`: one line about the tour, or why the server
/// did not run.
enum DesktopReport {
    fileprivate struct Row {
        let release: String
        let server: String
        let identity: String?
        let results: [ConformanceReport.Result]
        let note: String

        var title: String { "\(identity ?? server) (\(release))" }
    }

    static func markdown(of folder: URL) throws -> String {
        let rows = try RecordedTour.releases.flatMap { release in
            try ServerTable.servers.compactMap { try row(of: $0, release, in: folder.appendingPathComponent(release)) }
        }
        let (ran, others) = (rows.filter { !$0.results.isEmpty }, rows.filter(\.results.isEmpty))
        let table = ServerTable.table(
            ["Debian", "server", "version", "rules passed", "broken", "skipped", "tour"],
            ran.map { row in
                let counts = [row.passed.count, row.broken.count, row.skipped.count].map(String.init)
                return [row.release, row.server, row.identity ?? "?"] + counts + [row.note]
            }
        )
        let head = [
            "# What the desktops of today do", "",
            "Written by `make record-desktops`: the rules of the conformance suite on real servers, each on a private "
                + "desktop in a root of its release.", "",
        ]
        let lines =
            head + table + list("Broken rules", ran) { $0.broken } + list("Skipped rules, and why", ran) { $0.skipped }
            + section("Servers that did not run", others.map { "**\($0.server)** (\($0.release)): \($0.note)" })
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(of server: String, _ release: String, in folder: URL) throws -> Row? {
        func contents(_ name: String) -> Data? {
            try? Data(contentsOf: folder.appendingPathComponent("\(server).\(name)"))
        }
        guard let note = contents("note") else { return nil }
        let decoder = JSONDecoder()
        return Row(
            release: release,
            server: server,
            identity: try contents("json").map { try decoder.decode(TourFacts.self, from: $0).identity },
            results: try contents("conform.json").map { try decoder.decode([ConformanceReport.Result].self, from: $0) }
                ?? [],
            note: String(decoding: note, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        )
    }

    /// Each different line once, with the servers it is true of.
    private static func list(_ title: String, _ rows: [Row], _ lines: (Row) -> [String]) -> [String] {
        var servers: [(line: String, rows: [String])] = []
        for row in rows {
            for line in lines(row) {
                if let index = servers.firstIndex(where: { $0.line == line }) {
                    servers[index].rows.append(row.title)
                } else {
                    servers.append((line, [row.title]))
                }
            }
        }
        return section(title, servers.map { "\($0.line)\n  \($0.rows.joined(separator: ", "))" })
    }

    private static func section(_ title: String, _ items: [String]) -> [String] {
        items.isEmpty ? [] : ["", "## \(title)", ""] + items.map { "- \($0)" }
    }
}

extension DesktopReport.Row {
    fileprivate var passed: [String] { lines { if case .passed = $0 { "" } else { nil } } }
    fileprivate var broken: [String] { lines { if case .failed(let message) = $0 { message } else { nil } } }
    fileprivate var skipped: [String] { lines { if case .skipped(let reason) = $0 { reason } else { nil } } }

    private func lines(_ detail: (ConformanceReport.Result.Outcome) -> String?) -> [String] {
        results.compactMap { result in
            detail(result.outcome).map {
                "\(result.rule): \($0.split(whereSeparator: \.isNewline).joined(separator: " "))"
            }
        }
    }
}
