/// Some of the sixteen lanes of a block.
struct LaneSet: Sendable {
    private var bits: UInt32 = 0

    @inline(__always)
    init(_ mask: SIMDMask<SIMD16<Int32>>) {
        let sixteen = SIMD16<Int32>.zero.replacing(with: .laneBits, where: mask)
        let eight = sixteen.lowHalf | sixteen.highHalf
        let four = eight.lowHalf | eight.highHalf
        bits = UInt32(bitPattern: four.x | four.y | four.z | four.w)
    }

    init(_ lanes: some Sequence<Int>) {
        for lane in lanes { bits |= 1 << UInt32(lane) }
    }

    func contains(_ lane: Int) -> Bool { bits & 1 << UInt32(lane) != 0 }

    /// Whether there is more than one.
    @inline(__always)
    var isSeveral: Bool { bits & (bits &- 1) != 0 }

    /// Takes the lowest lane out.
    @inline(__always)
    mutating func popFirst() -> Int? {
        guard bits != 0 else { return nil }
        let lane = bits.trailingZeroBitCount
        bits &= bits &- 1
        return lane
    }
}

extension SIMD16<Int32> {
    static var laneNumbers: Self { Self(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) }
    static var laneBits: Self {
        Self(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768)
    }
}

extension SIMD16<Float> {
    /// The smallest number.
    @inline(__always)
    var least: Float {
        let eight = lowHalf.replacing(with: highHalf, where: highHalf .< lowHalf)
        let four = eight.lowHalf.replacing(with: eight.highHalf, where: eight.highHalf .< eight.lowHalf)
        return Swift.min(Swift.min(four.x, four.y), Swift.min(four.z, four.w))
    }

    /// Where the smallest number is; the first such lane.
    @inline(__always)
    var laneOfLeast: Int {
        var lanes = LaneSet(self .== Self(repeating: least))
        return lanes.popFirst() ?? 0
    }
}
