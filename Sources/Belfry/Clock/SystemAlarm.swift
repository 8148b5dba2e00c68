import Synchronization

/// One deadline on the machine's clocks. Timers are armed by whoever sets the deadline; the news is read on the
/// centers' thread and handed to the task that runs the alarm, which wakes the listener.
final class SystemAlarm: WakeAlarm {
    private struct State {
        /// Nil when closed: at the end of a run, or never run and dropped.
        var descriptors: ClockDescriptors?
        var deadline: WakeDeadline?
        /// To news of the zone.
        var subscription: UInt64 = 0
        var isRunning = false
        /// A timer has expired and nobody has looked whether the deadline has come.
        var hasExpired = false
        var clockWasSet = false
        var zoneHasChanged = false
        var failure: NoticeError?
        var waiter: CheckedContinuation<WakeReason?, Never>?
    }

    /// Held while timers are armed, which does not block; never while the listener is called.
    private let state: Mutex<State>
    private let zones: ZoneWatch

    init(zones: ZoneWatch) throws(NoticeError) {
        self.zones = zones
        state = Mutex(State(descriptors: try ClockDescriptors()))
        // From now on: who looks at the zone after this misses no change.
        let subscription = zones.listen { [weak self] in self?.change { $0.zoneHasChanged = true } }
        state.withLock { $0.subscription = subscription }
    }

    deinit {
        let (descriptors, subscription) = state.withLock { ($0.descriptors, $0.subscription) }
        descriptors?.close()
        zones.forget(subscription)
    }

    func set(_ deadline: WakeDeadline?) {
        change { state in
            state.deadline = deadline
            Self.arm(&state)
        }
    }

    func run(waking listener: any WakeListener) async throws(NoticeError) {
        let descriptors = try begin()
        let watches: ClockWatches
        do throws(NoticeError) { watches = try await ClockWatches(descriptors, telling: self) } catch {
            finish(descriptors)
            throw error
        }
        await withTaskCancellationHandler {
            while let reason = await nextNews() { await listener.woke(reason) }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: nil)
        }
        state.withLock { $0.descriptors = nil }
        await watches.end()
        finish(descriptors)
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func finish(_ descriptors: ClockDescriptors) {
        descriptors.close()
        state.withLock { state in
            state.descriptors = nil
            state.isRunning = false
        }
    }

    private func begin() throws(NoticeError) -> ClockDescriptors {
        try state.withLock { state throws(NoticeError) in
            guard !state.isRunning else {
                throw NoticeError(.unsupported, "This alarm is running already: make one for each listener.")
            }
            // Closed where this is a second run.
            let descriptors = if let open = state.descriptors { open } else { try ClockDescriptors() }
            state.descriptors = descriptors
            state.isRunning = true
            state.failure = nil
            Self.arm(&state)
            return descriptors
        }
    }

    /// What a descriptor has become readable for; on the centers' thread.
    func takeIn(_ side: ClockDescriptors.Side, of descriptors: ClockDescriptors) {
        change { state in
            do throws(NoticeError) {
                switch side {
                case .boot:
                    _ = try descriptors.readTimer(descriptors.bootTimer)
                    state.hasExpired = true
                case .wall:
                    guard try descriptors.readTimer(descriptors.wallTimer) else { return state.hasExpired = true }
                    state.clockWasSet = true
                    // Armed anew, for the deadline and for being told of the next set.
                    Self.arm(&state)
                }
            } catch { state.failure = error }
        }
    }

    /// Arms the timers for the deadline; a failure ends the run.
    private static func arm(_ state: inout State) {
        guard let descriptors = state.descriptors else { return }
        do throws(NoticeError) {
            if try descriptors.arm(state.deadline) { state.clockWasSet = true }
        } catch { state.failure = error }
    }

    /// Changes the state and hands over what has become news by it.
    private func change(_ change: (inout State) -> Void) {
        let (waiter, news) = state.withLock { state -> (CheckedContinuation<WakeReason?, Never>?, WakeReason?) in
            change(&state)
            guard let waiter = state.waiter else { return (nil, nil) }
            // A waiter whose task was cancelled looks for itself.
            let news = Self.takeNews(&state)
            guard news != nil || state.failure != nil else { return (nil, nil) }
            state.waiter = nil
            return (waiter, news)
        }
        waiter?.resume(returning: news)
    }

    private static func takeNews(_ state: inout State) -> WakeReason? {
        if state.clockWasSet {
            state.clockWasSet = false
            return .clockSet
        }
        if state.zoneHasChanged {
            state.zoneHasChanged = false
            return .zoneChanged
        }
        guard state.hasExpired else { return nil }
        state.hasExpired = false
        // The deadline may have been moved since, and the news of an old one is none.
        guard let deadline = state.deadline else { return nil }
        guard deadline.isDue(at: SystemTriggerClock.read()) else {
            arm(&state)
            return state.clockWasSet ? takeNews(&state) : nil
        }
        state.deadline = nil
        return .due
    }

    private func nextNews() async -> WakeReason? {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> WakeReason?? in
                if Task.isCancelled || state.failure != nil { return .some(nil) }
                if let news = Self.takeNews(&state) { return news }
                if state.failure != nil { return .some(nil) }
                state.waiter = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
