/// The run of the location provider: begun, told and ended as positions are wanted. And how many sources of region
/// feeds are being asked.
struct Locating {
    private enum Phase {
        case running
        /// Cancelled, and not over.
        case ending
        /// It returned by itself, and has no more to report.
        case over
    }

    private struct Run {
        let number: Int
        let demands: LocationDemand.Source
        var demand: LocationDemand
        var phase = Phase.running
        var task: Task<Void, Never>?
        /// Of its ending.
        var timeout: Timeout?
    }

    /// What a new demand makes necessary.
    enum Step {
        case none
        case start(run: Int, LocationDemand.Updates)
        /// It has been cancelled, and may take so long to end.
        case stop(run: Int)
    }

    /// Location fixes of the run at hand.
    let inbox = FixInbox()
    private var run: Run?
    private var runCount = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var questions = 0

    /// A run has been cancelled, and is not over.
    var isEnding: Bool { run?.phase == .ending }
    var isAskingFeeds: Bool { questions > 0 }

    mutating func beginQuestion() { questions += 1 }
    mutating func endQuestion() { questions -= 1 }

    /// Passes on what is wanted now; nil is nothing.
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

    /// The run at hand has begun in this task.
    mutating func began(_ task: Task<Void, Never>) { run?.task = task }

    /// The run at hand is given up after this timeout.
    mutating func setTimeout(_ timeout: Timeout) { run?.timeout = timeout }

    /// True where a run that was cancelled has not ended in time: another may begin beside it.
    mutating func abandon(_ number: Int) -> Bool {
        guard run?.number == number, isEnding else { return false }
        forget()
        return true
    }

    /// A run has returned, or thrown. Returns what the schedule must hear of it.
    mutating func ended(_ number: Int, _ failure: NoticeError?) -> [CommitQueue.Item] {
        guard let current = run, current.number == number else { return [] }
        if current.phase == .running {
            guard let failure else {
                run?.phase = .over
                return []
            }
            forget()
            return [.event(.positionLost(failure)), .fixes]
        }
        // A region may have come meanwhile, which begins another run.
        forget()
        return [.fixes]
    }

    private mutating func forget() {
        run?.timeout?.end()
        inbox.listen(to: 0)
        run = nil
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    /// Resumes `waiter` when the run has ended, or was given up.
    mutating func wait(_ waiter: CheckedContinuation<Void, Never>) {
        if isEnding { waiters.append(waiter) } else { waiter.resume() }
    }
}
