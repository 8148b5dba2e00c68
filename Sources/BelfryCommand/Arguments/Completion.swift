import ArgumentParser
import Belfry
import BelfryAgent
import BelfrySQLite
import BelfrySchedules

/// What a shell offers for a value after TAB. Asking starts no agent and makes no store; what can't be found out in time
/// is not offered.
extension CompletionKind {
    /// Requests that are still to be shown; a series by its base.
    static let pendingIDs = custom { words, _, _ in
        await Self.answer(words) { center in try await center.pending().map { $0.request.series ?? $0.id } }
    }

    /// Requests of which the history tells.
    static let historyIDs = custom { words, _, _ in
        await Self.answer(words) { center in
            try await center.history(HistoryQuery(limit: 500, newestFirst: true)).map(\.requestID)
        }
    }

    /// Apps that have left something with the agent.
    static let appIDs = custom { _, _, _ in AgentPlace().apps().sorted() }

    /// The names that the zone data has.
    static let zones = shellCommand("cut -s -f 3 /usr/share/zoneinfo/zone1970.tab | grep /")

    static let schedules = file(extensions: ["json", "json5", "ics"])
    static let tracks = file(extensions: ["gpx", "nmea"])
    static let plugins = file(extensions: ["so"])

    /// The names that ``PolicyName`` reads.
    static func names<Policy>(of: Policy.Type) -> CompletionKind
    where Policy: RawRepresentable & CaseIterable, Policy.RawValue == String {
        list(Policy.allCases.map(\.rawValue))
    }

    private static func answer(
        _ words: [String],
        _ ids: @escaping @Sendable (NoticeCenter) async throws -> [String]
    ) async -> [String] {
        let found = await withTimeout(.seconds(1)) { () -> [String] in
            guard let center = await center(storeIn: words) else { return [] }
            return (try? await ids(center)) ?? []
        }
        return Set(found ?? []).sorted()
    }

    /// Of the store that the words so far name, else of the agent where it runs.
    private static func center(storeIn words: [String]) async -> NoticeCenter? {
        guard let store = words.lastIndex(of: "--store").flatMap({ words.dropFirst($0 + 1).first }) else {
            guard case .running? = try? await AgentDirectory().presence() else { return nil }
            return try? await StoreOptions.center(ofStore: nil)
        }
        guard SQLiteRequestStore.exists(in: PathText.path(store)) else { return nil }
        return try? await StoreOptions.center(ofStore: store)
    }
}
