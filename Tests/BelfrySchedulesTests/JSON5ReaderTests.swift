import BelfryTestSupport
import Testing

@testable import BelfrySchedules

@Suite("The JSON5 reader", .takesTurns)
struct JSON5ReaderTests {
    private func canonical(_ text: String) -> String? {
        let (node, errors) = JSON5Reader.read(Array(text.utf8))
        return errors.isEmpty ? node?.canonical : nil
    }

    @Test(
        "Everything that spec.json5.org allows is read",
        arguments: [
            ("{}", "{}"), ("[]", "[]"), (" \t\r\n\u{0B}\u{0C}\u{A0}\u{FEFF}\u{2028}null\u{2003}", "null"),
            ("{a:1,'b':2,\"c\":3,}", #"{"a":1,"b":2,"c":3}"#), ("[1,2,]", "[1,2]"), ("{$_ä1:1}", #"{"$_ä1":1}"#),
            (#"{\u0061b:1}"#, #"{"ab":1}"#), ("// a\n[1,/* b\n * c */2]//d", "[1,2]"), ("'it\"s'", #""it\"s""#),
            (#"'\'\"\\\b\f\n\r\t\v\0\x41\u00e9\a'"#, "\"'\\\"\\\\\u{8}\u{C}\n\r\t\u{B}\0Aéa\""),
            (#""\ud83d\udd70""#, "\"🕰\""), ("'a\\\nb\\\r\nc\\\u{2028}d'", #""abcd""#), ("'\u{2028}'", "\"\u{2028}\""),
            ("+1", "1"), ("-1", "-1"), (".5", "0.5"), ("5.", "5"), ("-.5e1", "-5"), ("1e3", "1000"), ("0x1F", "31"),
            ("-0Xff", "-255"), ("Infinity", "inf"), ("-Infinity", "-inf"), ("NaN", "nan"), ("0", "0"), ("true", "true"),
            ("{true:false,null:1}", #"{"null":1,"true":false}"#), ("9223372036854775807", "9223372036854775807"),
            ("123456789012345678901234567890", "1.2345678901234568e+29"),
        ]
    )
    func accepted(text: String, expected: String) {
        #expect(canonical(text) == expected)
    }

    @Test(
        "What is neither JSON nor JSON5 is refused, with its place",
        arguments: [
            ("", 0), ("{", 0), ("[1", 2), ("{a}", 2), ("{a:}", 3), ("{1a:1}", 1), ("tru", 0), ("hello", 0), ("01", 0),
            ("0x", 2), ("1e", 2), ("+", 0), ("--1", 0), ("1 2", 2), ("'a", 0), ("'a\nb'", 0), (#"'\1'"#, 1),
            (#"'\x4'"#, 4),
            (#"'\ud800'"#, 1), ("/* a", 0), ("/", 0), ("[1,,2]", 3), ("{,}", 1), ("12abc", 2), ("[}", 1), ("{a:1]", 4),
            (".", 0), ("Infinityx", 0),
        ]
    )
    func refused(text: String, offset: Int) {
        let (_, errors) = JSON5Reader.read(Array(text.utf8))
        #expect(errors.last?.offset == offset, "\(text): \(errors)")
    }

    @Test("A missing comma is told where it is missing, and the reading goes on")
    func missingComma() throws {
        let text = """
            [
              { time: '19:30' day: 'Tuesday', title: 'x' },
              { time: '25:00', day: 'Someday', title: 'x' }
            ]
            """
        let error = #expect(throws: ScheduleError.self) { try NoticeSchedule(parsing: text, named: "a.json5") }
        let lines = try #require(error).lines
        try #require(lines.count == 3)
        #expect(
            lines[0] == """
                a.json5: line 2, column 18: a comma is missing here
                      { time: '19:30' day: 'Tuesday', title: 'x' },
                                     ^
                """
        )
        #expect(lines[1].hasPrefix("a.json5: [1].time: '25:00' can't be read; the hour 25 is not in 0–23"))
        #expect(lines[2].hasPrefix("a.json5: [1].day: 'Someday' can't be read; write Monday"))
        #expect(lines[2].hasSuffix("(line 3, column 25)"))
    }

    @Test("A key that is there twice is an error at its second place")
    func duplicateKeys() {
        let (node, errors) = JSON5Reader.read(Array("{a:1, 'a':2}".utf8))
        #expect(node != nil)
        #expect(errors == [JSON5Error(reason: "the key 'a' is there twice; leave one out", offset: 6)])
    }

    @Test("Depth and the number of values are bounded")
    func limits() {
        let deep = Array(repeating: UInt8(ascii: "["), count: 100_000)
        #expect(JSON5Reader.read(deep).errors.first?.reason.contains("64 levels") == true)
        let fits = String(repeating: "[", count: 63) + "1" + String(repeating: "]", count: 63)
        #expect(JSON5Reader.read(Array(fits.utf8)).errors.isEmpty)
        let many = "[" + String(repeating: "1,", count: 20_001) + "]"
        #expect(JSON5Reader.read(Array(many.utf8)).errors.first?.reason.contains("more than 20000 values") == true)
        let more = "[" + String(repeating: "[" + String(repeating: "1,", count: 10_000) + "],", count: 21) + "]"
        #expect(JSON5Reader.read(Array(more.utf8)).errors.first?.reason == "the file has more than 200000 values")
        let text = Array(("'" + String(repeating: "é", count: 1 << 20) + "'").utf8)
        #expect(JSON5Reader.read(text).node?.text?.count == 1 << 20)
    }

    @Test("Bytes that are no UTF-8 are refused")
    func invalidUTF8() {
        #expect(throws: ScheduleError.self) {
            try NoticeSchedule([0x5B, 0x22, 0xFF, 0x22, 0x5D], named: "x", options: ScheduleOptions())
        }
    }

    @Test("The fingerprint does not see blanks, comments, quotes and the order of keys")
    func canonicalForm() {
        #expect(canonical("{ b: [ 1, 0x2 ], /* c */ a: 'x' }") == canonical(#"{"a":"x","b":[1,2.0]}"#))
        #expect(canonical("{a:'1'}") != canonical("{a:1}"))
    }

    @Test("Lines end in three ways, and columns count characters, not bytes")
    func positions() {
        let source = SourceText(Array("é1\r\nab\rc\nd".utf8))
        #expect(source.positions(of: [2])[0] == TextPosition(line: 1, column: 2))
        #expect(source.positions(of: [6])[0] == TextPosition(line: 2, column: 2))
        #expect(source.positions(of: [8])[0] == TextPosition(line: 3, column: 1))
        #expect(source.positions(of: [10])[0] == TextPosition(line: 4, column: 1))
        #expect(source.positions(of: [2, 6, 8, 10]).map(\.line) == [1, 2, 3, 4])
        let marked = SourceText(Array("\u{FEFF}é1\nab".utf8))
        #expect(marked.positions(of: [0, 3, 5, 8]).map(\.column) == [1, 1, 2, 2])
        #expect(marked.excerpt(at: 5) == "    é1\n     ^")
    }
}
