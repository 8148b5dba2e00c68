import Belfry
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("Where positions come from, on the command line", .takesTurns)
struct LocationSourceTests {
    @Test("A source is named by its kind and its place") func names() throws {
        let sources: [String: LocationSource] = [
            "auto": .auto, "geoclue": .geoclue, "gpsd": .gpsd(host: "127.0.0.1", port: 2947),
            "gpsd:boat": .gpsd(host: "boat", port: 2947), "gpsd:boat:4000": .gpsd(host: "boat", port: 4000),
            "gpsd:[::1]": .gpsd(host: "::1", port: 2947), "gpsd:[::1]:4000": .gpsd(host: "::1", port: 4000),
            "replay:/a:b.gpx": .replay("/a:b.gpx"),
        ]
        for (text, source) in sources { #expect(try LocationSource(text) == source, "\(text)") }
        for bad in [
            "", "gps", "gpsd:", "gpsd:boat:", "gpsd:boat:0", "gpsd:boat:65536", "gpsd::1", "gpsd:::1", "gpsd:fe80::1",
            "gpsd:[::1", "replay:", "auto:1",
        ] {
            #expect(throws: NoticeError.self, "\(bad)") { try LocationSource(bad) }
        }
    }

    @Test("A place on a track is waited for in this process, and shown when it is reached") func replayed() async throws
    {
        let folder = try TemporaryFolder()
        let track = folder.path + "/walk.gpx"
        let points = (0..<4).map { number in
            "<trkpt lat='\(48.14 - Double(number) / 1_000)' lon='11.575'><time>2026-03-28T10:00:00.\(number)Z</time></trkpt>"
        }
        let text = "<gpx version='1.1'><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        try Data(text.utf8).write(to: URL(fileURLWithPath: track))
        let outcome = try await BuiltProgram.run([
            "add", "Buy milk", "--id", "milk", "--near", "48.137,11.575,150", "--location", "replay:\(track)",
            "--backend",
            "console", "--json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.contains { JSONLine($0)?["title"] == "Buy milk" }, "\(outcome.output)")
        let absent = try await BuiltProgram.run([
            "add", "Buy milk", "--id", "milk", "--near", "48.137,11.575,150", "--location", "replay:/none.gpx",
        ])
        #expect(absent.status == 1 && absent.errors.contains("/none.gpx"))
        let none = folder.path + "/none.nmea"
        try Data("Not a track.\n".utf8).write(to: URL(fileURLWithPath: none))
        let bad = try await BuiltProgram.run([
            "add", "Buy milk", "--id", "milk", "--near", "48.137,11.575,150", "--location", "replay:\(none)", "--json",
        ])
        #expect(bad.status == 1 && JSONLine(bad.errors)?["error", "code"] == "fileUnreadable", "\(bad.errors)")
    }
}
