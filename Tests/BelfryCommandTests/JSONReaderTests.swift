import Belfry
import BelfryConsole
import BelfrySchedules
import BelfryTestSupport
import Foundation
import SeededRandom
import Testing

@testable import BelfryCommand

@Suite("JSON in batch mode", .takesTurns)
struct JSONReaderTests {
    private func read(_ bytes: [UInt8]) throws(JSON5Error) -> JSONValue { try JSONValue(json: bytes) }

    private func read(_ text: String) throws(JSON5Error) -> JSONValue { try read(Array(text.utf8)) }

    @Test(
        "Every kind of value is read",
        arguments: [
            (" null ", JSONValue.null), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12),
            ("9223372036854775807", .int(.max)), ("9223372036854775808", .double(9_223_372_036_854_775_808)),
            ("1.5", 1.5), ("1e3", .double(1000)), ("-1.25E-2", .double(-0.0125)), ("1e999", .double(.infinity)),
            ("\"\"", ""), ("\"é😀\"", "é😀"), (#""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00""#, "\"\\/\u{8}\u{C}\n\r\tA😀"),
            ("[]", []), ("{}", [:]), ("[1, [2] ,{}]", [1, [2], [:]]),
            (#"{"a":1,"b":{"c":null}}"#, ["a": 1, "b": ["c": .null]]),
            (#"{"a":1,"a":2}"#, ["a": 2]),
        ] as [(String, JSONValue)]
    )
    func values(text: String, expected: JSONValue) throws {
        #expect(try read(text) == expected)
    }

    @Test(
        "What RFC 8259 forbids is refused",
        arguments: [
            "", " ", "nul", "tru", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", "'a'", "\"a",
            "\"\n\"",
            #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, "[", "[1", "[1,",
            "[1,]", "[,1]",
            "{", "{a:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1"#, "1 2", "[1]]", "\u{FEFF}1", #"{1:2}"#,
        ]
    )
    func refused(text: String) {
        #expect(throws: JSON5Error.self) { try read(text) }
    }

    @Test("Bytes that are no UTF-8 and endless nesting are refused, not obeyed")
    func hostile() {
        #expect(throws: JSON5Error.self) { try read([0x22, 0xFF, 0x22]) }
        #expect(throws: JSON5Error.self) { try read([0x22, 0xC3, 0x22]) }
        #expect(throws: JSON5Error.self) { try read([0x22, 0x5C, 0x6E, 0xED, 0xA0, 0x80, 0x22]) }
        #expect(throws: JSON5Error.self) { try read(Array(repeating: UInt8(ascii: "["), count: 1_000_000)) }
    }

    @Test("What is written is read back, by this reader and by Foundation's")
    func roundTrip() throws {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let value = anyValue(&random, depth: 0)
            var text = JSONText()
            text.value(value)
            #expect(try read(text.bytes) == value, "seed \(seed): \(String(decoding: text.bytes, as: UTF8.self))")
            #expect(throws: Never.self, "seed \(seed)") {
                try JSONSerialization.jsonObject(with: Data(text.bytes), options: .fragmentsAllowed)
            }
        }
    }

    @Test("Mangled JSON never traps, and is refused wherever Foundation refuses it")
    func fuzz() throws {
        let seed = RandomSeed.current
        var random = SeededGenerator(seed: seed)
        let seedText = Array(
            #"{"id":"a\u00e9","kind":"match","expression":[{"month":2,"day":-1}],"after":1.5e3,"x":[true,null]}"#.utf8
        )
        for _ in 0..<3000 {
            var bytes = seedText
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(Array("{}[]\",:\\0-.e".utf8).randomElement(using: &random)!, at: index)
                }
            }
            let isForeign = (try? JSONSerialization.jsonObject(with: Data(bytes))) == nil
            let text = String(decoding: bytes, as: UTF8.self)
            guard let value = try? read(bytes) else { continue }
            #expect(!isForeign || !isContainer(value), "seed \(seed): \(text)")
        }
    }

    /// Foundation takes no bare values without being asked to.
    private func isContainer(_ value: JSONValue) -> Bool {
        switch value {
        case .array, .object: true
        default: false
        }
    }

    private func anyValue(_ random: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 3 ? 5 : 7), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .int(Int64.random(in: .min + 1 ... .max, using: &random))
        case 3: return .double(Double.random(in: -1e6...1e6, using: &random) + 0.1)
        case 4: return .string(random.text(of: ["a", "\"", "\\", "\n", "\u{1}", "\u{7F}", "é", "😀", "/"], upTo: 6))
        case 5:
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in anyValue(&random, depth: depth + 1) })
        default:
            let names = (0..<Int.random(in: 0...3, using: &random)).map { "k\($0)\"" }
            return .object(Dictionary(uniqueKeysWithValues: names.map { ($0, anyValue(&random, depth: depth + 1)) }))
        }
    }
}
