import ArgumentParser
import Belfry
import BelfryDesktop
import BelfryGPSD
import BelfryGeoClue
import BelfryLocationReplay
import BelfrySchedules

/// Where positions come from, for requests that wait for a region.
enum LocationSource: Hashable {
    /// GeoClue, and where that isn't there gpsd.
    case auto
    case geoclue
    case gpsd(host: String, port: UInt16)
    /// A track that is played as it was recorded.
    case replay(String)

    static let standardPort: UInt16 = 2947

    init(_ text: String) throws(NoticeError) {
        let (name, detail) = text.halves(at: ":")
        switch (name, detail.map(String.init)) {
        case ("auto", nil): self = .auto
        case ("geoclue", nil): self = .geoclue
        case ("gpsd", nil): self = .gpsd(host: "127.0.0.1", port: Self.standardPort)
        case ("gpsd", let place?) where !place.isEmpty: self = try Self.receiver(place)
        case ("replay", let path?) where !path.isEmpty: self = .replay(PathText.path(path))
        default:
            throw .usage(
                "--location '\(text.clipped)' is none: write auto, geoclue, gpsd, gpsd:HOST:PORT or replay:FILE."
            )
        }
    }

    /// `host`, `host:port`, or an address of IPv6 in brackets.
    private static func receiver(_ place: String) throws(NoticeError) -> LocationSource {
        guard let colon = place.lastIndex(of: ":"), !place.hasSuffix("]") else {
            return .gpsd(host: place.trimmingBrackets, port: standardPort)
        }
        guard let port = UInt16(place[place.index(after: colon)...]), port > 0, colon > place.startIndex else {
            throw .usage("--location: '\(place.clipped)' has no port after its colon; write gpsd:HOST:PORT.")
        }
        return .gpsd(host: String(place[..<colon]).trimmingBrackets, port: port)
    }

    /// Throws where a track can't be read.
    func provider(for app: AppIdentity) throws -> any LocationProvider {
        switch self {
        case .auto: LocationProviderChain.auto(for: app)
        case .geoclue: GeoClueProvider(for: app)
        case .gpsd(let host, let port): GPSDProvider(host: host, port: port)
        case .replay(let path): try ReplayLocationProvider(file: path)
        }
    }
}

extension String {
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}

/// The source of positions of a command.
struct LocationOptions: ParsableArguments {
    @Option(
        help: .init(
            "For places, in this process instead of the agent: auto (GeoClue, else gpsd), geoclue, gpsd, gpsd:HOST:PORT, or "
                + "replay:FILE, a GPX or NMEA track.",
            valueName: "source"
        ),
        completion: .list(["auto", "geoclue", "gpsd", "gpsd:", "replay:"])
    )
    var location: String?

    /// Nil where none is named.
    func source() throws -> LocationSource? { try location.map { try LocationSource($0) } }
}
