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
        try await service.bus.call(client(within: timeouts.consent).call("Start", expects: ""))
    }

    func stop() async throws(BusError) {
        try await service.bus.call(client(within: timeouts.call).call("Stop", expects: ""))
    }

    func set(_ property: String, _ value: BusValue) async throws(BusError) {
        let arguments: [BusValue] = [.string(GeoClueService.clientInterface), .string(property), .variant(value)]
        try await service.bus.call(properties(of: path).call("Set", arguments, expects: ""))
    }

    func get(_ property: String) async throws(BusError) -> BusValue {
        try await get(property, GeoClueService.clientInterface, of: path)
    }

    /// Reads all of a location object at once: GeoClue removes it 5 s after the next one.
    func location(_ path: BusObjectPath) async throws(BusError) -> BusValue? {
        let arguments: [BusValue] = [.string(GeoClueService.locationInterface)]
        return try await service.bus.call(properties(of: path).call("GetAll", arguments, expects: "a{sv}")).first
    }

    /// Stops and deletes the client, even if the task is canceled. Waits a second at most.
    func giveBack() async {
        let limit = Duration.seconds(1)
        _ = await service.bus.callToTheEnd(client(within: limit).call("Stop"))
        let manager = GeoClueService.manager(of: owner, within: limit)
        _ = await service.bus.callToTheEnd(manager.call("DeleteClient", [.objectPath(path)]))
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

    private func client(within limit: Duration) -> BusObject {
        BusObject(owner, path, GeoClueService.clientInterface, timeout: limit)
    }

    private func properties(of path: BusObjectPath) -> BusObject {
        BusObject(owner, path, GeoClueService.properties, timeout: timeouts.call)
    }
}
