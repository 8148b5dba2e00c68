import SeededRandom

extension SeededGenerator {
    /// Texts made of the pieces that a parser looks for, so that they get further into it than noise would.
    mutating func text(of pieces: [String], upTo length: Int) -> String {
        (0..<Int.random(in: 0...length, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
    }
}
