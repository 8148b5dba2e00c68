import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("What would be shown, listed by the program", .takesTurns)
struct PreviewProgramTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = root.appendingPathComponent("Examples/schedules")

    /// - Expectations are written anew with `BELFRY_WRITE_EXPECTATIONS=1`, and then read by a user.
    @Test(
        "Each example's preview, over both clock changes of 2026 in Berlin, is the one in 'expected'",
        arguments: ["native.json", "form-a.json", "form-b.json", "form-c.json", "alarms.ics"]
    )
    func examples(name: String) async throws {
        var text = ""
        for (from, until) in [("2026-03-27 21:00", "2026-03-29"), ("2026-10-23 21:00", "2026-10-25")] {
            let output = try await Self.preview(name, ["--from", from, "--until", until, "--language", "en"])
            text += "# read at \(from), Europe/Berlin\n\n\(output)\n"
        }
        try Self.expect(text, in: "\(name).preview.txt")
    }

    @Test(
        "The places are met on the track beside them, in three days as it was gone, and gone at the other clock change"
    )
    func exampleWithTrack() async throws {
        let track = ["--track", Self.folder.appendingPathComponent("places.gpx").path]
        let recorded = try await Self.preview("places.json", track + ["--language", "en"])
        let shifted = try await Self.preview("places.json", track + ["--from", "2026-10-23 10:30", "--language", "de"])
        let text =
            "# as it was gone, Europe/Berlin\n\n\(recorded)\n# gone from 2026-10-23 10:30 on, in German\n\n\(shifted)\n"
        try Self.expect(text, in: "places.json.track.txt")
    }

    private static func preview(_ name: String, _ arguments: [String]) async throws -> String {
        let file = folder.appendingPathComponent(name).path
        let outcome = try await BuiltProgram.run(["preview", file, "--zone", "Europe/Berlin"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    private static func expect(_ text: String, in name: String) throws {
        let expected = folder.appendingPathComponent("expected/\(name)")
        if ProcessInfo.processInfo.environment["BELFRY_WRITE_EXPECTATIONS"] != nil {
            try Data(text.utf8).write(to: expected)
        }
        #expect(try String(contentsOf: expected, encoding: .utf8) == text)
    }

    private static let schedule = #"""
        {"version":1,"zone":"UTC","notices":[
          {"id":"noon","title":{"en":"Noon","de":"Mittag"},"body":"Eat,\nand rest","trigger":{"on":"12:00"}},
          {"id":"mail","title":"Mail","series":{"first":"2026-03-28 23:58","spacing":"5m","count":2}},
          {"id":"job","title":"Job","isDisplayed":false,"trigger":{"on":"06:00"}},
          {"id":"old","title":"Old","trigger":{"at":"2001-01-01"}},
          {"id":"shop","title":"Shop","trigger":{"near":{"latitude":1,"longitude":2,"radius":100}}}
        ]}
        """#

    private func preview(_ arguments: String...) async throws -> BuiltProgram.Outcome {
        let folder = try TemporaryFolder()
        let file = folder.path + "/schedule.json"
        try Data(Self.schedule.utf8).write(to: URL(fileURLWithPath: file))
        return try await BuiltProgram.run(["preview", file, "--from", "2026-03-28 08:00"] + arguments)
    }

    @Test("Days are headings; what is not shown is a note with its reason")
    func text() async throws {
        let outcome = try await preview("--until", "2026-03-29", "--language", "de")
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                Sat 2026-03-28
                  12:00:00 +00:00  Mittag — Eat, and rest
                  23:58:00 +00:00  Mail

                Sun 2026-03-29
                  00:03:00 +00:00  Mail
                  12:00:00 +00:00  Mittag — Eat, and rest

                """
        )
        let notes = outcome.errors
        #expect(notes.contains("belfry: 1 not shown (suppressed, 'job' because: not displayed: given to the app)\n"))
        #expect(notes.contains("'old' is not shown: "))
        #expect(notes.contains("'shop' is not shown: It waits for a region"))
    }

    @Test("JSON is one object a notice; a limit cuts, and says so; a week is the default")
    func json() async throws {
        let outcome = try await preview("--json")
        #expect(outcome.lines.count == 9)
        #expect(
            outcome.lines.first
                == #"{"id":"noon","title":"Noon","body":"Eat,\nand rest","at":"2026-03-28T12:00:00+00:00"}"#
        )
        #expect(
            outcome.lines.compactMap { JSONLine($0)?["id"] }.prefix(3) == [
                "noon", "mail@1774742280", "mail@1774742580",
            ]
        )
        let cut = try await preview("--limit", "2")
        #expect(cut.lines.count == 3)
        #expect(cut.errors.contains("there is more; --limit shows it"))
    }

    @Test("The calendar file has an event for each showing, in folded lines and escaped words")
    func calendar() async throws {
        let outcome = try await preview("--until", "2026-03-28", "--ics")
        let lines = outcome.output.components(separatedBy: "\r\n")
        #expect(lines.first == "BEGIN:VCALENDAR" && lines.suffix(2) == ["END:VCALENDAR", ""])
        #expect(lines.count { $0 == "BEGIN:VEVENT" } == 2)
        #expect(lines.contains("DTSTART:20260328T120000Z") && lines.contains("UID:20260328T120000Z-noon@belfry"))
        #expect(lines.contains(#"DESCRIPTION:Eat\,\nand rest"#))
        #expect(lines.contains("SUMMARY:Mail"))
        #expect(outcome.errors.contains("'old' is not shown: "), "\(outcome.errors)")
        #expect(outcome.errors.contains("'shop' is not shown: It waits for a region"))
        // What it writes it reads, and there is no alarm in it.
        let folder = try TemporaryFolder()
        let file = folder.path + "/preview.ics"
        try Data(outcome.output.utf8).write(to: URL(fileURLWithPath: file))
        #expect(try await BuiltProgram.run(["preview", file]).status == 0)
    }

    @Test("What is pending in a store is shown as it will come, its quiet hours kept, and nothing is changed")
    func store() async throws {
        let folder = try TemporaryFolder()
        let store = ["--store", folder.path + "/store"]
        func run(_ arguments: String...) async throws -> BuiltProgram.Outcome {
            try await BuiltProgram.run(arguments + store)
        }
        #expect(try await run("quiet-hours", "off").status == 0)
        #expect(try await run("preview").errors.contains("nothing would be shown"))
        _ = try await run("add", "Night", "--id", "night", "--match", "hour=3", "--repeat", "--no-wait")
        _ = try await run("add", "Noon", "Eat", "--id", "noon", "--match", "hour=12", "--repeat", "--no-wait")
        _ = try await run("quiet-hours", "22:00..07:00")
        // Two days are passed over unseen.
        let from = Int64(Date().timeIntervalSince1970) + 2 * 86_400
        let shown = try await run("preview", "--from", "@\(from)", "--json").lines.compactMap { JSONLine($0) }
        let times = shown.map { "\($0["id"] ?? "") \(($0["at"] ?? "").dropFirst(10))" }
        #expect(Set(times) == ["night T07:00:00+00:00", "noon T12:00:00+00:00"])
        #expect((12...16).contains(shown.count))
        let first = try #require(try shown.first?["at"].map { try Date($0, strategy: .iso8601) })
        #expect((0...86_400).contains(first.timeIntervalSince1970 - Double(from)))
        #expect(try await run("list", "--json").lines.count == 2)
    }

    @Test("What can't be asked is refused, with what to write instead")
    func refusals() async throws {
        for arguments in [
            ["a.json", "--store", "/nowhere"], ["--ics", "--json"], ["--limit", "0"],
            ["a.json", "--from", "2026-01-02", "--until", "2026-01-01"], ["a.json", "--from", "soon"],
        ] {
            #expect(try await BuiltProgram.run(["preview"] + arguments).status == 64, "\(arguments)")
        }
        let missing = try await BuiltProgram.run(["preview", "/nowhere.json"])
        #expect(missing.status == 1 && missing.errors.contains("is not there"))
    }

    @Test("With a track, places are reached on the way, when it was gone or from --from on") func track() async throws {
        let folder = try TemporaryFolder()
        let (file, track) = (folder.path + "/schedule.json", folder.path + "/walk.gpx")
        try Data(Self.schedule.utf8).write(to: URL(fileURLWithPath: file))
        let points = [("1.01", "10:00:00"), ("1.0002", "10:05:00"), ("0.99", "10:10:00")]
            .map { "<trkpt lat='\($0)' lon='2'><time>2026-03-28T\($1)Z</time></trkpt>" }
        let text = "<gpx version='1.1'><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        try Data(text.utf8).write(to: URL(fileURLWithPath: track))
        let recorded = try await BuiltProgram.run([
            "preview", file, "--track", track, "--until", "2026-03-28 11:00", "--zone", "UTC",
        ])
        #expect(recorded.status == 0, "\(recorded.errors)")
        #expect(recorded.output == "Sat 2026-03-28\n  10:05:00 +00:00  Shop\n")
        #expect(!recorded.errors.contains("'shop'"))
        let shifted = try await BuiltProgram.run([
            "preview", file, "--track", track, "--from", "2026-03-28 20:00", "--until", "2026-03-28 21:00", "--zone",
            "UTC",
            "--json",
        ])
        #expect(shifted.lines.compactMap { JSONLine($0)?["at"] } == ["2026-03-28T20:05:00+00:00"])
        let bad = try await BuiltProgram.run(["preview", file, "--track", file])
        #expect(bad.status == 1 && bad.lines.isEmpty && bad.errors.contains("no position"), "\(bad.errors)")
    }
}
