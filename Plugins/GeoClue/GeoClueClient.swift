import BelfryBus

/// A client object of GeoClue. Its calls go to the service that made it: another one, started since, knows nothing of
/// it, and the bus replies for the one that is gone.
struct GeoClueClient: Sendable {
    /// The unique name of the service.
    let owner: String
    let path: BusObjectPath
    private let service: GeoClueService

    init(owner: String, path: BusObjectPath, service: GeoClueService) {
        (self.owner, self.path, self.service) = (owner, path, service)
    }

    private var timeouts: GeoClueProvider.Timeouts { service.timeouts }

    /// Compares the service as well: each one numbers its clients from 1.
    func isSame(as other: GeoClueClient?) -> Bool { owner == other?.owner && path == other?.path }

    /// Sets the client's properties, which is required before it starts.
    func configure(_ level: GeoClueAccuracy, _ threshold: UInt32) async throws(BusError) {
        try await set("DesktopId", .string(service.desktopID))
        try await set("RequestedAccuracyLevel", .uint32(level.rawValue))
        try await set("DistanceThreshold", .uint32(threshold))
        // With a threshold, versions up to 2.5 stay silent: they measure it from the last change that they didn't
        // report.
        try await set("TimeThreshold", .uint32(0))
    }

    func start() async throws(BusError) {
        _ = try await call(path, GeoClueService.clientInterface, "Start", expects: "", timeouts.consent)
    }

    func stop() async throws(BusError) {
        _ = try await call(path, GeoClueService.clientInterface, "Stop", expects: "", timeouts.call)
    }

    func set(_ property: String, _ value: BusValue) async throws(BusError) {
        let arguments: [BusValue] = [.string(GeoClueService.clientInterface), .string(property), .variant(value)]
        _ = try await call(path, GeoClueService.properties, "Set", arguments, expects: "", timeouts.call)
    }

    func get(_ property: String) async throws(BusError) -> BusValue {
        try await get(property, GeoClueService.clientInterface, of: path)
    }

    /// Reads all of a location object at once: GeoClue removes it 5 s after the next one.
    func location(_ path: BusObjectPath) async throws(BusError) -> BusValue? {
        let arguments: [BusValue] = [.string(GeoClueService.locationInterface)]
        return try await call(path, GeoClueService.properties, "GetAll", arguments, expects: "a{sv}", timeouts.call)
            .first
    }

    /// Stops and deletes the client, even if the task is canceled. Waits a second at most.
    func giveBack() async {
        for call in [
            BusMethodCall(to: owner, path, GeoClueService.clientInterface, "Stop", timeout: .seconds(1)),
            BusMethodCall(
                to: owner,
                GeoClueService.managerPath,
                GeoClueService.managerInterface,
                "DeleteClient",
                [.objectPath(path)],
                timeout: .seconds(1)
            ),
        ] {
            _ = await service.bus.callToTheEnd(call)
        }
    }

    /// The best level of the machine's sources, for which the client must start.
    func bestLevel() async throws(BusError) -> GeoClueAccuracy? {
        try await configure(.country, 0)
        try await start()
        return try await get(
            "AvailableAccuracyLevel",
            GeoClueService.managerInterface,
            of: GeoClueService.managerPath
        ).integer(UInt32.self).flatMap(GeoClueAccuracy.init)
    }

    private func get(
        _ property: String,
        _ interface: String,
        of path: BusObjectPath
    ) async throws(BusError) -> BusValue {
        try await service.bus.property(property, of: interface, at: path, on: owner, within: timeouts.call)
    }

    private func call(
        _ path: BusObjectPath,
        _ interface: String,
        _ method: String,
        _ arguments: [BusValue] = [],
        expects: BusSignature,
        _ limit: Duration
    ) async throws(BusError) -> [BusValue] {
        try await service.bus.call(
            BusMethodCall(to: owner, path, interface, method, arguments, expects: expects, timeout: limit)
        )
    }
}
