public import Belfry
public import FoundationEssentials

/// A location provider for tests, which reports only the location fixes that a test passes to it.
///
/// ```swift
/// let clock = ManualTriggerClock()
/// let position = ManualLocationProvider(clock: clock)
/// let center = NoticeCenter(app: app, backend: backend, clock: .manual(clock), location: position)
/// position.report(latitude: 48.137, longitude: 11.575, accuracy: 15)
/// ```
///
/// While no center requests location fixes, the last fix is kept and reported when one does.
public final class ManualLocationProvider: LocationProvider {
    private struct State {
        var last: LocationFix?
        var runs: [Int: Run] = [:]
        var lastRun = 0
        var demand: LocationDemand?
    }

    private struct Run {
        let report: @Sendable (LocationFix) -> Void
        /// The error that ends the run; nil if its task is canceled.
        let end = AwaitedValue<NoticeError?>()
    }

    public let name = "manual"
    public var mayBlock: Bool { false }
    private let state = AwaitedState(State())

    private let clock: ManualTriggerClock?

    /// Creates a provider without a location fix.
    ///
    /// - Parameter clock: The center's manual clock, by which fixes are dated; nil for the system's clock.
    public init(clock: ManualTriggerClock? = nil) { self.clock = clock }

    /// The latest demand; nil while no location fix is requested.
    public var demand: LocationDemand? { state.withLock { $0.demand } }

    /// Whether a center receives location fixes now.
    public var isRunning: Bool { state.withLock { !$0.runs.isEmpty } }

    /// Reports a location fix. Callable from any thread; never blocks.
    public func report(_ fix: LocationFix) {
        let runs = state.withLock { state in
            state.last = fix
            return Array(state.runs.values)
        }
        for run in runs { run.report(fix) }
    }

    /// Reports a location fix from its parts.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north.
    ///   - longitude: Degrees east.
    ///   - accuracy: Meters; nil if unknown.
    ///   - date: The time of the measurement; nil for now, by the provider's clock.
    public func report(latitude: Double, longitude: Double, accuracy: Double? = nil, date: Date? = nil) {
        let date = date ?? clock?.date ?? .now
        report(LocationFix(latitude: latitude, longitude: longitude, accuracy: accuracy, date: date))
    }

    /// Ends all runs with an error. The center reports it and retries later. Returns when the center knows.
    public func fail(_ error: NoticeError) async {
        let runs = state.withLock { state in
            state.last = nil
            return Array(state.runs.values)
        }
        guard !runs.isEmpty else { return }
        for run in runs { run.end.give(error) }
        await state.wait { $0.runs.isEmpty }
        await withCheckedContinuation { continuation in
            // Two hops on that thread: the center processes the end of the run in the first.
            CenterThread.shared.perform { CenterThread.shared.perform { continuation.resume() } }
        }
    }

    private func end(_ number: Int) {
        state.withLock { state in
            state.runs[number] = nil
            if state.runs.isEmpty { state.demand = nil }
        }
    }

    public func run(
        demands: LocationDemand.Updates,
        reporting report: @escaping @Sendable (LocationFix) -> Void
    ) async throws(NoticeError) {
        let run = Run(report: report)
        let (number, last) = state.withLock { state in
            state.lastRun += 1
            state.runs[state.lastRun] = run
            return (state.lastRun, state.last)
        }
        defer { end(number) }
        if let last { report(last) }
        let error = await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: CenterThread.shared) {
                for await demand in demands { self.state.withLock { $0.demand = demand } }
            }
            let error = await run.end.value(late: nil, cancelled: nil)
            group.cancelAll()
            return error
        }
        if let error { throw error }
    }
}
