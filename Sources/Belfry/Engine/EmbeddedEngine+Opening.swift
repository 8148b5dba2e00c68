extension EmbeddedEngine {
    /// The number of dormant requests reported one by one; one error covers the rest.
    private static let reportedOneByOne = 20

    /// Reports the errors found on opening the store, to the listeners or else to the first listener.
    func reportErrors(of state: StoredState) {
        var errors = state.errors
        for dormant in state.dormant.prefix(Self.reportedOneByOne) {
            errors.append(
                NoticeError(
                    .unknownTriggerKind,
                    "The request '\(dormant.requestID)' stays pending and doesn't fire: its trigger "
                        + "'\(dormant.kind.rawValue)' can't be read. Register its kind in the program that opens the "
                        + "store, or remove it.",
                    cause: dormant.reason
                )
            )
        }
        let rest = state.dormant.count - Self.reportedOneByOne
        if rest > 0 {
            errors.append(
                NoticeError(
                    .unknownTriggerKind,
                    "So do \(rest) more requests whose triggers can't be read: remove them, or use the program that "
                        + "added them."
                )
            )
        }
        for error in errors { report(error) }
    }

    /// Returns the dormant requests that the history doesn't list as dormant yet, at most 1,000. Entries at each start,
    /// or for very many requests, would displace all others.
    func newlyDormant(of state: StoredState) async -> [StoredState.Dormant] {
        guard !state.dormant.isEmpty else { return [] }
        let lines = (try? await setup.store.history(HistoryQuery(outcomes: [.dormant]))) ?? []
        let known = Set(lines.map(\.requestID))
        return Array(state.dormant.lazy.filter { !known.contains($0.requestID) }.prefix(1_000))
    }
}
