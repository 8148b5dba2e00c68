import BelfryBus
import SeededRandom

/// Random types and values of them; no file descriptors, which are never equal after a journey.
struct RandomValues {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private static let basic: [BusType] = [
        .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
    ]

    mutating func type(depth: Int = 0) -> BusType {
        switch random.below(depth > 3 ? 12 : 18) {
        case 12: .variant
        case 13, 14: .array(of: type(depth: depth + 1))
        case 15, 16: .dictionary(key: Self.basic[random.below(12)], value: type(depth: depth + 1))
        case 17: .structure((0...random.below(3)).map { _ in type(depth: depth + 1) })
        case let number: Self.basic[number]
        }
    }

    mutating func value(depth: Int = 0) -> BusValue { value(of: type(depth: depth), depth: depth) }

    mutating func value(of type: BusType, depth: Int = 0) -> BusValue {
        switch type {
        case .byte: .byte(.random(in: .min ... .max, using: &random))
        case .boolean: .boolean(.random(using: &random))
        case .int16: .int16(edge())
        case .uint16: .uint16(edge())
        case .int32: .int32(edge())
        case .uint32: .uint32(edge())
        case .int64: .int64(edge())
        case .uint64: .uint64(edge())
        case .double: .double([0, -0.5, .infinity, .leastNonzeroMagnitude, 1e300][random.below(5)])
        case .string: .string(random.text(of: "ab '\"\\\n<&é漢🔔\u{301}\u{FFFE}\u{10FFFF}", upTo: 40))
        case .objectPath: .objectPath(path())
        case .signature: .signature(signature())
        case .fileDescriptor: fatalError("not generated")
        case .variant: .variant(value(depth: depth + 1))
        case .array(.byte): .bytes((0..<random.below(40)).map { _ in .random(in: .min ... .max, using: &random) })
        case .array(let element):
            .array(of: element, (0..<random.below(4)).map { _ in value(of: element, depth: depth + 1) })
        case .dictionary(let key, let content):
            .dictionary(
                key: key,
                value: content,
                (0..<random.below(4)).map { _ in
                    BusEntry(value(of: key, depth: depth + 1), value(of: content, depth: depth + 1))
                }
            )
        case .structure(let fields): .structure(fields.map { value(of: $0, depth: depth + 1) })
        }
    }

    private mutating func edge<Number: FixedWidthInteger>() -> Number {
        [.min, .max, 0, 1, .random(in: .min ... .max, using: &random)][random.below(5)]
    }

    private mutating func path() -> BusObjectPath {
        let texts = (0..<random.below(4)).map { _ in "/e" + random.text(of: "aZ_9", upTo: 6) }
        return texts.isEmpty ? .root : (try? BusObjectPath(texts.joined())) ?? .root
    }

    private mutating func signature() -> BusSignature {
        (try? BusSignature((0..<random.below(4)).map { _ in type(depth: 2) })) ?? .empty
    }
}
