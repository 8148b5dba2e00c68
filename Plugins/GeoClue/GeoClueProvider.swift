public import Belfry
public import BelfryBus
import FoundationEssentials
import Synchronization

/// Positions from GeoClue, the location service of Linux desktops, on the system bus (org.freedesktop.GeoClue2).
///
/// The provider turns a demand into GeoClue's level of accuracy (``GeoClueAccuracy``) and distance threshold, and
/// updates both with the demand. So no satellite receiver is switched on while no border is near. If a level below
/// "exact" gives no position within ``Timeouts/firstFix``, it requests "exact": the machine has no other source.
///
/// GeoClue reports no movement below the threshold. That is safe as long as the threshold is at most the distance to
/// the nearest border. When the demanded distance shrinks, the position is read at once. Versions up to 2.5 measure
/// each step from the step before, so they never report a slow walk in short steps. Locations that GeoClue changes
/// silently are read again after the time in which a vehicle (40 m/s) covers the distance. Nothing is read while
/// nothing changes.
///
/// An accuracy of 0 means "not known". Dates are GeoClue's; without one, the date of reading.
///
/// GeoClue asks the desktop's agent whether the user allows access (GNOME Shell is one; other desktops start
/// `/usr/libexec/geoclue-2.0/demos/agent`). Without an agent it doesn't reply for 20 s or more. That, or a missing
/// GeoClue, throws ``Belfry/NoticeError/Code/locationUnavailable``; a refusal throws
/// ``Belfry/NoticeError/Code/locationDenied``. A service that goes away is restarted, up to 5 times without a position
/// in between.
///
/// ```swift
/// let provider = GeoClueProvider(for: AppIdentity(id: "org.example.App", name: "App"))
/// let demands = LocationDemand.Updates(LocationDemand(accuracy: 50, distance: 10))
/// try await provider.run(demands: demands) { fix in print(fix) }
/// ```
public final class GeoClueProvider: LocationProvider {
    /// The timeouts of the provider.
    public struct Timeouts: Sendable, Hashable {
        /// The timeout for starting the service, and for each of its replies that needs no consent.
        public var call: Duration
        /// The timeout for getting a client, which waits for the desktop's agent.
        public var agent: Duration
        /// The timeout for the permission to start, for which the user may be asked.
        public var consent: Duration
        /// How long to wait for a position before requesting "exact".
        public var firstFix: Duration
        /// How long the bus may be unreachable.
        public var reconnect: Duration
        /// The pause before restarting a service that went away; doubled each time.
        public var firstPause: Duration
        /// The shortest pause before reading silent changes again.
        var look = Duration.seconds(1)

        /// Creates timeouts. The defaults suit a desktop.
        public init(
            call: Duration = .seconds(10),
            agent: Duration = .seconds(30),
            consent: Duration = .seconds(120),
            firstFix: Duration = .seconds(30),
            reconnect: Duration = .seconds(60),
            firstPause: Duration = .milliseconds(250)
        ) {
            self.call = call
            self.agent = agent
            self.consent = consent
            self.firstFix = firstFix
            self.reconnect = reconnect
            self.firstPause = firstPause
        }
    }

    public let name = "geoclue"
    public var mayBlock: Bool { false }
    private let app: AppIdentity
    private let address: BusAddress
    private let timeouts: Timeouts
    private let ignored = Atomic<Int>(0)

    /// Creates a provider; it connects when a center needs location fixes.
    ///
    /// - Parameters:
    ///   - app: GeoClue and its agent know the app by its identifier; the user sees the name in its `.desktop` file.
    ///   - address: The bus that GeoClue is on; a bus other than the system's is for tests.
    ///   - timeouts: The timeouts for GeoClue and its agent.
    public init(for app: AppIdentity, bus address: BusAddress = .system, timeouts: Timeouts = Timeouts()) {
        self.app = app
        self.address = address
        self.timeouts = timeouts
    }

    /// The number of positions ignored so far: another client's, gone before they could be read, or without
    /// coordinates.
    public var ignoredPositions: Int { ignored.load(ordering: .relaxed) }

    public func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) {
        let session = GeoClueSession(app.id, address, timeouts, report) { [self] in ignored.add(1, ordering: .relaxed) }
        try await session.run(demands)
    }

    /// The best accuracy of the machine's sources, without requesting a position. Starts GeoClue if possible, and gets
    /// a client that is released at once. The timeout of each reply is `timeout`.
    ///
    /// Throws ``Belfry/NoticeError/Code/locationUnavailable`` and ``Belfry/NoticeError/Code/locationDenied``: permanent
    /// until GeoClue, its agent or the settings change.
    public func bestAccuracy(timeout: Duration = .seconds(1)) async throws(NoticeError) -> GeoClueAccuracy? {
        let timeouts = Timeouts(call: timeout, agent: timeout, consent: timeout)
        let service = GeoClueService(app.id, address, timeouts)
        let result = await Result { () async throws(NoticeError) in try await service.bestAccuracy() }
        await service.bus.close()
        return try result.get()
    }
}
