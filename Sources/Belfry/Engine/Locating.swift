/// The run of the location provider, which starts, changes and stops with the demand for location fixes. It also counts
/// the region feeds that are being queried.
struct Locating {
    private enum Phase {
        case running
        /// Canceled, but has not returned yet.
        case ending
        /// Returned by itself, and reports no more fixes.
        case over
    }

    private struct Run {
        let number: Int
        let demands: LocationDemand.Source
        var demand: LocationDemand
        var phase = Phase.running
        var task: Task<Void, Never>?
        /// The timeout for the run to end after its cancellation.
        var timeout: Timeout?
    }

    /// The step that a new demand requires.
    enum Step {
        case none
        case start(run: Int, LocationDemand.Updates)
        /// The run has been canceled; the caller limits the time that it may take to end.
        case stop(run: Int)
    }

    /// The location fixes of the current run.
    let inbox = FixInbox()
    private var run: Run?
    private var runCount = 0
    private var queries = 0

    /// True if a run has been canceled and has not returned yet.
    var isEnding: Bool { run?.phase == .ending }
    var isQueryingFeeds: Bool { queries > 0 }

    mutating func beginQuery() { queries += 1 }
    mutating func endQuery() { queries -= 1 }

    /// Follows the current demand; nil means none.
    mutating func follow(_ demand: LocationDemand?) -> Step {
        guard let demand else { return stop() }
        guard let current = run else {
            runCount += 1
            let demands = LocationDemand.Source(demand)
            run = Run(number: runCount, demands: demands, demand: demand)
            inbox.listen(to: runCount)
            return .start(run: runCount, demands.demands)
        }
        if current.phase == .running, current.demand != demand {
            run?.demand = demand
            current.demands.send(demand)
        }
        return .none
    }

    private mutating func stop() -> Step {
        guard let current = run, current.phase != .ending else { return .none }
        inbox.listen(to: 0)
        current.demands.finish()
        guard current.phase != .over else {
            run = nil
            return .none
        }
        run?.phase = .ending
        current.task?.cancel()
        return .stop(run: current.number)
    }

    /// Records the task of the current run.
    mutating func began(_ task: Task<Void, Never>) { run?.task = task }

    /// Records the timeout after which the current run is abandoned.
    mutating func setTimeout(_ timeout: Timeout) { run?.timeout = timeout }

    /// Abandons a canceled run that has not ended in time. Returns true if it did, so that another may begin.
    mutating func abandon(_ number: Int) -> Bool {
        guard run?.number == number, isEnding else { return false }
        forget()
        return true
    }

    /// Records that a run has returned or thrown. Returns the items for the commit queue.
    mutating func ended(_ number: Int, _ error: NoticeError?) -> [CommitQueue.Item] {
        guard let current = run, current.number == number else { return [] }
        if current.phase == .running {
            guard let error else {
                run?.phase = .over
                return []
            }
            forget()
            return [.event(.positionLost(error)), .fixes]
        }
        // A region that was added in the meantime starts another run.
        forget()
        return [.fixes]
    }

    private mutating func forget() {
        run?.timeout?.end()
        inbox.listen(to: 0)
        run = nil
    }
}
