import Belfry
import BelfryBus
import FoundationEssentials

/// One run of the provider: its connection, and its current GeoClue client.
final class GeoClueSession: Sendable {
    private let service: GeoClueService
    private let news = GeoClueNews()
    private let report: @Sendable (LocationFix) -> Void
    private let ignore: @Sendable () -> Void

    init(
        _ desktopID: String,
        _ address: BusAddress,
        _ timeouts: GeoClueProvider.Timeouts,
        _ report: @escaping @Sendable (LocationFix) -> Void,
        ignoring ignore: @escaping @Sendable () -> Void
    ) {
        service = GeoClueService(desktopID, address, timeouts)
        self.report = report
        self.ignore = ignore
    }

    private var timeouts: GeoClueProvider.Timeouts { service.timeouts }

    /// Reports until the task is canceled, or throws why there are no positions. Leaves nothing on the bus.
    func run(_ demands: LocationDemand.Updates) async throws(NoticeError) {
        let result = await Result { () async throws(NoticeError) in try await listen(demands) }
        await news.current.client?.giveBack()
        await service.bus.close()
        if !Task.isCancelled { try result.get() }
    }

    private func listen(_ demands: LocationDemand.Updates) async throws(NoticeError) {
        let subscription: BusSubscription
        do throws(BusError) {
            try await service.bus.connect()
            subscription = try await subscribe()
        } catch { throw NoticeError(geoClue: error, .starting) }
        defer { subscription.cancel() }
        async let reading: Void = follow(demands)
        try await serveClients()
        await reading
    }

    private func follow(_ demands: LocationDemand.Updates) async {
        for await demand in demands { news.update { $0.demand = demand } }
    }

    private func subscribe() async throws(BusError) -> BusSubscription {
        let moves = BusMatch(
            sender: GeoClueService.name,
            interface: GeoClueService.clientInterface,
            member: "LocationUpdated"
        )
        let changes = BusMatch(
            sender: GeoClueService.name,
            pathNamespace: "/org/freedesktop/GeoClue2",
            interface: GeoClueService.properties,
            member: "PropertiesChanged"
        )
        return try await service.bus.subscribe([
            .signals(moves) { [weak self] in self?.moved($0) },
            .signals(changes) { [weak self] in self?.changed($0) },
            .owner(of: GeoClueService.name) { [weak self] owner in self?.news.update { $0.owner = owner } },
        ])
    }

    /// Handles `LocationUpdated(o old, o new)`, which GeoClue sends only to the client's owner.
    private func moved(_ signal: BusSignal) {
        guard signal.path == news.current.client?.path, signal.arguments.count == 2,
            let new = signal.arguments[1].objectPath
        else { return ignore() }
        news.update { $0.moved = new }
    }

    /// Handles changed properties. Every client receives the changes of all clients.
    private func changed(_ signal: BusSignal) {
        let current = news.current
        if signal.path == current.location {
            news.planLook(noSoonerThan: timeouts.look)
        } else if signal.path == current.client?.path, signal.arguments.count > 1,
            signal.arguments[1]["Active"]?.boolean == false
        {
            news.update { $0.mayHaveStopped = true }
        }
    }

    // MARK: One client after the other

    private func serveClients() async throws(NoticeError) {
        var failures = 0
        var hasServed = false
        var lostBus: SuspendingClock.Instant?
        var wasStopped = false
        while !Task.isCancelled {
            var progress = Progress()
            do throws(BusError) {
                wasStopped = try await serve(&progress)
                break
            } catch {
                guard !Task.isCancelled else { return }
                let step = progress.step
                if step != .starting { lostBus = nil }
                hasServed = hasServed || step == .running
                if progress.hasFix { failures = 0 }
                switch error.code {
                case .disconnected, .noBus:
                    let since = lostBus ?? .now
                    lostBus = since
                    guard SuspendingClock.now - since < timeouts.reconnect else {
                        throw NoticeError(geoClue: error, step)
                    }
                case .noReply where failures < 5: break
                // Only a service that was running before may come back by itself.
                case .noOwner where failures < 5 && (hasServed || step != .starting): break
                default: throw NoticeError(geoClue: error, step)
                }
            }
            news.update { $0.client = nil }
            await pause(for: timeouts.firstPause * (1 << min(failures, 5)))
            failures += 1
        }
        if wasStopped, !Task.isCancelled { throw .geoClueStopped }
    }

