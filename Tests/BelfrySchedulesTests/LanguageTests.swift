import Belfry
import BelfryTestSupport
import Testing

@testable import BelfrySchedules

@Suite("Which translation is shown", .takesTurns)
struct LanguageTests {
    private func body(_ translations: String, for languages: [String]) async throws -> String {
        let text = Reading.native(#""body":\#(translations),"trigger":{"in":1}"#)
        let content = try Reading.schedule(text).entries[0].content
        return try await Showing.body(of: content, in: languages)
    }

    @Test("The system's language, then its base language, then default, then en, then the first one")
    func order() async throws {
        let all = #"{"fr":"F","de":"D","de-AT":"A","en":"E","default":"X"}"#
        #expect(try await body(all, for: ["de-AT"]) == "A")
        #expect(try await body(all, for: ["de-CH"]) == "D")
        #expect(try await body(all, for: ["it", "fr"]) == "F")
        #expect(try await body(all, for: ["it"]) == "X")
        #expect(try await body(all, for: []) == "X")
        #expect(try await body(#"{"fr":"F","de":"D","en":"E"}"#, for: ["it"]) == "E")
        #expect(try await body(#"{"fr":"F","de":"D"}"#, for: ["it"]) == "F")
        #expect(try await body(#"{"de":"D","fr":"F"}"#, for: ["it"]) == "D")
        #expect(try await body(#""plain""#, for: ["it"]) == "plain")
    }
}
