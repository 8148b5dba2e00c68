import Belfry
import BelfryBus
import FoundationEssentials

/// GeoClue's D-Bus calls.
struct GeoClueService: Sendable {
    let bus: BusConnection
    let desktopID: String
    let timeouts: GeoClueProvider.Timeouts

    static let name = "org.freedesktop.GeoClue2"
    static let managerPath: BusObjectPath = "/org/freedesktop/GeoClue2/Manager"
    static let managerInterface = "org.freedesktop.GeoClue2.Manager"
    static let clientInterface = "org.freedesktop.GeoClue2.Client"
    static let locationInterface = "org.freedesktop.GeoClue2.Location"
    static let properties = "org.freedesktop.DBus.Properties"

    init(_ desktopID: String, _ address: BusAddress, _ timeouts: GeoClueProvider.Timeouts) {
        bus = BusConnection(to: address, on: CenterThread.shared.loop)
        self.desktopID = desktopID
        self.timeouts = timeouts
    }

    /// The unique name of the service. The bus starts the service if it isn't running.
    func owner() async throws(BusError) -> String {
        try await bus.owner(starting: Self.name, within: timeouts.call)
    }

    /// The client of this connection, new or existing. Waits for the desktop's agent.
    func client() async throws(BusError) -> BusObjectPath {
        let values = try await call(Self.managerPath, Self.managerInterface, "GetClient", expects: "o", timeouts.agent)
        guard let path = values.first?.objectPath, path != .root else {
            throw BusError(.unexpectedReply, "GeoClue gave a client that is none.")
        }
        return path
    }

    /// Sets the client's properties, which is required before it starts.
    func configure(
        _ client: BusObjectPath,
        _ level: GeoClueAccuracy,
        _ threshold: UInt32
    ) async throws(BusError) {
        try await set("DesktopId", .string(desktopID), of: client)
        try await set("RequestedAccuracyLevel", .uint32(level.rawValue), of: client)
        try await set("DistanceThreshold", .uint32(threshold), of: client)
        // With a threshold, versions up to 2.5 stay silent: they measure it from the last change that they didn't
        // report.
        try await set("TimeThreshold", .uint32(0), of: client)
    }

    func start(_ client: BusObjectPath) async throws(BusError) {
        _ = try await call(client, Self.clientInterface, "Start", expects: "", timeouts.consent)
    }

    func stop(_ client: BusObjectPath) async throws(BusError) {
        _ = try await call(client, Self.clientInterface, "Stop", expects: "", timeouts.call)
    }

    func set(_ property: String, _ value: BusValue, of client: BusObjectPath) async throws(BusError) {
        let arguments: [BusValue] = [.string(Self.clientInterface), .string(property), .variant(value)]
        _ = try await call(client, Self.properties, "Set", arguments, expects: "", timeouts.call)
    }

    func get(_ property: String, _ interface: String, of path: BusObjectPath) async throws(BusError) -> BusValue {
        try await bus.property(property, of: interface, at: path, on: Self.name, within: timeouts.call)
    }

    /// Reads all of a location object at once: GeoClue removes it 5 s after the next one.
    func location(_ path: BusObjectPath) async throws(BusError) -> BusValue? {
        let arguments: [BusValue] = [.string(Self.locationInterface)]
        return try await call(path, Self.properties, "GetAll", arguments, expects: "a{sv}", timeouts.call).first
    }

    /// Stops and deletes the client, even if the task is cancelled. Waits a second at most.
    func giveBack(_ client: BusObjectPath) async {
        for call in [
            BusMethodCall(to: Self.name, client, Self.clientInterface, "Stop", timeout: .seconds(1)),
            BusMethodCall(
                to: Self.name,
                Self.managerPath,
                Self.managerInterface,
                "DeleteClient",
                [.objectPath(client)],
                timeout: .seconds(1)
            ),
        ] {
            _ = await bus.callToTheEnd(call)
        }
    }

    func look() async throws(NoticeError) -> GeoClueAccuracy? {
        var step = NoticeError.GeoClueStep.starting
        do throws(BusError) {
            try await bus.connect()
            _ = try await owner()
            step = .client
            let client = try await client()
            step = .consent
            let best: Result<GeoClueAccuracy?, BusError>
            do throws(BusError) { best = .success(try await bestLevel(client)) } catch { best = .failure(error) }
            await giveBack(client)
            return try best.get()
        } catch { throw NoticeError(geoClue: error, step) }
    }

    private func bestLevel(_ client: BusObjectPath) async throws(BusError) -> GeoClueAccuracy? {
        try await configure(client, .country, 0)
        try await start(client)
        return try await get("AvailableAccuracyLevel", Self.managerInterface, of: Self.managerPath)
            .integer(UInt32.self).flatMap(GeoClueAccuracy.init)
    }

    private func call(
        _ path: BusObjectPath,
        _ interface: String,
        _ method: String,
        _ arguments: [BusValue] = [],
        expects: BusSignature,
        _ limit: Duration
    ) async throws(BusError) -> [BusValue] {
        try await bus.call(
            BusMethodCall(to: Self.name, path, interface, method, arguments, expects: expects, timeout: limit)
        )
    }
}

extension LocationFix {
    /// Creates a fix; nil if the coordinates are missing or not numbers.
    init?(geoClue location: BusValue, at now: @autoclosure () -> Date) {
        guard let latitude = location["Latitude"]?.double, let longitude = location["Longitude"]?.double else {
            return nil
        }
        // GeoClue documents -1 for "not known"; its sources send 0.
        let accuracy = location["Accuracy"]?.double.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        self.init(latitude: latitude, longitude: longitude, accuracy: accuracy, date: Self.time(location) ?? now())
    }

    /// The date from seconds since 1970 and microseconds.
    private static func time(_ location: BusValue) -> Date? {
        guard let parts = location["Timestamp"]?.elements, parts.count == 2,
            let seconds = parts[0].integer(UInt64.self),
            let microseconds = parts[1].integer(UInt64.self), seconds > 0, microseconds < 1_000_000
        else { return nil }
        return Date(timeIntervalSince1970: Double(seconds) + Double(microseconds) / 1e6)
    }
}
