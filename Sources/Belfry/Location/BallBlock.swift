/// Up to sixteen balls side by side, so that the processor looks at several at once, and what each of them stands for.
///
/// The lanes in use come first; how many they are is known to the owner. The others hold ``Ball/empty``, which no question finds.
struct BallBlock: Sendable {
    typealias Lanes = SIMD16<Float>
    static let width = 16

    private var x = Lanes(repeating: Ball.empty.x)
    private var y = Lanes(repeating: Ball.empty.y)
    private var z = Lanes(repeating: Ball.empty.z)
    private var reach = Lanes(repeating: Ball.empty.reach)
    /// The slots of regions in a leaf, the numbers of nodes in a branch.
    private(set) var names = SIMD16<Int32>(repeating: -1)

    subscript(lane: Int) -> Ball {
        get { Ball(x: x[lane], y: y[lane], z: z[lane], reach: reach[lane]) }
        set {
            Self.put(newValue.x, into: &x, lane)
            Self.put(newValue.y, into: &y, lane)
            Self.put(newValue.z, into: &z, lane)
            Self.put(newValue.reach, into: &reach, lane)
        }
    }

    /// Sets the name that a lane has.
    @inline(__always)
    mutating func name(_ lane: Int, _ name: Int32) { Self.put(name, into: &names, lane) }

    /// Writes one lane where it lies: through the subscript all sixteen go to the stack and back.
    @inline(__always)
    private static func put<Vector: SIMD>(_ value: Vector.Scalar, into lanes: inout Vector, _ lane: Int) {
        precondition(lane >= 0 && lane < width)
        withUnsafeMutableBytes(of: &lanes) { bytes in
            bytes.baseAddress!.assumingMemoryBound(to: Vector.Scalar.self)[lane] = value
        }
    }

    /// The lane of a name that is there.
    func lane(of name: Int32) -> Int {
        for lane in 0..<Self.width where names[lane] == name { return lane }
        preconditionFailure("\(name) is not in its node")
    }

    /// The balls that hold a point.
    @inline(__always)
    func lanes(around point: SIMD3<Float>) -> LaneSet { LaneSet(squares(to: point) .<= reach * reach) }

    /// Metres from a point to each ball, negative inside of it; never too large.
    @inline(__always)
    func gaps(from point: SIMD3<Float>) -> Lanes {
        squares(to: point).squareRoot() / Ball.rounding - reach * Ball.rounding - Ball.grain
    }

    /// Metres from a point over the ground to the borders of the regions that the balls were made for, inside or outside;
    /// never too large.
    @inline(__always)
    func borderGaps(from point: SIMD3<Float>) -> Lanes {
        let lines = squares(to: point).squareRoot()
        let outside = lines / Ball.rounding - reach - Ball.grain
        // The ground is bent nowhere more than a circle of this radius, so the way over it isn't longer than that circle's arc
        // (Schur's theorem): 1 + x/24 + x²/38 is above arcsin for every line through the earth.
        let radii = lines * (Ball.rounding / Float(Ellipsoid.leastCurvatureRadius))
        let bends = radii * radii
        let ways = lines * (1 + bends * (1 / 24 + bends * (1 / 38)))
        let inside = reach / (Ball.rounding * Ball.rounding) - 3 * Ball.grain - ways * Ball.rounding
        return outside.replacing(with: inside, where: outside .< inside)
    }

    /// The lane whose ball's centre is nearest.
    func nearest(to point: SIMD3<Float>) -> Int { squares(to: point).laneOfLeast }

    /// A ball around those of the first lanes.
    func enclosing(_ count: Int) -> Ball {
        let unused = SIMD16<Int32>.laneNumbers .>= Int32(count)
        func middle(_ places: Lanes) -> Float {
            let low = (places - reach).replacing(with: .infinity, where: unused).least
            let high = (-places - reach).replacing(with: .infinity, where: unused).least
            return (low - high) / 2
        }
        let centre = SIMD3(middle(x), middle(y), middle(z))
        let ends = (-squares(to: centre).squareRoot() - reach).replacing(with: 0, where: unused)
        return Ball(x: centre.x, y: centre.y, z: centre.z, reach: -ends.least * Ball.rounding)
    }

    /// For a full block that is split in two halves: the lanes of the half that is on the upper side of the longest extent.
    func upperHalf() -> LaneSet {
        let extents = [x, y, z].map { -(-$0).least - $0.least }
        let places = extents[0] >= max(extents[1], extents[2]) ? x : extents[1] >= extents[2] ? y : z
        let order = (0..<Self.width).sorted { (places[$0], $0) < (places[$1], $1) }
        return LaneSet(order[(Self.width / 2)...])
    }

    @inline(__always)
    private func squares(to point: SIMD3<Float>) -> Lanes {
        let (dx, dy, dz) = (x - point.x, y - point.y, z - point.z)
        return dx * dx + dy * dy + dz * dz
    }
}
