import Foundation

/// Near the antipode a step of the longitude turns the geodesic right round, so the azimuth at the start is what is looked for
/// (Karney, "Algorithms for geodesics", 2013): from north to south it leads to every longitude from 0° to 180° once.
extension GeodesicArc {
    /// Metres to a point near the antipode, by bisection down to the last digit: some 55 steps, a thousand at most, and no case in
    /// which it doesn't converge.
    static func lengthNearAntipode(from start: ReducedLatitude, to end: ReducedLatitude, turn: Double) -> Double {
        // The way back is as long, and so is the way mirrored at the equator: start at the higher latitude, in the south.
        let isEndHigher = (start.sine.magnitude, -start.cosine) < (end.sine.magnitude, -end.cosine)
        var (start, end) = isEndHigher ? (end, start) : (start, end)
        if start.sine > 0 { (start, end) = (start.mirrored, end.mirrored) }
        // On the equator itself no azimuth but 90° would lead anywhere but straight through to the antipode.
        start.sine = min(start.sine, -1e-200)

        // Radians south of east: near the equator all that matters happens very close to zero.
        var (north, south) = (-Double.pi / 2, Double.pi / 2)
        while true {
            let azimuth = (north + south) / 2
            let found = geodesic(from: start, southOfEast: azimuth, to: end)
            if azimuth == north || azimuth == south || found.turn == turn { return found.length }
            if found.turn < turn { north = azimuth } else { south = azimuth }
        }
    }

    /// Where the geodesic that starts at an azimuth gets to another latitude on its way north, and how long it is.
    private static func geodesic(
        from start: ReducedLatitude,
        southOfEast azimuth: Double,
        to end: ReducedLatitude
    ) -> (turn: Double, length: Double) {
        let crossing = start.cosine * cos(azimuth)
        let slope = -start.cosine * sin(azimuth)
        // cos² − cos² or sin² − sin², whichever loses no digits.
        let wider =
            start.cosine < start.sine.magnitude
            ? (end.cosine - start.cosine) * (end.cosine + start.cosine)
            : (start.sine - end.sine) * (start.sine + end.sine)
        let endSlope = max(0, slope * slope + wider).squareRoot()
        let arc = GeodesicArc(
            sine: start.sine,
            slope: slope,
            angle: atan2(end.sine, endSlope) - atan2(start.sine, slope)
        )
        let (length, lead) = arc.integrals()
        let longitude = atan2(crossing * end.sine, endSlope) - atan2(crossing * start.sine, slope)
        return (longitude - crossing * lead, length)
    }
}
