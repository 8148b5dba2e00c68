import Belfry
import BelfryAgent
import BelfryBus

/// A call about one app, with its caller and the app's center.
struct AppCall: Sendable {
    let caller: CallerIdentity
    let center: NoticeCenter
    /// The arguments after the app's identifier.
    let arguments: [BusValue]
    private let queue: AppQueue
    private let lists: OpenLists
    private let reader: OpenLists.Reader

    init(
        _ call: BusIncomingCall,
        by caller: CallerIdentity,
        to center: NoticeCenter,
        at host: AppHost,
        lists: OpenLists
    ) {
        self.caller = caller
        self.center = center
        self.lists = lists
        arguments = Array(call.arguments.dropFirst())
        queue = host.queue
        reader = OpenLists.Reader(
            sender: call.sender,
            app: host.app.id,
            method: call.method,
            question: arguments.compactMap(\.string)
        )
    }

    var string: String { arguments.first?.string ?? "" }
    var strings: [String] { arguments.first?.strings ?? [] }

    func value<Value: Decodable & Sendable>(
        _ type: Value.Type,
        atMost limit: Int = RequestLength.limit
    ) async throws(NoticeError) -> Value {
        let text = string
        return try await queue.perform { coding throws(NoticeError) in try coding.value(type, text, atMost: limit) }
    }

    func values<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ texts: [String],
        atMost limit: Int? = nil
    ) async throws(NoticeError) -> [Value] {
        try await queue.perform { coding throws(NoticeError) in try coding.values(type, texts, atMost: limit) }
    }

    func text(_ value: some Encodable & Sendable) async throws(NoticeError) -> BusValue {
        .string(try await queue.perform { coding throws(NoticeError) in try coding.text(value) })
    }

    /// The offset in a list, from the last argument.
    private var offset: Int { arguments.last?.integer() ?? 0 }

    /// Returns the page of a list that begins at ``offset``.
    func page<Element: Encodable & Sendable>(of list: () async throws -> [Element]) async throws -> [BusValue] {
        let page = try await lists.page(of: reader, from: offset) {
            let elements = try await list()
            return try await queue.perform { coding throws(NoticeError) in try coding.texts(elements) }
        }
        return [.strings(page.texts), .boolean(page.hasMore)]
    }

    /// Returns a page of the pending requests. Their order is computed once, their contents for each page.
    func pendingPage() async throws -> [BusValue] {
        let page = try await lists.page(of: reader, from: offset) {
            try await center.pendingIDs()
        } reading: { ids in
            let notices = try await center.pending(ids)
            return try await queue.perform { coding throws(NoticeError) in
                try notices.map { notice throws(NoticeError) in
                    try notice.map { notice throws(NoticeError) in try coding.text(notice) }
                }
            }
        }
        return [.strings(page.texts), .boolean(page.hasMore)]
    }
}

extension AppCall {
    /// Adds requests. A bus error has only a name and a message. Therefore the invalid one of several requests is named
    /// in a report without added requests.
    func add(
        _ requests: [NoticeRequest],
        allOrNothing: Bool
    ) async throws(NoticeError) -> NoticeCenter.AddReport {
        do throws(NoticeError) {
            let (allowed, refused) = try requests.accepted(allOrNothing: allOrNothing) { request throws(NoticeError) in
                try caller.rules?.check(request)
                return request
            }
            var report = try await center.add(allowed, allOrNothing: allOrNothing)
            report.refused = refused + report.refused
            return report
        } catch {
            guard requests.count > 1, error.requestID != nil else { throw error }
            return NoticeCenter.AddReport(added: [], refused: [error])
        }
    }
}
