public import FoundationEssentials

/// What the user did about a notice.
public struct NoticeResponse: Sendable, Codable, Hashable, Identifiable {
    /// The ways to respond.
    public enum Kind: Sendable, Codable, Hashable {
        /// A click on the notice itself.
        case opened
        /// A button, by its identifier.
        case action(String)
        /// A typed text, with the identifier of the action that took it.
        case reply(action: String, text: String)
        /// Closed by hand; reported where the category asks for it.
        case dismissed
    }

    /// Unique among all responses of a center.
    public var id: String
    /// The ``NoticeRequest/id`` of what was responded to.
    public var requestID: String
    /// The ``Delivery/id`` of what was responded to.
    public var deliveryID: String
    /// What the user did.
    public var kind: Kind
    /// When it arrived.
    public var date: Date
    /// The ``NoticeSeries/id`` of the series that the notice belongs to.
    public var series: String?
    /// What the app attached to the content.
    public var userInfo: [String: JSONValue]
    /// Lets the app raise its window (an X11 startup id or a Wayland activation token); few servers send one.
    public var activationToken: String?
    /// Not nil: the user put the notice off, and the center has done so. It comes again then, and nothing has ended.
    public var snoozedUntil: Date?
    /// What was answered, without its trigger and as it was at that firing: what ``NoticeCenter/snooze(_:for:)`` shows
    /// again.
    public var request: NoticeRequest?
    /// Of what was answered: ``NoticeContent/thread``. Of a summary it says which notices it stands for.
    public var thread: String?
    /// How often the user had put the notice off before.
    public var snoozeCount: Int { snoozes ?? 0 }
    // An earlier version's store and agent don't tell.
    private var snoozes: Int?
    /// The content of a notice that is due and never displayed. Nobody has responded then: it is kept like a response
    /// until the app has received it, and reaches it as a delivery.
    package var undisplayed: NoticeContent?
    /// Who to ask to put it off.
    package var origin = ResponseOrigin()

    private enum CodingKeys: String, CodingKey {
        case id, requestID, deliveryID, kind
        case date = "at"
        case series, userInfo, activationToken, snoozedUntil, request, thread,
            snoozes, undisplayed
    }

    /// Creates it from its parts; for tests.
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
    /// Why a notice left the screen, with the server's own number.
    public struct CloseReason: Sendable, Codable, Hashable {
        /// Why a notice left the screen.
        public enum Kind: String, Sendable, Codable, Hashable {
            /// Its time was over.
            case expired
            /// The user closed it.
            case dismissed
            /// A program took it down.
            case withdrawn
            /// The server does not say.
            case unknown
        }

        /// The reason, as far as the server says it.
        public var kind: Kind
        /// As the server sent it: 1 expired, 2 dismissed, 3 withdrawn by call, 4 undefined.
        public var rawValue: UInt32

        /// The reason behind a server's number.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
            switch rawValue {
            case 1: kind = .expired
            case 2: kind = .dismissed
            case 3: kind = .withdrawn
            default: kind = .unknown
            }
        }

        /// Creates a reason where the number and what is known of the server differ.
        public init(_ kind: Kind, rawValue: UInt32) {
            self.kind = kind
            self.rawValue = rawValue
        }

        /// Its time was over.
        public static let expired = CloseReason(rawValue: 1)
        /// The user closed it.
        public static let dismissed = CloseReason(rawValue: 2)
        /// A program took it down.
        public static let withdrawn = CloseReason(rawValue: 3)
        /// The server does not say.
        public static let unknown = CloseReason(rawValue: 4)
    }
}

/// A notice that is on the screen or in the server's history.
public struct DeliveredNotice: Sendable, Codable, Hashable, Identifiable {
    /// The ``Delivery/id`` of the delivery that brought it there.
    public var id: String
    /// The ``NoticeRequest/id``; at most one notice of a request is on the screen.
    public var requestID: String
    /// What is shown.
    public var content: NoticeContent
    /// When it was due.
    public var dueDate: Date
    /// When it came to be on the screen.
    public var date: Date
    /// How much later than due it was shown.
    public var late: Duration
    /// The ``NoticeSeries/id`` of the series that it belongs to.
    public var series: String?
    /// What the backend has said of it.
    public var receipt: DeliveryReceipt
    /// How often the user has put it off.
    public var snoozeCount: Int { snoozes ?? 0 }
    // An earlier version's agent doesn't tell.
    private var snoozes: Int?

    /// Always delivered, since its ``date``.
    public var state: NoticeStatus { .delivered(since: date) }

    /// Creates it from its parts; for tests.
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
        self.id = id
        self.requestID = requestID
        self.content = content
        self.dueDate = dueDate
        self.date = date
        self.late = late
        self.series = series
        self.receipt = receipt
        snoozes = snoozeCount == 0 ? nil : snoozeCount
    }

    private enum CodingKeys: String, CodingKey {
        case id = "deliveryID"
        case requestID = "id"
        case content
        case dueDate = "dueAt"
        case date = "shownAt"
        case late, series, receipt, snoozes
    }
}
