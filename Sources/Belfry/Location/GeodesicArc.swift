import Foundation

/// A geodesic as the great circle that belongs to it on the auxiliary sphere (Bessel, 1825): there, its points have their reduced
/// latitudes, its ends differ by another longitude than on the ground, and the differences are integrals along the circle.
///
/// They are integrated by Gauss's rule instead of developed into series: over such smooth functions ten points reach the last
/// digit for half a circumference, and no coefficient has to be trusted.
struct GeodesicArc {
    /// The sine of the reduced latitude at the start, and how fast it grows there.
    var sine: Double
    var slope: Double
    /// Radians from end to end.
    var angle: Double

    /// Metres along the geodesic, and radians by which the longitude on the sphere runs ahead of that on the ground, for an arc
    /// that crosses the equator eastwards.
    func integrals() -> (length: Double, lead: Double) {
        let half = angle / 2
        let middle = sine * cos(half) + slope * sin(half)
        let middleSlope = slope * cos(half) - sine * sin(half)
        var (length, lead) = (0.0, 0.0)
        func add(_ place: Double, _ weight: Double) {
            let (even, odd) = (middle * cos(half * place), middleSlope * sin(half * place))
            let before = Self.stretch(at: even - odd)
            let behind = Self.stretch(at: even + odd)
            length += weight * (before + behind)
            lead += weight * (1 / (1 + Self.thinness * before) + 1 / (1 + Self.thinness * behind))
        }
        if angle < 0.5 {
            add(0.238_619_186_083_196_9, 0.467_913_934_572_691_0)
            add(0.661_209_386_466_264_5, 0.360_761_573_048_138_6)
            add(0.932_469_514_203_152_1, 0.171_324_492_379_170_4)
        } else {
            add(0.148_874_338_981_631_2, 0.295_524_224_714_752_9)
            add(0.433_395_394_129_247_2, 0.269_266_719_309_996_3)
            add(0.679_409_568_299_024_4, 0.219_086_362_515_982_0)
            add(0.865_063_366_688_984_5, 0.149_451_349_150_580_6)
            add(0.973_906_528_517_171_7, 0.066_671_344_308_688_1)
        }
        return (Ellipsoid.polarRadius * half * length, Ellipsoid.eccentricity * half * lead)
    }

    private static let thinness = 1 - Ellipsoid.flattening

    /// Ground for each radian of the arc, in polar radii, where the sine of the reduced latitude is `height`.
    private static func stretch(at height: Double) -> Double {
        (1 + Ellipsoid.secondEccentricity * height * height).squareRoot()
    }
}

extension GeodesicArc {
    /// Metres between two latitudes in degrees that are a turn of −180 to 180 degrees apart.
    static func length(fromLatitude latitude: Double, toLatitude otherLatitude: Double, east: Double) -> Double {
        let (start, end) = (ReducedLatitude(latitude), ReducedLatitude(otherLatitude))
        guard start.sine.isFinite, end.sine.isFinite, east.isFinite else { return .nan }
        if east.magnitude == 180 { return lengthOverPole(from: start, to: end) }
        let turn = east.magnitude * Ellipsoid.radiansPerDegree
        return length(from: start, to: end, turn: turn) ?? lengthNearAntipode(from: start, to: end, turn: turn)
    }

    /// Between opposite meridians the shortest way is over the nearer pole.
    private static func lengthOverPole(from start: ReducedLatitude, to end: ReducedLatitude) -> Double {
        let sum = start.angle + end.angle
        return GeodesicArc(sine: start.sine, slope: sum < 0 ? -start.cosine : start.cosine, angle: .pi - sum.magnitude)
            .integrals().length
    }

    /// Finds the longitude on the sphere by Newton's method; three steps are usual. Nil near the antipode, where it is not to be
    /// found so.
    private static func length(from start: ReducedLatitude, to end: ReducedLatitude, turn: Double) -> Double? {
        var longitude = turn
        for _ in 0..<10 {
            let (sine, cosine) = (sin(longitude), cos(longitude))
            // The direction to the end, as seen from the start: eastwards, northwards and downwards.
            let eastwards = end.cosine * sine
            let northwards = start.cosine * end.sine - start.sine * end.cosine * cosine
            let downwards = start.sine * end.sine + start.cosine * end.cosine * cosine
            let sineOfAngle = (eastwards * eastwards + northwards * northwards).squareRoot()
            // Within 3° of the antipode the longitude says too little about the direction.
            guard downwards > -0.998_7 else { return nil }
            guard sineOfAngle > 0 else { return 0 }
            let angle = atan2(sineOfAngle, downwards)
            // The sine of the azimuth at which the circle crosses the equator.
            let azimuth = start.cosine * eastwards / sineOfAngle
            let arc = GeodesicArc(sine: start.sine, slope: start.cosine * northwards / sineOfAngle, angle: angle)
            let (length, lead) = arc.integrals()
            let missing = turn - (longitude - azimuth * lead)
            // Clairaut: so much longer does a geodesic get for each radian that its end is moved east.
            if missing.magnitude < 1e-10 { return length + Ellipsoid.equatorialRadius * azimuth * missing }
            let growth = (start.cosine * end.cosine * cosine - azimuth * azimuth * downwards) / sineOfAngle
            longitude += missing / (1 - lead * (growth + azimuth * azimuth / angle))
            guard (0...Double.pi).contains(longitude) else { return nil }
        }
        return nil
    }
}
