import Belfry
import BelfryAgent
import BelfryBus

/// A call about one app, with its caller and the app's center.
struct AppCall: Sendable {
    let caller: CallerIdentity
    let center: NoticeCenter
    /// The arguments after the app's identifier.
    let arguments: [BusValue]
    let queue: AppQueue
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

    /// Decodes the first argument, and checks it unless `check` is nil.
    func value<Value: Decodable & Sendable>(
        _ type: Value.Type,
        checking check: (@Sendable (Value) throws(NoticeError) -> Void)? = nil
    ) async throws(NoticeError) -> Value {
        try await queue.value(type, string, atMost: AgentCoding.requestLimit, checking: check)
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
    /// Adds the requests of the first argument. A bus error has only a name and a message. Therefore the invalid one of
    /// several requests is named in a report without added requests.
    func add(allOrNothing: Bool) async throws(NoticeError) -> NoticeCenter.AddReport {
        let (texts, rules) = (strings, caller.rules)
        do throws(NoticeError) {
            let (allowed, refused) = try await queue.perform { coding throws(NoticeError) in
                var (requests, unreadable): ([NoticeRequest], [NoticeError]) = ([], [])
                for text in texts {
                    do throws(NoticeError) {
                        requests.append(try coding.value(NoticeRequest.self, text, atMost: AgentCoding.requestLimit))
                    } catch {
                        // Numbers are checked while decoding, so the identifier may be all that can be decoded.
                        let id = try? coding.value(RequestID.self, text, atMost: RequestID.longestText).id
                        guard let id, !allOrNothing else { throw id.map(error.naming) ?? error }
                        unreadable.append(error.naming(id))
                    }
                }
                let (allowed, refused) = try requests.accepted(allOrNothing: allOrNothing) {
                    request throws(NoticeError) in
                    try rules?.check(request)
                    return request
                }
                return (allowed, unreadable + refused)
            }
            var report = try await center.add(allowed, allOrNothing: allOrNothing)
            report.refused = refused + report.refused
            return report
        } catch {
            guard texts.count > 1, error.requestID != nil else { throw error }
            return NoticeCenter.AddReport(added: [], refused: [error])
        }
    }
}

/// The identifier in the JSON of a request.
private struct RequestID: Decodable {
    let id: String

    /// Reading a text once more takes as long again. Only a long `userInfo` makes one longer than these bytes.
    static let longestText = 65_536
}
