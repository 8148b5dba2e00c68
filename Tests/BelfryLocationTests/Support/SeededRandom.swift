/// SplitMix64: the same numbers from the same seed.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Changes bytes as damage does: some are replaced, some cut out, some doubled, and one of `pieces` put in.
    mutating func damage(_ bytes: [UInt8], with pieces: [String]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            guard !bytes.isEmpty else { return bytes }
            let start = Int.random(in: 0..<bytes.count, using: &self)
            let end = min(bytes.count, start + Int.random(in: 1...8, using: &self))
            switch Int.random(in: 0..<5, using: &self) {
            case 0: bytes[start] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: end)
            case 3: bytes.removeSubrange(start...)
            default: bytes.insert(contentsOf: (pieces.randomElement(using: &self) ?? "").utf8, at: start)
            }
        }
        return bytes
    }
}
