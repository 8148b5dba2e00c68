extension EmbeddedEngine {
    /// After so many dormant requests the rest is told in one sentence.
    private static let toldOneByOne = 20

    /// What opening the store found: to whoever listens, and else to the first who comes.
    func say(_ state: StoredState) {
        var findings = state.findings
        for dormant in state.dormant.prefix(Self.toldOneByOne) {
            findings.append(
                NoticeError(
                    .unknownTriggerKind,
                    "The request '\(dormant.requestID)' stays pending and doesn't fire: its trigger "
                        + "'\(dormant.kind.rawValue)' can't be read. Register its kind in the program that opens the store, or remove it.",
                    cause: dormant.reason
                )
            )
        }
        let rest = state.dormant.count - Self.toldOneByOne
        if rest > 0 {
            findings.append(
                NoticeError(
                    .unknownTriggerKind,
                    "So do \(rest) more requests whose triggers can't be read: remove them, or use the program that added them."
                )
            )
        }
        for finding in findings { eventBroadcast.send(.error(finding)) }
    }

    /// Those that the history does not call dormant already, no more than 1,000: lines at each start, or a line for
    /// each of very many, would drive out all others.
    func newlyDormant(of state: StoredState) async -> [StoredState.Dormant] {
        guard !state.dormant.isEmpty else { return [] }
        let lines = (try? await setup.store.history(HistoryQuery(outcomes: [.dormant]))) ?? []
        let known = Set(lines.map(\.requestID))
        return Array(state.dormant.lazy.filter { !known.contains($0.requestID) }.prefix(1_000))
    }
}
