import Foundation
import Testing

@Suite("The getting-started page")
struct GettingStartedTests {
    private static func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardized
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test("It installs what the product of its first program needs") func packages() throws {
        let row = try #require(
            try Self.text(QuotedCode.articles + "installation.md").split(separator: "\n").first {
                $0.hasPrefix("| ``BelfryDesktop``")
            }
        )
        let needed = row.matches(of: /lib[\w-]+-dev/).map { String($0.output) }
        #expect(!needed.isEmpty)
        let page = try Self.text(QuotedCode.articles + "getting-started.md")
        let install = try #require(page.firstMatch(of: /apt install (?<packages>[^\n`]+)/))
        #expect(Set(install.packages.split(separator: " ").map(String.init)) == Set(needed))
    }

    @Test("What it explains of its first program is in that program") func words() throws {
        let page = try Self.text(QuotedCode.articles + "getting-started.md")
        let explanation = try #require(
            page.firstMatch(of: /An \*\*action\*\* is a button[\s\S]*`reportsDismissal = true`/)
        )
        #expect(!explanation.output.isEmpty)
        let program = try Self.text("Examples/HelloNotice/main.swift")
        for word in ["NoticeAction", "reportsDismissal = true", "desktop.expiry = .never", "AppIdentity(id:"] {
            #expect(program.contains(word), "\(word)")
        }
    }
}
