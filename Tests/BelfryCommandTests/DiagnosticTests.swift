import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("A line of the doctor", .takesTurns)
struct DiagnosticTests {
    private func lines(_ diagnostic: Diagnostic, json: Bool = false) throws -> [String] {
        let captured = try CapturedOutput(json: json)
        try diagnostic.write(to: captured.output, about: .desktops)
        return try captured.lines
    }

    @Test("What is fine is one line; what is missing says what to do and where to read on")
    func text() throws {
        let fine = Diagnostic("bus", .ok, "unix:path=/run/bus", ["address": "unix:path=/run/bus"])
        #expect(try lines(fine) == ["bus        ok       unix:path=/run/bus"])
        let missing = Diagnostic("server", .missing, "none\u{1B}[2J", advice: "Start one.")
        #expect(
            try lines(missing) == [
                "server     missing  none\u{FFFD}[2J", String(repeating: " ", count: 20) + "Start one.",
                String(repeating: " ", count: 20) + "More in \(Article.desktops.path).",
            ]
        )
        let absent = Diagnostic("portal", .absent, "none", advice: "Nothing needs it.")
        let expected = ["portal     -        none", String(repeating: " ", count: 20) + "Nothing needs it."]
        #expect(try lines(absent) == expected, "what is not needed needs no article")
    }

    @Test("For programs it is one object, whose additional values have the order of their names")
    func json() throws {
        let diagnostic = Diagnostic(
            "gpsd",
            .ok,
            "answers",
            ["release": "3.22", "receivers": ["a"], "none": nil as String?]
        )
        let object = #"{"check":"gpsd","state":"ok","detail":"answers","receivers":["a"],"release":"3.22"}"#
        #expect(try lines(diagnostic, json: true) == [object])
        let damaged = try #require(JSONLine(lines(Diagnostic("store", .damaged, "x", advice: "y"), json: true)[0]))
        #expect(
            damaged["state"] == "damaged" && damaged["advice"] == "y" && damaged["article"] == Article.desktops.path
        )
    }

    @Test("Only what is missing or damaged makes the doctor fail")
    func states() {
        let states: [(Diagnostic.State, Bool)] = [
            (.ok, false), (.missing, true), (.damaged, true), (.warning, false), (.absent, false),
        ]
        for (state, isBad) in states { #expect(state.isBad == isBad) }
    }

    @Test("auto takes the first that works, and the console is no desktop")
    func choice() {
        let doctor = Doctor()
        func diagnostic(_ check: String, _ works: Bool) -> Diagnostic { Diagnostic(check, works ? .ok : .absent, "") }
        for (server, terminal, taken) in [(true, true, "dbus"), (false, true, "terminal"), (false, false, "console")] {
            let choice = doctor.choice(
                server: diagnostic("server", server),
                portal: diagnostic("portal", false),
                terminal: diagnostic("terminal", terminal)
            )
            #expect(choice.values["backend"] == .string(taken))
            #expect(choice.state.isBad == (taken == "console") && (choice.advice != nil) == (taken == "console"))
            #expect(choice.detail.contains("takes \(taken), the first that works of "))
        }
    }

    @Test("A server's features are told in plain words, with what it lacks")
    func features() {
        let little = DeliveryCapabilities(server: "little", features: [], reportsClosing: false)
        #expect(FeatureTexts.sentence(little).hasPrefix("shows titles only; lacks texts under the title, "))
        #expect(FeatureTexts.sentence(little).hasSuffix("; it does not report when a notice is closed"))
        let much = DeliveryCapabilities(server: "much", features: FeatureTexts.all, bodyLimit: 500)
        #expect(
            FeatureTexts.sentence(much).hasPrefix("has texts under the title, bold and italic text, links, buttons, ")
        )
        #expect(FeatureTexts.sentence(much).hasSuffix("numbers on the app's icon; texts are cut to 500 characters"))
        #expect(FeatureTexts.names([.sound, .actions]) == ["actions", "sound"])
    }
}
