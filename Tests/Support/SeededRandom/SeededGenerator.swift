/// Random numbers that are the same on every machine for the same seed (SplitMix64), so that a failure can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    public mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Texts made of the pieces that a parser looks for, so that they get further into it than noise would.
    public mutating func text(of pieces: [String], upTo length: Int) -> String {
        (0..<below(length + 1)).map { _ in pick(pieces) }.joined()
    }

    public mutating func text(of characters: String, upTo length: Int) -> String {
        text(of: characters.map { String($0) }, upTo: length)
    }

    public mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
