public import FoundationEssentials

/// One showing of a request: the single value that a backend gets.
///
/// Texts are in the language of the moment, free of control characters, within ``DeliveryCapabilities`` limits; actions
/// are merged with the category's. What had to be cut is in ``lost`` already.
public struct Delivery: Sendable, Codable, Hashable, Identifiable {
    /// Unique among all deliveries of a center.
    public var id: String
    /// The request's identifier.
    public var requestID: String
    /// Who speaks; its name is the content's where that has one.
    public var app: AppIdentity
    /// What to show, prepared for what the backend can.
    public var content: NoticeContent
    /// When it should have been shown.
    public var dueDate: Date
    /// How much later than that it is.
    public var late: Duration
    /// The showing that this one takes the place of, if that still stands.
    public var replaces: DeliveryReceipt?
    /// True: an earlier attempt was begun and never confirmed, so that the user may see it twice.
    public var isPossiblyRepeated: Bool
    /// The ``NoticeSeries/id`` of the series that the notice belongs to.
    public var series: String?
    /// What preparation had to leave out; the backend's receipt adds its own losses.
    public var lost: [DeliveryReceipt.LostFeature]
    /// How often the user has put this notice off.
    public var snoozeCount: Int { snoozes ?? 0 }
    // An earlier version's agent doesn't tell.
    private var snoozes: Int?
    /// Which way across its region's border; nil for a request that waits for no place.
    public var crossing: CircularRegion.Crossing?

    /// Creates a delivery, as a center does; for tests of a backend.
    public init(
        id: String,
        requestID: String,
        app: AppIdentity,
        content: NoticeContent,
        dueDate: Date,
        late: Duration = .zero,
        replaces: DeliveryReceipt? = nil,
        isPossiblyRepeated: Bool = false,
        series: String? = nil,
        lost: [DeliveryReceipt.LostFeature] = [],
        snoozeCount: Int = 0,
        crossing: CircularRegion.Crossing? = nil
    ) {
        self.id = id
        self.requestID = requestID
        self.app = app
        self.content = content
        self.dueDate = dueDate
        self.late = late
        self.replaces = replaces
        self.isPossiblyRepeated = isPossiblyRepeated
        self.series = series
        self.lost = lost
        self.crossing = crossing
        snoozes = snoozeCount == 0 ? nil : snoozeCount
    }
}

/// Who speaks: what a desktop shows and sorts notices by.
public struct AppIdentity: Sendable, Codable, Hashable {
    /// In reverse domain form, equal to the name of the `.desktop` file without its ending.
    public var id: String
    /// For people.
    public var name: String
    /// The icon of notices whose content has none: a desktop finds one of its own only for an app whose `.desktop` file
    /// is installed.
    public var icon: NoticeIcon?

    /// `name` falls back to the last part of the identifier.
    public init(id: String, name: String? = nil, icon: NoticeIcon? = nil) {
        self.id = id
        self.name = name ?? id.split(separator: ".").last.map(String.init) ?? id
        self.icon = icon
    }
}

extension Delivery {
    /// What would become of a content if it were shown now, on the server of the moment.
    public struct Preview: Sendable, Codable, Hashable {
        /// As it would be shown: in the user's language, with the category's actions, cut and degraded.
        public var content: NoticeContent
        /// The backend that would deliver.
        public var backend: String
        /// The name and version of what would show it, for people.
        public var server: String
        /// What the user would not get, in the order in which it is given up: what the receipt would say.
        public var lost: [DeliveryReceipt.LostFeature]

        /// Creates a preview from its parts.
        public init(content: NoticeContent, backend: String, server: String, lost: [DeliveryReceipt.LostFeature] = []) {
            self.content = content
            self.backend = backend
            self.server = server
            self.lost = lost
        }
    }
}
