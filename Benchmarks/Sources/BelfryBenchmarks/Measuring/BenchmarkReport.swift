import Foundation

/// What a run has found out.
struct BenchmarkReport {
    private(set) var rows: [BenchmarkRow] = []
    private(set) var notes: [String] = []

    mutating func add(_ row: BenchmarkRow) {
        rows.append(row)
        FileHandle.standardError.write(Data("  \(row.work)\n".utf8))
    }

    /// A sentence under the table: what was measured how.
    mutating func note(_ text: String) { notes.append(text) }

    var table: String {
        let head = ["work", "unit", "ours", "theirs", "against", "ratio", "target", "reached"]
        let cells = rows.map { row in
            [
                row.work, row.unit, Figure.text(row.ours), row.theirs.map(Figure.text) ?? "", row.against ?? "",
                row.ratio.map { Figure.text($0) + "×" } ?? "", row.target ?? "",
                row.reached.map { $0 ? "yes" : "NO" } ?? "",
            ]
        }
        let widths = head.indices.map { column in ([head] + cells).map { $0[column].count }.max() ?? 0 }
        let numeric: Set = [2, 3, 5, 6]
        let lines = ([head] + cells).map { line in
            line.enumerated().map { column, text in
                let pad = String(repeating: " ", count: widths[column] - text.count)
                return numeric.contains(column) ? pad + text : text + pad
            }.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }
        return (lines + [""] + notes.map { "- " + $0 }).joined(separator: "\n")
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try encoder.encode(rows).write(to: file)
    }
}

/// Ours and theirs answer differently, or can't be compared: no figure is worth anything then.
struct BenchmarkFault: Error, CustomStringConvertible {
    let description: String
}
