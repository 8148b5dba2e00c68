import BelfryTestSupport
import Testing

@testable import BelfryBus

@Suite("What is read from values and errors", .takesTurns)
struct AccessTests {
    @Test("accessors look inside variants, and are nil for anything else")
    func accessors() throws {
        let path: BusObjectPath = "/a/b"
        let values: [BusValue] = [
            .string("x"), .boolean(true), .double(0.5), .objectPath(path), .bytes([1, 2]), .strings(["a", "b"]),
            .structure([.byte(1)]), .options(["k": .int32(1)]),
        ]
        for (index, plain) in values.enumerated() {
            for value in [plain, .variant(plain), .variant(.variant(plain))] {
                #expect(value.unwrapped == plain)
                #expect((value.string == "x") == (index == 0) && (value.string == nil) == (index != 0))
                #expect((value.boolean == true) == (index == 1) && (value.double == 0.5) == (index == 2))
                #expect((value.objectPath == path) == (index == 3) && (value.bytes == [1, 2]) == (index == 4))
                #expect((value.strings == ["a", "b"]) == (index == 5))
                #expect((value["k"] == .int32(1)) == (index == 7) && value["other"] == nil)
                #expect(value.integer(Int.self) == nil && value.fileDescriptor == nil)
            }
        }
        #expect(values[4].elements == [.byte(1), .byte(2)] && values[6].elements == [.byte(1)])
        #expect(values[0].elements == nil && values[7].elements == nil)
    }

    @Test("integers of every type are read where they fit, and never cut")
    func integers() {
        let largest: [(BusValue, UInt64)] = [
            (.byte(.max), UInt64(UInt8.max)), (.int16(.max), UInt64(Int16.max)), (.uint16(.max), UInt64(UInt16.max)),
            (.int32(.max), UInt64(Int32.max)), (.uint32(.max), UInt64(UInt32.max)), (.int64(.max), UInt64(Int64.max)),
            (.uint64(.max), .max),
        ]
        for (value, number) in largest {
            #expect(value.integer() == number)
            #expect(value.integer(Int8.self) == nil)
            #expect(value.integer(UInt8.self) == UInt8(exactly: number))
        }
        for value in [.int16(-1), .int32(-1), .int64(-1)] as [BusValue] {
            #expect(value.integer(Int.self) == -1 && value.integer(UInt64.self) == nil)
        }
        #expect(BusValue.boolean(true).integer(Int.self) == nil && BusValue.double(1).integer(Int.self) == nil)
    }

    @Test("a repeated key has its last value, and options are sorted by key")
    func dictionaries() {
        let entries = [BusEntry(.string("a"), .byte(1)), BusEntry(.string("a"), .byte(2))]
        #expect(BusValue.dictionary(key: .string, value: .byte, entries)["a"] == .byte(2))
        let options = BusValue.options(["b": .byte(1), "a": .string(""), "c": .variant(.byte(2))])
        guard case .dictionary(.string, .variant, let sorted) = options else {
            Issue.record("\(options)")
            return
        }
        #expect(sorted.map(\.key) == [.string("a"), .string("b"), .string("c")])
        #expect(sorted.map(\.value) == [.variant(.string("")), .variant(.byte(1)), .variant(.variant(.byte(2)))])
    }

    @Test(
        "the errors of the specification have codes, and say whether the same call may succeed later",
        arguments: [
            ("ServiceUnknown", .noOwner, true), ("Spawn.ChildExited", .noOwner, true), ("NoReply", .noReply, true),
            ("TimedOut", .timedOut, true), ("UnknownObject", .unknownMember, false),
            ("InvalidArgs", .unknownMember, false), ("AccessDenied", .accessDenied, false),
            ("LimitsExceeded", .limitsExceeded, true), ("NoMemory", .limitsExceeded, true),
            ("Failed", .remoteError, false),
        ] as [(String, BusError.Code, Bool)]
    )
    func errors(kind: String, code: BusError.Code, isTransient: Bool) {
        let name = "org.freedesktop.DBus.Error." + kind
        let error = BusError.received(name: name, text: "why", for: "Ring of org.example.Bell")
        #expect(error.code == code && error.isTransient == isTransient)
        #expect(error.name == name && error.cause == "why")
        #expect(error.description == "\(error.message) (why; \(name))")
        #expect(BusError.received(name: "org.example.Error." + kind, text: "", for: "Ring").code == .remoteError)
    }

    @Test("pauses between attempts double up to the longest, with a quarter of jitter at most")
    func pauses() {
        let pauses = BusReconnection(first: .milliseconds(100), longest: .seconds(30))
        for attempt in [0, 1, 5, 8, 9, 20, 1_000_000] {
            let expected = min(Duration.milliseconds(100) * (1 << min(attempt, 20)), .seconds(30))
            for _ in 1...50 {
                let delay = pauses.delay(before: attempt)
                #expect(delay >= expected && delay <= expected * 1.25)
            }
        }
        let none = BusReconnection(first: .zero, longest: .seconds(-1))
        #expect(none.delay(before: 3) >= .milliseconds(1), "a bus is never tried without a pause")
    }

    @Test("a window is between 1 and 100 calls, and a time limit one that any clock can bear")
    func bounds() {
        #expect(BusConfiguration(window: 0).window == 1 && BusConfiguration(window: 1_000).window == 100)
        #expect(Duration.seconds(Int64.max).bounded < .seconds(Int64.max) && Duration.seconds(-1).bounded == .zero)
        #expect(SuspendingClock.now + Duration.seconds(Int64.max).bounded > .now)
    }
}
