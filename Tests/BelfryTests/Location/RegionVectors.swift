import Foundation

/// Two places and their distance on WGS 84, as GeographicLib has it.
struct DistanceVector: Decodable, Sendable {
    let id: String
    let lat1: Double
    let lon1: Double
    let lat2: Double
    let lon2: Double
    let distance: Double

    enum CodingKeys: String, CodingKey {
        case id, lat1, lon1, lat2, lon2
        case distance = "distance_m"
    }
}

/// A position and a region, and whether it is inside.
struct RegionVector: Decodable, Sendable {
    let id: String
    let centerLatitude: Double
    let centerLongitude: Double
    let radius: Double
    let latitude: Double
    let longitude: Double
    let distance: Double
    let inside: Bool

    enum CodingKeys: String, CodingKey {
        case id, inside
        case centerLatitude = "center_lat"
        case centerLongitude = "center_lon"
        case radius = "radius_m"
        case latitude = "lat"
        case longitude = "lon"
        case distance = "distance_m"
    }
}

enum RegionVectors {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    /// The folder beside the package, or the one that the environment names.
    private static let shared =
        ProcessInfo.processInfo.environment["BELFRY_SHARED"].map { URL(filePath: $0) }
        ?? fixtures.appending(path: "../../../../../shared").standardizedFileURL

    /// Those in the larger set of vectors, or nil, with a message, on machines that do not have it.
    static func shared<Vector: Decodable>(_ file: String, as type: Vector.Type) throws -> [Vector]? {
        let file = shared.appending(path: "vectors/\(file)")
        guard let data = try? Data(contentsOf: file) else {
            print("Skipped: there is no \(file.lastPathComponent) in \(file.deletingLastPathComponent().path).")
            return nil
        }
        return try decode(data)
    }

    /// Those in the sample that is kept with the tests.
    static func sample<Vector: Decodable>(_ file: String, as type: Vector.Type) throws -> [Vector] {
        try decode(Data(contentsOf: fixtures.appending(path: file)))
    }

    private static func decode<Vector: Decodable>(_ data: Data) throws -> [Vector] {
        try data.split(separator: 10).map { try JSONDecoder().decode(Vector.self, from: Data($0)) }
    }
}
