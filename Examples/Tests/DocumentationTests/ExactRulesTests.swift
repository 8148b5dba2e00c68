import Foundation
import Testing

@Suite("The exact rules")
struct ExactRulesTests {
    private static let page = QuotedCode.articles + "exact-rules.md"

    /// The functions of each suite in the project's tests.
    private static func functions() throws -> [String: Set<String>] {
        let tests = QuotedCode.root.appending(path: "Tests").path
        let types: Set<Substring> = ["struct", "class", "extension"]
        var found: [String: Set<String>] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests) where path.hasSuffix(".swift") {
            var suite = ""
            for line in try QuotedCode.lines(of: "Tests/\(path)") {
                let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                let isDeclaration = line.first.map { $0.isLetter } ?? false
                if isDeclaration, let type = words.firstIndex(where: types.contains), type + 1 < words.count {
                    suite = String(words[type + 1])
                }
                if let function = words.firstIndex(of: "func"), function + 1 < words.count {
                    found[suite, default: []].insert(String(words[function + 1]))
                }
            }
        }
        return found
    }

    /// The Swift files of the project's code, without their ending.
    private static func files() throws -> Set<String> {
        let paths = try ["Sources", "Plugins"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: QuotedCode.root.appending(path: folder).path)
        }
        return Set(
            paths.filter { $0.hasSuffix(".swift") }.map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
        )
    }

    @Test("Each rule names the files in which it is written, and all of them exist") func writtenInFiles() throws {
        let files = try Self.files()
        let lines = try QuotedCode.lines(of: Self.page).filter { $0.hasPrefix("    Code: ") }
        #expect(lines.count == 43)
        for (index, line) in lines.enumerated() {
            let named = line.matches(of: /`([\w+]+)`/).map { String($0.1) }
            #expect(!named.isEmpty)
            for file in named { #expect(files.contains(file), "rule \(index + 1): there is no \(file).swift") }
        }
    }

    @Test("Each rule names tests that hold it, and all of them exist") func heldByTests() throws {
        let functions = try Self.functions()
        let text = try QuotedCode.lines(of: Self.page).joined(separator: "\n")
        var rule = 0
        var namedCount = 0
        for paragraph in text.components(separatedBy: "\n\n") {
            if let match = paragraph.firstMatch(of: #/^(\d+)\. /#) {
                rule += 1
                #expect(match.1 == String(rule))
            }
            guard paragraph.hasPrefix("    Held by ") else { continue }
            namedCount += 1
            #expect(namedCount == rule, "rule \(rule) is held by no test, or by two lists of them")
            let tests = paragraph.matches(of: /`(\w+)\/(\w+)`/)
            #expect(!tests.isEmpty)
            for test in tests {
                let (suite, function) = (String(test.1), String(test.2))
                #expect(functions[suite]?.contains(function) == true, "rule \(rule): there is no \(suite)/\(function)")
            }
        }
        #expect(rule == 43 && namedCount == 43)
    }
}
