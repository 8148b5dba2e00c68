import BelfryTestSupport
import CDBus
import SeededRandom
import Testing

@testable import BelfryBus

@Suite("What D-Bus can't carry is refused before libdbus sees it", .takesTurns)
struct ValueRulesTests {
    @Test("a signature that libdbus takes is read, and any other refused", arguments: [UInt64](1...4))
    func signatures(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let text = random.text(of: "aaa(){{}}sivuyh", upTo: 12)
            let isValid = dbus_signature_validate(text, nil) != 0
            guard (try? BusSignature(text).types.map(\.text).joined()) == (isValid ? text : nil) else {
                Issue.record("seed \(seed): '\(text)' is \(isValid ? "valid" : "not valid") for libdbus")
                return
            }
        }
        for text in ["s\0", "\0", "é"] { #expect((try? BusSignature(text)) == nil) }
    }

    @Test("types print as they were read, and are refused when they could not be read", arguments: [UInt64](1...2))
    func typesAndTexts(seed: UInt64) throws {
        var values = RandomValues(seed: seed)
        for _ in 0..<2000 {
            let type = values.type()
            let signature = try BusSignature([type])
            #expect(try BusSignature(signature.text).types == [type], "seed \(seed)")
        }
        #expect((try? BusSignature([.structure([])])) == nil)
        #expect((try? BusSignature([.dictionary(key: .variant, value: .string)])) == nil)
        var deep = BusType.string
        for _ in 0..<1000 { deep = .array(of: deep) }
        #expect((try? BusSignature([deep])) == nil)
    }

