#if CommandLine
import ArgumentParser
import Belfry
import BelfryAgent
import BelfrySQLite
import BelfrySchedules

/// The completions of values in a shell. They start no agent and create no store. Values that are not found within the
/// timeout are omitted.
extension CompletionKind {
    /// The identifiers of pending requests; a series by its base.
    static let pendingIDs = custom { words, _, _ in
        await Self.identifiers(words) { center in try await center.pending().map { $0.request.series ?? $0.id } }
    }

    /// The identifiers of requests in the history.
    static let historyIDs = custom { words, _, _ in
        await Self.identifiers(words) { center in
            try await center.history(HistoryQuery(limit: 500, newestFirst: true)).map(\.requestID)
        }
    }

    /// The identifiers of apps that have stored something in the agent.
    static let appIDs = custom { _, _, _ in AgentStorage().apps().sorted() }

    /// The zone names of the time zone database.
    static let zones = shellCommand("cut -s -f 3 /usr/share/zoneinfo/zone1970.tab | grep /")

    static let schedules = file(extensions: ["json", "json5", "ics"])
    static let tracks = file(extensions: ["gpx", "nmea"])
    static let plugins = file(extensions: ["so"])

    /// The names that ``PolicyName`` reads.
    static func names<Policy>(of: Policy.Type) -> CompletionKind
    where Policy: RawRepresentable & CaseIterable, Policy.RawValue == String {
        list(Policy.allCases.map(\.rawValue))
    }

    private static func identifiers(
        _ words: [String],
        _ ids: @escaping @Sendable (NoticeCenter) async throws -> [String]
    ) async -> [String] {
        let found = await withTimeout(.seconds(1)) { () -> [String] in
            guard let center = await center(storeIn: words) else { return [] }
            return (try? await ids(center)) ?? []
        }
        return Set(found ?? []).sorted()
    }

    /// Returns a center on the store that the words so far name, else the agent's center if the agent runs.
    private static func center(storeIn words: [String]) async -> NoticeCenter? {
        var options = StoreOptions()
        options.path = store(in: words)
        if options.path == nil {
            guard case .running? = try? await AgentDirectory().presence() else { return nil }
        }
        return try? await options.center()
    }

    /// Returns the last value of `--store`. Of `--store=PATH` bash makes three words, other shells one.
    private static func store(in words: [String]) -> String? {
        let (option, assigned) = ("--store", "--store=")
        guard let index = words.lastIndex(where: { $0 == option || $0.hasPrefix(assigned) }) else { return nil }
        guard words[index] == option else { return String(words[index].dropFirst(assigned.count)) }
        return words[(index + 1)...].first { $0 != "=" }
    }
}
#endif