    /// How far serving one client has progressed.
    private struct Progress {
        var step = NoticeError.GeoClueStep.starting
        var hasFix = false
    }

    /// Gets a client and reports its positions. Returns true if the agent has stopped the client, and false when the
    /// task is canceled.
    private func serve(_ progress: inout Progress) async throws(BusError) -> Bool {
        guard let first = await news.firstDemand() else { return false }
        try await service.bus.connect()
        let owner = try await service.owner()
        progress.step = .client
        let client = try await service.client(of: owner)
        var level = GeoClueAccuracy(meters: first.accuracy)
        var threshold = first.geoClueThreshold
        var distance = first.distance
        var isExact = level == .exact
        news.update { items in
            (items.client, items.location, items.moved) = (client, nil, nil)
        }
        progress.step = .consent
        try await client.configure(level, threshold)
        try await client.start()
        progress.step = .running
        news.update(after: timeouts.firstFix) { $0.withoutFix = client }
        // Read the position that was known before the client started.
        if try await look(client) { progress.hasFix = true }
        while let items = await news.next() {
            guard items.owner == owner else { throw BusError(.noReply, "GeoClue went away.") }
            if items.mayHaveStopped, try await isStopped(client) { return true }
            if client.isSame(as: items.withoutFix), !progress.hasFix { isExact = true }
            let demand = items.demand ?? first
            let wanted = isExact ? .exact : GeoClueAccuracy.level(for: demand, current: level)
            var mustLook = items.mustLook
            if wanted != level {
                try await change(client, to: wanted)
                level = wanted
                mustLook = true
            }
            if demand.geoClueThreshold != threshold {
                try await client.set("DistanceThreshold", .uint32(demand.geoClueThreshold))
                threshold = demand.geoClueThreshold
            }
            // A change that was too small to report may be large enough now.
            mustLook = mustLook || demand.distance < distance
            distance = demand.distance
            // The first read may have reported it already.
            if let moved = items.moved, moved != items.location {
                if try await read(moved, of: client) { progress.hasFix = true }
            } else if mustLook, try await look(client) {
                progress.hasFix = true
            }
        }
        return false
    }

    /// Restarts the client: GeoClue reads the level only at the start.
    private func change(_ client: GeoClueClient, to level: GeoClueAccuracy) async throws(BusError) {
        try await client.stop()
        try await client.set("RequestedAccuracyLevel", .uint32(level.rawValue))
        try await client.start()
    }

    private func isStopped(_ client: GeoClueClient) async throws(BusError) -> Bool {
        try await client.get("Active").boolean == false
    }

    // MARK: Positions

    /// Reports the client's current position; returns false if it has none.
    private func look(_ client: GeoClueClient) async throws(BusError) -> Bool {
        let path = try await client.get("Location").objectPath
        guard let path, path != .root else { return false }
        return try await read(path, of: client)
    }

    /// Reports a location object, or the client's newest one if that object is already gone.
    private func read(_ path: BusObjectPath, of client: GeoClueClient) async throws(BusError) -> Bool {
        var path = path
        for isLast in [false, true] {
            guard path.text.hasPrefix(client.path.text + "/") else { break }
            do throws(BusError) {
                let values = try await client.location(path)
                news.update { $0.location = path }
                guard let fix = values.flatMap({ LocationFix(geoClue: $0, at: Date()) }) else { break }
                report(fix)
                return true
            } catch {
                guard [.unknownMember, .accessDenied, .remoteError].contains(error.code) else { throw error }
                guard !isLast,
                    let newest = try await client.get("Location").objectPath,
                    newest != path
                else { break }
                path = newest
            }
        }
        ignore()
        return false
    }
}
