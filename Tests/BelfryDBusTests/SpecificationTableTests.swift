import Belfry
import BelfryServers
import BelfryTestSupport
import Foundation
import Testing

/// The tables of methods, capabilities and hints in the article about backends, beside the code.
@Suite("The specification, line by line", .takesTurns)
struct SpecificationTableTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private struct Row {
        var names: [String]
        var file: String
    }

    /// The rows of the table whose first column has this head: the names in its cells, and the last cell.
    private func rows(_ head: String) throws -> [Row] {
        let article = Self.root.appendingPathComponent("Sources/Belfry/Belfry.docc/Articles/backends.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| \(head) |") })
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let names = cells[0].split(separator: "`").enumerated().filter { $0.offset.isMultiple(of: 2) }
            return Row(names: names.map { String($0.element) }, file: cells[cells.count - 1])
        }
    }

    /// Of the backend, of what is known of servers, and of the core.
    private static let sources: [String: String] = {
        var texts: [String: String] = [:]
        for folder in ["Plugins/DBus", "Sources/BelfryServers", "Sources/Belfry"] {
            let files = FileManager.default.enumerator(
                at: root.appendingPathComponent(folder),
                includingPropertiesForKeys: nil
            )
            for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
                texts[file.lastPathComponent] = try? String(contentsOf: file, encoding: .utf8)
            }
        }
        return texts
    }()

    @Test("each name stands in the file that its row names", arguments: ["method or signal", "capability", "hint"])
    func files(head: String) throws {
        let rows = try rows(head)
        #expect(rows.count >= 9)
        for row in rows {
            let text = try #require(Self.sources[row.file], "no file \(row.file)")
            for name in row.names { #expect(text.contains("\"\(name)\""), "\(name) is not in \(row.file)") }
        }
    }

    @Test("every hint whose type is known has a row, and so has every capability that is looked at")
    func complete() throws {
        let hints = try Set(rows("hint").flatMap(\.names))
        #expect(hints == Set(HintType.known.keys).union(["x-belfry-possibly-repeated"]))
        let listed = try Set(rows("capability").flatMap(\.names))
        // What the specification says that a server may list; the last two have no form in which anything could be
        // sent.
        let specified: Set = [
            "action-icons", "actions", "body", "body-hyperlinks", "body-images", "body-markup", "persistence", "sound",
        ]
        #expect(listed.isSuperset(of: specified))
        for name in listed {
            let without = NotificationServer(name: "a", vendor: "", version: "", capabilities: [])
            let with = NotificationServer(name: "a", vendor: "", version: "", capabilities: [name])
            #expect(with != without, "\(name) is listed, and makes no difference")
        }
    }
}
