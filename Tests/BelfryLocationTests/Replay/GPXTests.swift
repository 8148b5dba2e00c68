import Belfry
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import BelfryLocationReplay

@Suite("Reading GPX", .takesTurns, .timeLimit(.minutes(5)))
struct GPXTests {
    private let noon = Date(timeIntervalSince1970: 1_795_262_400)

    private func gpx(_ points: String) -> [UInt8] {
        Array("<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"><trk><trkseg>\n\(points)</trkseg></trk></gpx>\n".utf8)
    }

    private func error(_ text: String) -> NoticeError? {
        do throws(NoticeError) { _ = try GPXTrack(Array(text.utf8), named: "a.gpx") } catch { return error }
        return nil
    }

    @Test("Points of all tracks come in the order of the file, with time and accuracy; other elements are passed over")
    func points() throws {
        let text = """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
            <!-- <trkpt lat="1" lon="1"/> -- not one -->
            <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" creator='a > b "c"'>
              <g:metadata><g:time>2001-01-01T00:00:00Z</g:time></g:metadata>
              <g:wpt lat="9" lon="9"/>
              <g:trk><g:name>Walk &amp; &#x52;un &lt;1&gt;</g:name><g:trkseg>
                <g:trkpt lon='13.4' lat='52.5'><g:ele>45</g:ele><g:time>
                  2026-11-21T12:00:00Z </g:time><g:hdop>1.5</g:hdop>
                  <g:extensions><x><time>not a time</time></x></g:extensions></g:trkpt>
                <g:trkpt lat="-52.5e0" lon="&#45;13.4"><g:time>2026-11-21T13:00:01.25+01:00</g:time></g:trkpt>
              </g:trkseg></g:trk>
              <g:trk><g:trkseg><g:trkpt lat="0" lon="180"><g:time><![CDATA[2026-11-21T12:00:02Z]]></g:time></g:trkpt></g:trkseg></g:trk>
            </g:gpx>
            <!-- end -->
            """
        let track = try GPXTrack(Array(text.utf8))
        #expect(track.fixes.map(\.latitude) == [52.5, -52.5, 0])
        #expect(track.fixes.map(\.longitude) == [13.4, -13.4, 180])
        #expect(track.fixes.map(\.date) == [0, 1.25, 2].map { noon.addingTimeInterval($0) })
        #expect(track.fixes.map(\.accuracy) == [7.5, nil, nil])
        #expect(track.leftOut == 0)
    }

    @Test("A track without times is walked at a pace; among points with times those without are left out and counted")
    func pace() throws {
        let points = "<trkpt lat='0' lon='0'/><trkpt lat='0' lon='1'/><trkpt lat='1' lon='1'/>"
        let track = try GPXTrack(gpx(points), pace: TrackPace(speed: 10, from: noon))
        let seconds = track.fixes.map { $0.date.timeIntervalSince(noon) }
        // A degree is 111,319.491 m along the equator, and 110,574.389 m from there to the north.
        #expect(seconds[0] == 0 && abs(seconds[1] - 11_131.949_1) < 1e-3 && abs(seconds[2] - 22_189.388) < 1e-3)
        let mixed = try GPXTrack(gpx("<trkpt lat='1' lon='0'><time>2026-11-21T12:00:00Z</time></trkpt>" + points))
        #expect(mixed.fixes.map(\.latitude) == [1] && mixed.leftOut == 3)
        #expect(TrackPace(speed: .nan).speed == 1.4 && TrackPace(speed: -1).speed == 1.4)
    }

    @Test("What is wrong is named with its line: coordinates, times, broken XML, another format, a document type")
    func errors() {
        func point(_ attributes: String, _ inside: String = "") -> String {
            "<gpx>\n<trk>\n<trkpt \(attributes)>\(inside)</trkpt></trk></gpx>"
        }
        let wrong: [(String, String)] = [
            (point("lat='91' lon='0'"), "a.gpx, line 3: lat=\"91\" is not in -90…90"),
            (point("lat='nan' lon='0'"), "line 3: lat=\"nan\""), (point("lat='1' lon='inf'"), "line 3: lon=\"inf\""),
            (point("lat='1,5' lon='0'"), "line 3: lat=\"1,5\""),
            (point("lon='0'"), "line 3: A track point has no 'lat'"),
            (point("lat=1 lon='0'"), "no 'lat'"),
            (point("lat='1' lon='0'", "<trkpt lat='1' lon='0'/>"), "inside of another"),
            (point("lat='1' lon='0'", "<time>yesterday</time>"), "line 3: 'yesterday' is no time"),
            (point("lat='1' lon='0'", "<time>2026-02-30T00:00:00Z</time>"), "is no time"),
            (point("lat='1' lon='0'", "<hdop>-1</hdop>"), "dilution"),
            (point("lat='1' lon='0'", "<hdop><![CDATA[1]5]]></hdop>"), "'1]5' is no dilution"),
            (point("lat='1' lon='0'", "<hdop><![CDATA[1]]]]></hdop>"), "'1]]' is no dilution"),
            (point("lat='1' lon='0'", "<time>&evil;</time>"), "entity"), (point("lat='&evil;' lon='0'"), "no 'lat'"),
            ("<!DOCTYPE gpx [<!ENTITY a \"b\">]>\n<gpx/>", "line 1: The file has a document type"),
            ("<gpx>\n</gpy>", "line 2: </gpy> closes <gpx>"), ("<gpx>\n<trk>\n", "line 3: The file ends inside <trk>"),
            ("<gpx", "ends inside a tag"), ("<gpx><!-- ", "ends inside <gpx>"),
            ("<!-- ", "ends inside a tag or a comment"), ("", "is empty"),
            ("   \n", "is empty"), ("hello", "no XML"), ("\u{1F}\u{8B}", "compressed"),
            ("<kml></kml>", "root element is <kml>"),
            ("<gpx/><gpx/>", "second root"), ("<gpx/>\nmore", "line 2: There is text outside"),
            ("</gpx>", "closes nothing"),
            ("<gpx><a <b></gpx>", "'<' inside a tag"), ("<gpx>\u{1}</gpx>", "control character"),
            ("< gpx>", "is no tag"),
            ("<gpx/>", "no track point"), (String(repeating: "<gpx>", count: 200), "elements are in each other"),
            ("<gpx a='\(String(repeating: "x", count: 70_000))'/>", "tag is longer"),
            (point("lat='1' lon='0'", "<time>\(String(repeating: "1", count: 5_000))</time>"), "value is longer"),
        ]
        for (text, expected) in wrong {
            let error = error(text)
            #expect(error?.code == .invalidNotation, "\(text.prefix(80))")
            #expect(
                error?.message.contains(expected) == true,
                "\(text.prefix(80)): \(String(describing: error?.message))"
            )
        }
        #expect(throws: NoticeError.self) { try GPXTrack([0xFF, 0xFE, 0x3C, 0]) }
    }

