package import Belfry
package import BelfryTesting
import FoundationEssentials

/// The rules that every `RequestStore` must obey, as checks. Only this package has stores, so the suite is no part of
/// BelfryTesting.
///
/// ```swift
/// let suite = RequestStoreConformance(
///     reopen: { _ in try FileStore(at: path) },
///     breakNextTransaction: { ($0 as! FileStore).failAfter(writes: 2) }
/// ) { try FileStore(at: newPath()) }
/// try await suite.runAll().verify()
/// ```
///
/// Each check makes an empty store.
package struct RequestStoreConformance: Sendable {
    let makeStore: @Sendable () async throws -> any RequestStore
    let reopen: (@Sendable (any RequestStore) async throws -> any RequestStore)?
    let breakNextTransaction: (@Sendable (any RequestStore) async throws -> Void)?
    let limit: Duration

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - limit: The timeout of one check, in real time.
    ///   - reopen: Reopens what a store has kept, without closing it first, as after a crash. Nil if it keeps nothing.
    ///   - breakNextTransaction: Makes the next transaction fail halfway. Nil if that is not possible.
    ///   - makeStore: Makes an empty store.
    package init(
        limit: Duration = .seconds(60),
        reopen: (@Sendable (any RequestStore) async throws -> any RequestStore)? = nil,
        breakNextTransaction: (@Sendable (any RequestStore) async throws -> Void)? = nil,
        _ makeStore: @escaping @Sendable () async throws -> any RequestStore
    ) {
        self.makeStore = makeStore
        self.reopen = reopen
        self.breakNextTransaction = breakNextTransaction
        self.limit = limit
    }

    /// Runs every check, one after another. Errors are in the report, and none is thrown.
    package func runAll() async -> ConformanceReport {
        let kind = (try? await makeStore()).map { "\(type(of: $0))" } ?? "a store that can't be made"
        return await ConformanceCheck.run(checks, of: "The store \(kind)", within: limit)
    }

    private var checks: [ConformanceCheck] {
        [
            ConformanceCheck("A new store is empty", startsEmpty),
            ConformanceCheck("A request comes back as it was put", keepsRequests),
            ConformanceCheck("A request that is put again under its revision changes its trigger", renewsRequests),
            ConformanceCheck("Pending requests are loaded in the order of their revisions", loadsInOrder),
            ConformanceCheck("The next revision is greater than every one before", neverReusesRevisions),
            ConformanceCheck("Progress is updated in place", updatesProgress),
            ConformanceCheck("Content stays readable until it is dropped", keepsContentUntilDropped),
            ConformanceCheck("A batch is applied in the order given", appliesBatchesInOrder),
            ConformanceCheck("An empty batch changes nothing", takesEmptyBatches),
            ConformanceCheck("A batch of ten thousand is stored", takesLargeBatches),
            ConformanceCheck("Commits at the same time are all stored", takesConcurrentCommits),
            ConformanceCheck("Deliveries are put, replaced and removed by their identifiers", keepsDeliveries),
            ConformanceCheck("The history answers oldest first, by request, and the newest so many", answersTheHistory),
            ConformanceCheck("Responses are kept until they are removed", keepsResponses),
            ConformanceCheck(
                "Categories, authorization, clock mapping, owners' entries and quiet hours are the last ones put",
                keepsSettings
            ),
            ConformanceCheck("Regions come back, and where the position is to them", keepsPlaces),
            ConformanceCheck("What is kept of a feed is the last that was put", keepsFeeds),
            ConformanceCheck("Any text survives", keepsAnyText),
            ConformanceCheck("What was committed is there after reopening", survivesReopening),
            ConformanceCheck("A commit that fails changes nothing", isAtomic),
        ]
    }
}

extension RequestStoreConformance {
    static let date = Date(timeIntervalSince1970: 1_800_000_000)

    static func request(_ id: String, _ content: NoticeContent? = nil) -> NoticeRequest {
        NoticeRequest(id: id, content: content ?? NoticeContent(title: "Title of \(id)"), trigger: .date(date))
    }

    static func put(_ id: String, _ revision: Int64) -> StoreChange {
        .putRequest(request(id), revision: revision, TriggerProgress(anchor: revision * 10))
    }

    static func delivery(_ id: String, of requestID: String, revision: Int64) -> DeliveryRecord {
        DeliveryRecord(
            id: id,
            requestID: requestID,
            revision: revision,
            dueAt: TriggerInstant(wall: 1_800_000_000_000_000, boot: 1),
            traits: DeliveryTraits(request(requestID))
        )
    }

    static func response(_ id: String, _ kind: NoticeResponse.Kind = .opened, after seconds: Double = 0)
        -> NoticeResponse
    {
        NoticeResponse(
            id: id,
            requestID: "request of \(id)",
            deliveryID: "delivery of \(id)",
            kind: kind,
            date: date.addingTimeInterval(seconds),
            series: "series",
            userInfo: ["key": .array([.int(.max), .double(0.1), .null])],
            activationToken: "token"
        )
    }

    static func line(_ requestID: String, _ number: Int) -> HistoryEntry {
        HistoryEntry(
            requestID: requestID,
            date: date.addingTimeInterval(Double(number)),
            outcome: HistoryEntry.Outcome.allCases[number % HistoryEntry.Outcome.allCases.count],
            late: number.isMultiple(of: 2) ? .milliseconds(number) : nil,
            detail: "line \(number)",
            backend: number.isMultiple(of: 3) ? "recorder" : nil,
            thread: number.isMultiple(of: 5) ? "thread ä" : nil
        )
    }
}
