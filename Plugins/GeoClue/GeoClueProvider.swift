public import Belfry
public import BelfryBus
import FoundationEssentials
import Synchronization

/// Positions from GeoClue, the location service of Linux desktops, on the system bus (org.freedesktop.GeoClue2).
///
/// What is demanded becomes GeoClue's level of accuracy (``GeoClueAccuracy``) and distance threshold, and follows the
/// demand while it runs: with no border nearby no satellite receiver is switched on. Where a level below "exact" brings
/// no position within ``Limits/firstFix``, "exact" is asked for: the machine has no other source.
///
/// Below the threshold GeoClue tells of no movement, which is safe as long as the threshold is no longer than the way
/// to the nearest border. When the demand gets shorter, the position is read at once. Versions up to 2.5 measure each
/// step from the step before, and so never tell of a slow walk in short steps: what GeoClue changes silently is read
/// again after the time in which a vehicle (40 m/s) covers the distance demanded. Nothing is read while nothing
/// changes.
///
/// An accuracy of 0 is "not known". Times are GeoClue's; without one, that of reading.
///
/// GeoClue asks the desktop's agent whether the user allows it (GNOME Shell is one; other desktops start
/// `/usr/libexec/geoclue-2.0/demos/agent`). Without an agent it does not answer for 20 s and more: that is
/// ``Belfry/NoticeError/Code/locationUnavailable`` here, as is a GeoClue that isn't installed; a refusal is
/// ``Belfry/NoticeError/Code/locationDenied``. A service that goes away is started again, up to 5 times without a
/// position in between.
///
/// ```swift
/// let provider = GeoClueProvider(for: AppIdentity(id: "org.example.App", name: "App")) try await provider.run(demands:
/// LocationDemand.Updates(LocationDemand(accuracy: 50, distance: 10))) { fix in print(fix) }
/// ```
public final class GeoClueProvider: NonblockingLocationProvider {
    /// How long the parts may take.
    public struct Limits: Sendable, Hashable {
        /// For the service to be started, and for each of its answers that need nobody's consent.
        public var call: Duration
        /// For a client of this program's own, which waits for the desktop's agent.
        public var agent: Duration
        /// For being allowed to start, which the user may be asked about.
        public var consent: Duration
        /// Until "exact" is asked for, where less brings no position.
        public var firstFix: Duration
        /// How long the bus may be away.
        public var patience: Duration
        /// Before a service that went away is started again; doubled each time.
        public var firstPause: Duration
        /// The shortest wait before what was changed silently is read again.
        var look = Duration.seconds(1)

        /// Creates limits; each default suits a desktop.
        public init(
            call: Duration = .seconds(10),
            agent: Duration = .seconds(30),
            consent: Duration = .seconds(120),
            firstFix: Duration = .seconds(30),
            patience: Duration = .seconds(60),
            firstPause: Duration = .milliseconds(250)
        ) {
            self.call = call
            self.agent = agent
            self.consent = consent
            self.firstFix = firstFix
            self.patience = patience
            self.firstPause = firstPause
        }
    }

    public let name = "geoclue"
    private let app: AppIdentity
    private let address: BusAddress
    private let limits: Limits
    private let ignored = Atomic<Int>(0)

    /// - Parameters:
    ///   - app: GeoClue and its agent know the app by its identifier, and the user sees the name in its `.desktop`
    ///     file.
    ///   - address: The bus that GeoClue is on; another one than the system's is for tests.
    ///   - limits: How long GeoClue and its agent are waited for.
    public init(for app: AppIdentity, bus address: BusAddress = .system, limits: Limits = Limits()) {
        self.app = app
        self.address = address
        self.limits = limits
    }

    /// How many positions were not taken since this was made: another client's, gone before they could be read, or
    /// without coordinates.
    public var ignoredPositions: Int { ignored.load(ordering: .relaxed) }

    public func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) {
        let session = GeoClueSession(app.id, address, limits, report) { [self] in ignored.add(1, ordering: .relaxed) }
        try await session.run(demands)
    }

    /// Whether positions can be had, without asking for one: the best accuracy that the machine's sources have. GeoClue
    /// is started where it can be, and asked for a client that is given back at once. Each answer may take `limit`.
    ///
    /// Throws as ``run(demands:reporting:)`` does.
    public func look(within limit: Duration = .seconds(1)) async throws(NoticeError) -> GeoClueAccuracy? {
        let limits = Limits(call: limit, agent: limit, consent: limit)
        let service = GeoClueService(app.id, address, limits)
        let result: Result<GeoClueAccuracy?, NoticeError>
        do throws(NoticeError) { result = .success(try await service.look()) } catch { result = .failure(error) }
        await service.bus.close()
        return try result.get()
    }
}
