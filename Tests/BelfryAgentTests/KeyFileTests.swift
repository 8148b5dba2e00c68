import BelfryAgent
import BelfryTestSupport
import Foundation
import Testing

@Suite("One group of a key file", .takesTurns)
struct KeyFileTests {
    private func group(_ text: String) -> KeyFile { KeyFile("app", Array(text.utf8), group: "Application") }

    @Test("A key counts in its group only, and the first of several") func groups() {
        let file = group(
            "name=none\n[Instance]\nname=other\n[Application]\nname=org.example.Tea\nname=second\n[Context]\n"
        )
        #expect(file["name"] == "org.example.Tea")
        #expect(group("[Instance]\nname=other\n")["name"] == nil)
        #expect(group("[Application]x\nname=other\n")["name"] == nil)
    }

    @Test("Spaces around the equals sign, comments and Windows' line ends are no part of a value") func spaces() {
        let file = group("[Application]\r\n#name=comment\r\nname = org.example.Tea\r\nruntime=\r\n")
        #expect(file["name"] == "org.example.Tea")
        #expect(file["runtime"] == nil && file["branch"] == nil)
    }

    @Test("Only a line feed ends a line: no value can begin a group of its own") func lineBreaks() {
        for end in ["\u{2028}", "\u{85}", "\u{B}", "\r"] {
            let file = group("[Context]\nshared=x\(end)[Application]\(end)name=org.example.Other\n")
            #expect(file["name"] == nil, "\(end.unicodeScalars)")
        }
    }

    @Test("A file that is missing or no file has no group") func missing() throws {
        let scratch = try TemporaryFolder()
        #expect(KeyFile(scratch.path("none"), group: "Application") == nil)
        #expect(KeyFile(scratch.path, group: "Application") == nil)
        try Data("[Application]\nname=Tea\n".utf8).write(to: URL(fileURLWithPath: scratch.path("app")))
        #expect(KeyFile(scratch.path("app"), group: "Application")?["name"] == "Tea")
    }
}
