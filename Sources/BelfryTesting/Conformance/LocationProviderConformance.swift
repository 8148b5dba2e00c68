public import Belfry

/// The rules that every ``Belfry/LocationProvider`` must obey, as checks for your own provider.
///
/// ```swift
/// let report = await LocationProviderConformance { GPSDProvider() }.runAll()
/// print(report)
/// try report.verify()
/// ```
///
/// Each check makes a provider and runs it. Location fixes must be available.
public struct LocationProviderConformance: Sendable {
    private let timeout: Duration
    private let move: @Sendable () async throws -> Void
    private let makeProvider: @Sendable () async throws -> any LocationProvider

    /// Creates a suite. An error that a closure throws fails the rule that is checked, and is in the report.
    ///
    /// - Parameters:
    ///   - timeout: The timeout of a first fix, and of the end after cancellation, in real time.
    ///   - move: Makes another fix available, such as by moving the receiver; empty if fixes come by themselves.
    ///   - makeProvider: Makes the tested provider; it is called at least once for each rule.
    public init(
        timeout: Duration = .seconds(10),
        move: @escaping @Sendable () async throws -> Void = {},
        _ makeProvider: @escaping @Sendable () async throws -> any LocationProvider
    ) {
        self.timeout = timeout
        self.move = move
        self.makeProvider = makeProvider
    }

    /// Runs every check, one after another. Errors are in the report, and none is thrown.
    public func runAll() async -> ConformanceReport {
        let name = (try? await makeProvider().name) ?? "one that can't be made"
        let checks = [
            ConformanceCheck("It has a name, and always the same", keepsItsName),
            ConformanceCheck("It reports a position when it runs, and a later one", reportsPositions),
            ConformanceCheck("It goes on when the demand changes, and when there are no more demands", followsDemands),
            ConformanceCheck("Canceling ends the run, and nothing is reported afterwards", endsWhenCancelled),
            ConformanceCheck("A run that is canceled before it begins ends", endsBeforeItBegins),
            ConformanceCheck("It can be run again", runsAgain),
        ]
        return await ConformanceCheck.run(checks, of: "The location provider \"\(name)\"", within: timeout * 6)
    }

    func keepsItsName() async throws {
        let (one, other) = (try await makeProvider(), try await makeProvider())
        try expect(!one.name.isEmpty, "Its name is empty")
        try expectEqual(other.name, one.name, "The name of a second provider")
    }

    func reportsPositions() async throws {
        try await withRunning(try await makeProvider()) { fixes, _ in
            let first = try await fixes.wait(for: 1, timeout: timeout)[0]
            try expect(first.latitude.magnitude <= 90, "Its latitude is \(first.latitude)")
            try expect(first.longitude.magnitude <= 180, "Its longitude is \(first.longitude)")
            if let accuracy = first.accuracy {
                try expect(accuracy > 0, "Its accuracy is \(accuracy): nil is not known")
            }
            try await move()
            _ = try await fixes.wait(for: 2, timeout: timeout)
        }
    }

    func followsDemands() async throws {
        try await withRunning(try await makeProvider()) { fixes, demands in
            _ = try await fixes.wait(for: 1, timeout: timeout)
            // From coarse to fine demands, and both up and down.
            for distance in [100_000, 0.5, 1, 0] {
                demands.send(LocationDemand(accuracy: max(distance, 10), distance: distance))
            }
            try await move()
            _ = try await fixes.wait(for: 2, timeout: timeout)
            demands.finish()
            let count = fixes.all.count
            try await move()
            _ = try await fixes.wait(for: count + 1, timeout: timeout)
        }
    }

    func endsWhenCancelled() async throws {
        let fixes = FixRecord()
        try await withRunning(try await makeProvider(), fixes) { fixes, _ in
            _ = try await fixes.wait(for: 1, timeout: timeout)
        }
        let count = fixes.all.count
        // This causes a fix that the ended run could still report; another run receives it.
        try await withRunning(try await makeProvider()) { others, _ in
            try await move()
            _ = try await others.wait(for: 1, timeout: timeout)
        }
        try expectEqual(fixes.all.count, count, "Positions when the run had ended, and later")
    }

    func endsBeforeItBegins() async throws {
        let provider = try await makeProvider()
        let run = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await provider.run(demands: LocationDemand.Updates(LocationDemand(accuracy: 10, distance: 0))) { _ in }
        }
        try await within(timeout, "A run that was canceled before it began") { try await run.value }
    }

    func runsAgain() async throws {
        let provider = try await makeProvider()
        for _ in 1...2 {
            try await withRunning(provider) { fixes, _ in
                try await move()
                _ = try await fixes.wait(for: 1, timeout: timeout)
            }
        }
    }

    /// Runs a provider while `body` does; it has to end within the timeout, without an error.
    private func withRunning(
        _ provider: any LocationProvider,
        _ fixes: FixRecord = FixRecord(),
        _ body: (FixRecord, LocationDemand.Source) async throws -> Void
    ) async throws {
        let demands = LocationDemand.Source(LocationDemand(accuracy: 10, distance: 0))
        let run = Task { try await provider.run(demands: demands.demands) { fixes.add($0) } }
        do { try await body(fixes, demands) } catch {
            run.cancel()
            // The provider's error explains more than the missing fix.
            if case .failure(let cause as NoticeError) = await run.result { throw cause }
            throw error
        }
        run.cancel()
        try await within(timeout, "The run after it was canceled") { try await run.value }
    }
}

/// The location fixes that a provider has reported.
///
/// ```swift
/// let provider = ManualLocationProvider()
/// let record = FixRecord()
/// let demands = LocationDemand.Updates(LocationDemand(accuracy: 50, distance: 10))
/// let run = Task { try await provider.run(demands: demands) { record.add($0) } }
/// provider.report(latitude: 48.137, longitude: 11.575)
/// print(try await record.wait(for: 1))
/// run.cancel()
/// ```
public final class FixRecord: Sendable {
    private let fixes = AwaitedState<[LocationFix]>([])

    /// Creates an empty record.
    public init() {}

    /// Appends a fix.
    public func add(_ fix: LocationFix) { fixes.withLock { $0.append(fix) } }

    /// The fixes so far, in order.
    public var all: [LocationFix] { fixes.current }

    /// Returns all fixes as soon as there are `count` of them.
    ///
    /// - Throws: ``ConformanceError`` (permanent) if there are fewer when the timeout expires, and
    ///   `CancellationError`.
    public func wait(for count: Int, timeout: Duration = .seconds(60)) async throws -> [LocationFix] {
        try await within(timeout, "Position number \(count) (\(all.count) are there)") { [self] in
            guard await fixes.waitUnlessCancelled(until: { $0.count >= count }) else { throw CancellationError() }
            return all
        }
    }
}
