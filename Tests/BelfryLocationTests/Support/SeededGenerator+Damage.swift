import SeededRandom

extension SeededGenerator {
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
