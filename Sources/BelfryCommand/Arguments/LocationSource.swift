#if CommandLine
import ArgumentParser
import Belfry
import BelfryDesktop
import BelfryGPSD
import BelfryGeoClue
import BelfryLocationReplay
import BelfrySchedules

/// The source of location fixes for region requests.
enum LocationSource: Hashable {
    /// GeoClue, or gpsd if GeoClue is not available.
    case auto
    case geoclue
    case gpsd(host: String, port: UInt16)
    /// A track that is replayed at its recorded speed.
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
                "--location: '\(text.clipped)' is no source of positions; write auto, geoclue, gpsd, gpsd:HOST:PORT or "
                    + "replay:FILE."
            )
        }
    }

    /// Parses `host`, `host:port`, or an IPv6 address in brackets.
    private static func receiver(_ place: String) throws(NoticeError) -> LocationSource {
        guard let colon = place.lastIndex(of: ":"), !place.hasSuffix("]") else {
            return .gpsd(host: try host(place), port: standardPort)
        }
        guard let port = UInt16(place[place.index(after: colon)...]), port > 0, colon > place.startIndex else {
            throw .usage("--location: '\(place.clipped)' has no port after its colon; write gpsd:HOST:PORT.")
        }
        return .gpsd(host: try host(String(place[..<colon])), port: port)
    }

    /// Returns the name, or the address in the brackets: without them, its last part would be read as the port.
    private static func host(_ text: String) throws(NoticeError) -> String {
        if text.hasPrefix("["), text.hasSuffix("]") { return String(text.dropFirst().dropLast()) }
        guard !text.contains(":") else {
            throw .usage(
                "--location: the host '\(text.clipped)' has a colon; write an IPv6 address as gpsd:[::1]:PORT."
            )
        }
        return text
    }

    /// Returns the provider of the source. Throws if a track can't be read.
    func provider(for app: AppIdentity) throws -> any LocationProvider {
        switch self {
        case .auto: LocationProviderChain.auto(for: app)
        case .geoclue: GeoClueProvider(for: app)
        case .gpsd(let host, let port): GPSDProvider(host: host, port: port)
        case .replay(let path): try ReplayLocationProvider(LocationTrack.read(path).fixes)
        }
    }
}

extension LocationTrack {
    /// Reads the track that an option names. A file that is no track is not wrong usage, as a schedule file with errors
    /// isn't.
    static func read(_ path: String, pace: TrackPace = TrackPace()) throws(NoticeError) -> LocationTrack {
        do throws(NoticeError) {
            return try LocationTrack(contentsOf: path, pace: pace)
        } catch {
            guard error.code == .invalidNotation else { throw error }
            throw NoticeError(.fileUnreadable, error.message, cause: error.cause)
        }
    }
}

/// The option for the source of location fixes.
struct LocationOptions: ParsableArguments {
    @Option(
        help: .init(
            "For regions, in this process instead of the agent: auto (GeoClue, else gpsd), geoclue, gpsd, "
                + "gpsd:HOST:PORT, or replay:FILE, a GPX or NMEA track.",
            valueName: "source"
        ),
        completion: .list(["auto", "geoclue", "gpsd", "gpsd:", "replay:"])
    )
    var location: String?

    /// Returns the given source; nil without the option.
    func source() throws -> LocationSource? { try location.map { try LocationSource($0) } }
}
#endif
