public import FoundationEssentials

/// What the user did with a notice.
///
/// ```swift
/// for await response in await center.responses() {
///     switch response.kind {
///     case .opened: print("Open \(response.requestID)")
///     case .action(let id): print("Do \(id)")
///     case .reply(_, let text): print("Send \(text)")
///     case .dismissed: break
///     }
/// }
/// ```
public struct NoticeResponse: Sendable, Codable, Hashable, Identifiable {
    /// The ways to respond.
    public enum Kind: Sendable, Codable, Hashable {
        /// A click on the notice itself.
        case opened
        /// A click on a button, with the action's identifier.
        case action(String)
        /// A typed reply, with the identifier of the action.
        case reply(action: String, text: String)
        /// The user closed the notice; reported if the content or the category requests it.
        case dismissed
    }

    /// The identifier, unique among all responses of a center.
    public var id: String
    /// The ``NoticeRequest/id`` of the notice.
    public var requestID: String
    /// The ``Delivery/id`` of the notice.
    public var deliveryID: String
    /// What the user did.
    public var kind: Kind
    /// When the response arrived.
    public var date: Date
    /// The ``NoticeSeries/id`` of the series that the notice belongs to.
    public var series: String?
    /// What the app attached to the content.
    public var userInfo: [String: JSONValue]
    /// Lets the app raise its window (an X11 startup id or a Wayland activation token); few servers send one.
    public var activationToken: String?
    /// When the snoozed notice is shown again; nil without a snooze. A snooze ends no series and no request.
    public var snoozedUntil: Date?
    /// The request of the notice, without its trigger and as it was at that firing. ``NoticeCenter/snooze(_:for:)``
    /// shows it again.
    public var request: NoticeRequest?
    /// The ``NoticeContent/thread`` of the notice. For a summary, it identifies the notices that were summarized.
    public var thread: String?
    /// How often the user had snoozed the notice before.
    public var snoozeCount: Int { snoozes ?? 0 }
    // Optional, because the store and the agent of an earlier version lack it.
    private var snoozes: Int?
    /// The content of a notice that is due and never displayed. It has no response by a user. The store keeps it like a
    /// response until the app has handled it, and the app receives it as a delivery.
    package var undisplayed: NoticeContent?
    /// How that notice came due. Optional, because the store and the agent of an earlier version lack it.
    var firing: Firing?
    /// The revision of the request that the response may end. Optional for the same reason.
    var requestRevision: Int64?
    /// The engine that can snooze the notice.
    package var origin = ResponseOrigin()

    private enum CodingKeys: String, CodingKey {
        case id, requestID, deliveryID, kind
        case date = "at"
        case series, userInfo, activationToken, snoozedUntil, request, thread,
            snoozes, undisplayed, firing, requestRevision
    }

    /// What the app learns of a firing, in ``Delivery``.
    struct Firing: Sendable, Codable, Hashable {
        var late: Duration
        var isPossiblyRepeated: Bool
        var crossing: CircularRegion.Crossing?
    }

    /// Creates a response from its parts; for tests.
    public init(
        id: String,
        requestID: String,
        deliveryID: String,
        kind: Kind,
        date: Date,
        series: String? = nil,
        userInfo: [String: JSONValue] = [:],
        activationToken: String? = nil,
        snoozedUntil: Date? = nil,
        request: NoticeRequest? = nil,
        thread: String? = nil,
        snoozeCount: Int = 0
    ) {
        self.id = id
        self.requestID = requestID
        self.deliveryID = deliveryID
        self.kind = kind
        self.date = date
        self.series = series
        self.userInfo = userInfo
        self.activationToken = activationToken
        self.snoozedUntil = snoozedUntil
        self.request = request
        self.thread = thread
        snoozes = snoozeCount == 0 ? nil : snoozeCount
    }

    /// The action's identifier; ``NoticeAction/defaultID`` for a click on the notice, nil for a dismissal.
    public var actionID: String? {
        switch kind {
        case .opened: NoticeAction.defaultID
        case .action(let id), .reply(let id, _): id
        case .dismissed: nil
        }
    }
}

extension NoticeResponse {
    /// Why a notice left the screen, with the server's number for it.
    public struct CloseReason: Sendable, Codable, Hashable {
        /// Why a notice left the screen.
        public enum Kind: String, Sendable, Codable, Hashable {
            /// Its time on the screen ended.
            case expired
            /// The user closed it.
            case dismissed
            /// A program withdrew it.
            case withdrawn
            /// The server does not report the reason.
            case unknown
        }

        /// The reason, as far as the server reports it.
        public var kind: Kind
        /// The server's number: 1 expired, 2 dismissed, 3 withdrawn by call, 4 undefined.
        public var rawValue: UInt32

        /// Creates the reason for a server's number.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
            switch rawValue {
            case 1: kind = .expired
            case 2: kind = .dismissed
            case 3: kind = .withdrawn
            default: kind = .unknown
            }
        }

        /// Creates a reason for a server whose numbers have other meanings.
        public init(_ kind: Kind, rawValue: UInt32) {
            self.kind = kind
            self.rawValue = rawValue
        }

        /// Its time on the screen ended.
        public static let expired = CloseReason(rawValue: 1)
        /// The user closed it.
        public static let dismissed = CloseReason(rawValue: 2)
        /// A program withdrew it.
        public static let withdrawn = CloseReason(rawValue: 3)
        /// The server does not report the reason.
        public static let unknown = CloseReason(rawValue: 4)
    }
}

/// A notice that is on the screen or in the server's history.
///
/// ```swift
/// for notice in try await center.delivered() where notice.content.thread == "inbox" {
///     try await center.removeDelivered(notice.requestID)
/// }
/// ```
public struct DeliveredNotice: Sendable, Codable, Hashable, Identifiable {
    /// The ``Delivery/id`` of the delivery that showed it.
    public var id: String
    /// The ``NoticeRequest/id``; at most one notice of a request is on the screen.
    public var requestID: String
    /// The content that is shown.
    public var content: NoticeContent {
        get { shared.value }
        set { shared.value = newValue }
    }
    // A list may have thousands of notices of one request.
    var shared: Shared<NoticeContent>
    /// When it was due.
    public var dueDate: Date
    /// When it appeared on the screen.
    public var date: Date
    /// How much later than due it was shown.
    public var late: Duration
    /// The ``NoticeSeries/id`` of the series that it belongs to.
    public var series: String?
    /// The backend's receipt.
    public var receipt: DeliveryReceipt
    /// How often the user has snoozed it.
    public var snoozeCount: Int { snoozes ?? 0 }
    // Optional, because the agent of an earlier version lacks it.
    var snoozes: Int?

    /// The state: always delivered, since ``date``.
    public var state: NoticeStatus { .delivered(since: date) }

    private enum CodingKeys: String, CodingKey {
        case id = "deliveryID"
        case requestID = "id"
        case shared = "content"
        case dueDate = "dueAt"
        case date = "shownAt"
        case late, series, receipt, snoozes
    }
}

extension DeliveredNotice {
    /// Creates a delivered notice from its parts; for tests.
    public init(
        id: String,
        requestID: String,
        content: NoticeContent,
        dueDate: Date,
        date: Date,
        late: Duration,
        series: String? = nil,
        receipt: DeliveryReceipt,
        snoozeCount: Int = 0
    ) {
        self.init(
            id: id,
            requestID: requestID,
            shared: Shared(content),
            dueDate: dueDate,
            date: date,
            late: late,
            series: series,
            receipt: receipt,
            snoozes: snoozeCount == 0 ? nil : snoozeCount
        )
    }
}