    @Test("names are valid up to 255 bytes, and never with a NUL inside")
    func names() throws {
        for length in [254, 255, 256] {
            let name = "a." + String(repeating: "b", count: length - 2)
            #expect(((try? BusNameRules.checkBusName(name)) != nil) == (length < 256))
            #expect(BusNameRules.isInterface(name) == (length < 256))
            let member = String(repeating: "m", count: length)
            #expect(((try? BusNameRules.checkMember(member)) != nil) == (length < 256))
        }
        for name in ["org.example.App\0", "\0"] {
            #expect(throws: BusError.self) { try BusNameRules.checkBusName(name) }
            #expect(throws: BusError.self) { try BusNameRules.checkMember(name) }
            #expect(throws: BusError.self) { _ = try BusObjectPath("/" + name) }
        }
        for path in ["", "/a/", "//", "/a-b", "a", "/é"] { #expect((try? BusObjectPath(path)) == nil, "\(path)") }
        for path in ["/", "/_9/Z", "/" + String(repeating: "a", count: 65_535)] {
            #expect(try BusObjectPath(path).text == path)
        }
        #expect((try? BusObjectPath("/" + String(repeating: "a", count: 65_536))) == nil)
    }

    @Test("a message is the same, byte for byte, as libdbus writes it", arguments: [UInt64](1...2))
    func bytes(seed: UInt64) throws {
        var values = RandomValues(seed: seed)
        for round in 0..<1000 {
            let arguments = (0..<values.random.below(4)).map { _ in values.value() }
            var header = WireMessage.Header(kind: [DBUS_MESSAGE_TYPE_SIGNAL, DBUS_MESSAGE_TYPE_METHOD_CALL][round % 2])
            header.path = peerPath
            header.interface = peerName
            header.member = "M"
            if round % 3 == 0 { header.destination = ":1.\(round)" }
            if round % 5 == 0 { header.replySerial = UInt32(round) + 1 }
            if round % 7 == 0 { header.errorName = "org.example.Error" }
            header.expectsReply = round % 4 < 2
            header.startsService = round % 8 < 4
            let made = try WireMessage.make(header, arguments, limit: 1 << 20)
            let (parsed, other) = (try parsed(made.bytes), try message(header))
            defer { for message in [parsed, other] { dbus_message_unref(message) } }
            try WireCopy().arguments(of: parsed, to: other)
            guard made.bytes == (try marshalled(other)) else {
                Issue.record("seed \(seed), round \(round): \(arguments)")
                return
            }
        }
    }

    /// As libdbus, or a bus, reads a message.
    private func parsed(_ bytes: [UInt8]) throws -> OpaquePointer {
        let message = bytes.withUnsafeBytes {
            dbus_message_demarshal($0.bindMemory(to: CChar.self).baseAddress, Int32($0.count), nil)
        }
        return try #require(message, "libdbus does not take the message")
    }

    /// As libdbus writes a header.
    private func message(_ header: WireMessage.Header) throws -> OpaquePointer {
        let message = try #require(dbus_message_new(header.kind))
        if let destination = header.destination { dbus_message_set_destination(message, destination) }
        if let path = header.path { dbus_message_set_path(message, path.text) }
        if let interface = header.interface { dbus_message_set_interface(message, interface) }
        if let member = header.member { dbus_message_set_member(message, member) }
        if let name = header.errorName { dbus_message_set_error_name(message, name) }
        if let serial = header.replySerial { dbus_message_set_reply_serial(message, serial) }
        dbus_message_set_no_reply(message, header.expectsReply ? 0 : 1)
        dbus_message_set_auto_start(message, header.startsService ? 1 : 0)
        return message
    }

    private func marshalled(_ message: OpaquePointer) throws -> [UInt8] {
        dbus_message_set_serial(message, 1)
        var bytes: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        try #require(dbus_message_marshal(message, &bytes, &count) != 0)
        defer { dbus_free(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    /// Fails the test if the message is written and libdbus, so a bus, would not take it.
    private func write(_ values: [BusValue]) throws(BusError) {
        let message = try BusMethodCall.peer("Echo", values).message(limit: 128 << 20, expectsReply: true)
        do { dbus_message_unref(try parsed(message.bytes)) } catch { Issue.record("\(values): \(error)") }
    }

    @Test("NUL, mixed types, undeclared types, empty structures and wrong keys are errors")
    func badValues() {
        let bad: [BusValue] = [
            .string("a\0b"), .array(of: .string, [.int32(1)]),
            .array(of: .array(of: .string), [.array(of: .int32, [])]),
            .structure([]), .variant(.structure([])), .dictionary(key: .variant, value: .string, []),
            .dictionary(key: .string, value: .variant, [BusEntry(.string("k"), .string("not in a variant"))]),
            .array(of: .structure([]), []), .array(of: .dictionary(key: .string, value: .string), [.strings([])]),
            .array(of: .structure([.byte, .byte]), [.structure([.byte(1)])]),
            .options(["k": .string("\0")]),
        ]
        for value in bad {
            let error = #expect(throws: BusError.self) { try write([value]) }
            #expect(error?.isTransient == false, "\(value)")
        }
    }

    @Test("an array of 64 MiB passes, a byte more doesn't, nor does a message over its limit")
    func largeValues() throws {
        let full = [UInt8](repeating: 1, count: 64 << 20)
        try write([.bytes(full)])
        let tooLong = #expect(throws: BusError.self) {
            try write([.bytes(full + [1])])
        }
        #expect(tooLong?.code == .tooLarge)
        let tooMuch = #expect(throws: BusError.self) {
            try write([.bytes(full), .bytes(full)])
        }
        #expect(tooMuch?.code == .tooLarge)
    }

    @Test("nesting that would never end is refused, not followed")
    func deepValues() {
        var variants = BusValue.byte(0)
        var structures = BusValue.byte(0)
        for _ in 0..<5000 {
            variants = .variant(variants)
            structures = .structure([structures])
        }
        #expect(throws: BusError.self) { try write([variants]) }
        #expect(throws: BusError.self) { try write([structures]) }
    }

    @Test("bad names in calls, signals and matches are errors that name them")
    func badNames() {
        var calls = [BusMethodCall.peer("Echo"), .peer("Echo"), .peer("not a member"), .peer("Echo")]
        calls[0].destination = "nodots"
        calls[1].interface = "a..b"
        calls[3].interface = "org.freedesktop.DBus.Local"
        for call in calls {
            let error = #expect(throws: BusError.self) { _ = try call.message(limit: 1 << 20, expectsReply: true) }
            #expect(error?.code == .invalidName)
        }
        #expect(throws: BusError.self) { _ = try BusSignal(peerPath, "x", "M").message(limit: 1 << 20) }
        let matches = [
            BusMatch(sender: "x y"), BusMatch(interface: "x'y"), BusMatch(member: "a.b"),
            BusMatch(arguments: [64: "x"]),
            BusMatch(arguments: [0: "\0"]), BusMatch(path: "/a", pathNamespace: "/a"),
        ]
        for match in matches { #expect(throws: BusError.self) { _ = try match.rule() } }
    }

    @Test("an apostrophe is written as the bus reads it", arguments: ["it's", "it'\u{301}s", "'", "''\u{308}'"])
    func apostrophes(text: String) throws {
        let rule = try BusMatch(arguments: [0: text]).rule()
        let quoted = Array(rule.utf8.dropFirst("type='signal',arg0='".utf8.count).dropLast())
        // As the bus does: a quote ends the quotes, \' outside of them is an apostrophe.
        var (isQuoted, isEscaped, read) = (true, false, [UInt8]())
        for byte in quoted {
            switch byte {
            case UInt8(ascii: "'") where isEscaped: (isEscaped, read) = (false, read + [byte])
            case UInt8(ascii: "'"): isQuoted.toggle()
            case UInt8(ascii: "\\") where !isQuoted: isEscaped = true
            default: read.append(byte)
            }
        }
        #expect(isQuoted && read == Array(text.utf8))
    }
}
