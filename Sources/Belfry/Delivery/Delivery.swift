public import FoundationEssentials

/// One showing of a request: the value that a backend receives.
///
/// Texts are in the user's current language, free of control characters and within the limits of
/// ``DeliveryCapabilities``. Actions include those of the category. ``lost`` already lists what was cut.
///
/// ```swift
/// func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation {
///     guard delivery.late > .seconds(3_600) else { return .present }
///     var content = delivery.content
///     content.subtitle = "More than an hour late"
///     return .presentInstead(content)
/// }
/// ```
public struct Delivery: Sendable, Codable, Hashable, Identifiable {
    /// The identifier, unique among all deliveries of a center.
    public var id: String
    /// The request's identifier.
    public var requestID: String
    /// The app that sends the notice; with the app name of the content if that has one.
    public var app: AppIdentity
    /// What to show, prepared for the backend's capabilities.
    public var content: NoticeContent
    /// When it should have been shown.
    public var dueDate: Date
    /// The delay after ``dueDate``.
    public var late: Duration
    /// The receipt of the notice that this one replaces, if that is still on the screen.
    public var replaces: DeliveryReceipt?
    /// True: an earlier attempt was begun and never confirmed, so the user may see the notice twice.
    public var isPossiblyRepeated: Bool
    /// The ``NoticeSeries/id`` of the series that the notice belongs to.
    public var series: String?
    /// What the preparation omitted; the backend's receipt adds its own losses.
    public var lost: [DeliveryReceipt.LostFeature]
    /// How often the user has snoozed this notice.
    public var snoozeCount: Int { snoozes ?? 0 }
    // Optional, because the agent of an earlier version lacks it.
    private var snoozes: Int?
    /// Whether the region was entered or left; nil for a request that waits for no region.
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

/// The app that sends notices: desktops show it, and group notices by it.
///
/// ```swift
/// let app = AppIdentity(id: "org.example.Tea", name: "Tea Timer", icon: .named("alarm-symbolic"))
/// let center = NoticeCenter(app: app, backend: backend)
/// ```
public struct AppIdentity: Sendable, Codable, Hashable {
    /// The identifier in reverse domain form, equal to the name of the `.desktop` file without its extension. Servers
    /// get no control characters of it, and at most 255 bytes.
    public var id: String
    /// The name for users; servers get it cleaned and cut, like a title.
    public var name: String
    /// The icon for notices without one. A desktop finds the app's icon itself only if its `.desktop` file is
    /// installed.
    public var icon: NoticeIcon?

    /// Creates an identity; `name` defaults to the last part of the identifier.
    public init(id: String, name: String? = nil, icon: NoticeIcon? = nil) {
        self.id = id
        self.name = name ?? id.split(separator: ".").last.map(String.init) ?? id
        self.icon = icon
    }
}

extension Delivery {
    /// What would be shown of a content now, on the current server.
    public struct Preview: Sendable, Codable, Hashable {
        /// The content as it would be shown: in the user's language, with the category's actions, cut and reduced.
        public var content: NoticeContent
        /// The backend that would deliver.
        public var backend: String
        /// The name and version of the server, for users.
        public var server: String
        /// What the user would not get, in the order in which it is dropped, as in a receipt.
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