    @Test("Files that can't be read are errors: none, a folder, a pipe without a writer, an endless device")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [folder.path + "/none.gpx", folder.path, pipe, "/dev/zero"] {
            let error = #expect(throws: NoticeError.self) { try LocationTrack(contentsOf: path) }
            #expect(error?.code == .fileUnreadable, "\(path)")
        }
    }

    @Test("Ten megabytes of garbage are an error at its line, found at once; ten thousand points are a track")
    func large() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/large.gpx"
        try Data("<gpx>\n".utf8).write(to: URL(fileURLWithPath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        // A hole reads as zeros.
        try file.truncate(atOffset: 10_000_000)
        try file.close()
        let error = #expect(throws: NoticeError.self) { try GPXTrack(contentsOf: path) }
        #expect(error?.message.contains("line 2: There is a control character (0)") == true)

        let point = "<trkpt lat='1' lon='2'/>\n"
        var text = "<gpx><trk>"
        for _ in 0..<10_000 { text += point }
        let piece = Array(text.utf8)
        #expect(try GPXTrack(piece + Array("</trk></gpx>".utf8)).fixes.count == 10_000)
    }

    @Test("A file that was damaged at random is a track or an error that says what")
    func fuzz() throws {
        let seed = RandomSeed.current
        print("Damaged GPX, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "&amp;", "&#x110000;", "&", "\"", "'",
            "<!DOCTYPE a>",
            "\0", "<trkpt lat='1' lon='1'/>", "nan", "1e999", "\u{FEFF}",
        ]
        let whole = gpx(
            "<!-- a --><trkpt lat=\"52.5\" lon='13.4'><time>2026-11-21T12:00:00Z</time><hdop>1</hdop></trkpt>\n"
                + "<trkpt lat='1' lon='2'><name><![CDATA[ ]] > ]]></name></trkpt>\n"
        )
        var readable = 0
        for _ in 0..<4_000 {
            let bytes = random.damage(whole, with: pieces)
            let read = Result { () throws(NoticeError) in try GPXTrack(bytes, named: "a.gpx") }
            switch read {
            case .success(let track):
                readable += 1
                for fix in track.fixes {
                    #expect(fix.latitude.magnitude <= 90 && fix.longitude.magnitude <= 180, "seed \(seed)")
                }
            case .failure(let error):
                #expect(error.code == .invalidNotation && error.message.hasPrefix("a.gpx"), "seed \(seed)")
            }
        }
        #expect(readable > 0, "some damage does no harm")
    }
}
