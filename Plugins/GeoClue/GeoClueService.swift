import Belfry
import BelfryBus
import FoundationEssentials

/// GeoClue's manager on the bus, which makes clients.
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

    static func manager(of owner: String, within limit: Duration) -> BusObject {
        BusObject(owner, managerPath, managerInterface, timeout: limit)
    }

    /// The client of this connection, new or existing. Waits for the desktop's agent.
    func client(of owner: String) async throws(BusError) -> GeoClueClient {
        let call = Self.manager(of: owner, within: timeouts.agent).call("GetClient", expects: "o")
        guard let path = try await bus.call(call).first?.objectPath, path != .root else {
            throw BusError(.unexpectedReply, "GeoClue gave a client that is none.")
        }
        return GeoClueClient(owner: owner, path: path, service: self)
    }

    func bestAccuracy() async throws(NoticeError) -> GeoClueAccuracy? {
        var step = NoticeError.GeoClueStep.starting
        do throws(BusError) {
            try await bus.connect()
            let owner = try await owner()
            step = .client
            let client = try await client(of: owner)
            step = .consent
            let best = await Result { () async throws(BusError) in try await client.bestLevel() }
            await client.giveBack()
            return try best.get()
        } catch { throw NoticeError(geoClue: error, step) }
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
