// Windows: the source of each is asked where the position has left what its last answer covers. What it answers is taken in
// as one change (`Schedule+Renewing`).
extension Schedule {
    /// From now on the source is asked; a window of that name is replaced. What an earlier run left pending stays until the
    /// first answer.
    mutating func keep(_ window: PlaceWindow, ticket: Ticket) {
        windows[window.name] = WindowWatch(
            window,
            record: windowRecords[window.name],
            earlier: windows[window.name]
        )
        lookAtWindows()
        answer(ticket, .done)
    }

    /// Its requests are removed, and nothing is remembered of it. Unknown names are no error.
    mutating func endWindow(_ name: String, ticket: Ticket) {
        let owner = RequestOwner.window(name)
        setWindow(name, nil, record: nil)
        let owned = owners[owner]
        guard !owned.isEmpty else { return answer(ticket, .done) }
        setOwner(owner, [:])
        let pending = owned.keys.filter { entries.slot(of: $0) != nil }
        remove(pending.sorted(), outcome: .removed, detail: "its window '\(name)' has ended", ticket: ticket)
    }

    /// A fix was taken: places that come in later are judged by it.
    mutating func noteForWindows(_ fix: PositionFix) {
        guard !windows.isEmpty else { return }
        for name in windows.keys { windows[name]?.take(fix) }
        windowsAreStale = true
    }

    mutating func windowFailed(_ question: WindowQuestion, _ error: NoticeError) {
        guard isRunning, windows[question.window]?.question == question else { return }
        if windows[question.window]?.fail(error, at: now.boot) == true { batch.then.append(.report(error)) }
        lookAtWindows()
    }

    mutating func endWindowRetries() {
        for (name, watch) in windows {
            guard let retryAt = watch.retryAt, retryAt <= now.boot else { continue }
            windows[name]?.retryAt = nil
            lookAtWindows()
        }
    }

    /// The questions that are to be asked now. They wait for no commit.
    mutating func windowQuestions() -> [ScheduleEffect] {
        guard windowsAreStale else { return [] }
        windowsAreStale = false
        guard isRunning else { return [] }
        var questions: [ScheduleEffect] = []
        for (name, watch) in windows.sorted(by: { $0.key < $1.key }) {
            guard let fix = watch.isDue else { continue }
            let question = WindowQuestion(window: name, number: nextQuestion, fix: fix)
            nextQuestion += 1
            windows[name]?.question = question
            questions.append(.ask(question, watch.window))
        }
        return questions
    }

    /// Identifiers that the app uses for requests of its own are no window's any more.
    mutating func takeFromWindows(_ ids: some Sequence<String>) {
        guard !owners.isEmpty else { return }
        disown(ids.filter { owners.references[$0]?.owner.window != nil })
    }

    /// Metres from a fix to where a window wants another one at the latest.
    func windowSlack(at fix: PositionFix) -> Double {
        windows.values.reduce(.infinity) { min($0, $1.unseen(from: fix)) }
    }

    func windowReports() -> [PlaceWindowReport] {
        let owned = owners.owners.compactMap(\.window)
        return Set(windows.keys).union(windowRecords.keys).union(owned).sorted().map { name in
            let ids = owners[.window(name)].keys
            let pending = ids.count { entries.slot(of: $0) != nil }
            return PlaceWindowReport(
                name: name,
                isKept: windows[name] != nil,
                pending: pending,
                done: (windowRecords[name]?.done.count ?? 0) + ids.count - pending,
                failure: windows[name]?.failure
            )
        }
    }

    private mutating func lookAtWindows() {
        windowsAreStale = true
        positions.isStale = true
    }

    // MARK: The only places that change what is stored of a window

    mutating func setWindow(_ name: String, _ watch: WindowWatch?, record: WindowRecord?) {
        batch.undo.append(.window(name, windows[name], windowRecords[name]))
        windows[name] = watch
        if windowRecords[name] != record {
            windowRecords[name] = record
            batch.changes.append(.putWindow(name, record))
        }
        lookAtWindows()
    }

    /// What the store did not take is as before; the source is asked again when it takes something.
    mutating func writeWindow(_ name: String, _ old: WindowWatch?, record: WindowRecord?) {
        var old = old
        // That of before has been answered; there may be another one since.
        old?.question = windows[name]?.question
        if old?.question == nil { old?.retryAt = commits.pausedUntil }
        windows[name] = old
        windowRecords[name] = record
        lookAtWindows()
    }
}

extension PositionDemand {
    /// The same, with a fix after each stride of a window at the latest.
    func within(stride: Double) -> PositionDemand {
        guard distance > stride else { return self }
        var step = 8.0
        while step * 2 <= stride { step *= 2 }
        return PositionDemand(accuracy: min(max(step, 10), 1_000), distance: step)
    }
}
