/// Random numbers that come again with their seed (SplitMix64), so that a failure can be repeated.
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

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Texts made of the characters that a rule looks for, so that they get further than noise would.
    mutating func text(of characters: String, upTo length: Int) -> String {
        let all = Array(characters)
        return String((0..<below(length + 1)).map { _ in all[below(all.count)] })
    }
}
