import SeededRandom

extension SeededGenerator {
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Texts made of the characters that a rule looks for, so that they get further than noise would.
    mutating func text(of characters: String, upTo length: Int) -> String {
        let all = Array(characters)
        return String((0..<below(length + 1)).map { _ in all[below(all.count)] })
    }
}
