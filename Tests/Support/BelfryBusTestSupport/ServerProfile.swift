import BelfryBus

/// How a scripted server behaves. The ready-made ones follow what was measured of the servers they are named after.
public struct ServerProfile: Sendable {
    public enum Audience: Sendable {
        /// To everybody who listens: xfce4-notifyd, mate, lxqt, Plasma.
        case everybody
        /// To the connection that posted alone: dunst.
        case poster
        /// To the poster from the owner of the name, and to everybody from another connection: GNOME Shell.
        case both
    }

    /// Where a picture stands in a call of `Notify`, the one that wins first.
    public enum PictureForm: Sendable, CaseIterable {
        /// The hint `image-data`.
        case pixels
        /// Its former name, `image_data`.
        case formerPixels
        /// The hint `image-path` with a `file:` address.
        case imageAddress
        /// The hint `image-path` with a plain path.
        case imagePath
        /// The argument `app_icon`.
        case icon
    }

    public enum UnknownClose: Sendable { case accepted, refused, announced }

    public var name: String
    public var vendor: String
    public var version: String
    public var specification = "1.2"
    public var capabilities: [String]
    /// Where NotificationClosed, ActionInvoked and ActivationToken go; NotificationReplied always goes to the poster.
    public var audience = Audience.everybody
    /// What follows an action on a notice that isn't resident; nil for nothing.
    public var closesAfterAction: UInt32? = 2
    /// Sent before each ActionInvoked.
    public var activationToken: String?
    /// An unknown `replaces_id` is kept, or a new one is given.
    public var keepsUnknownIDs = true
    public var unknownClose = UnknownClose.accepted
    /// NotificationClosed comes twice after CloseNotification, the second time with 2.
    public var closesTwice = false
    /// How many stand at once.
    public var limit = Int.max
    /// Beyond the limit: the error's name, or nil where the oldest is closed with 1.
    public var limitError: String?
    /// The limit counts each connection and app by itself.
    public var limitsEachApp = false
    /// The same title and body as the last one's is refused, once.
    public var refusesRepeats = false
    /// Others' notices can't be closed or replaced while their poster is connected.
    public var checksPoster = false
    /// A hint of the wrong type, and the call is never answered.
    public var hangsOnWrongHints = false
    /// A call with a tag and a number to replace ends it, as mako 1.7.1 and 1.10.0.
    public var diesOfTagWithNumber = false
    /// A call with a tag is answered with 0, and its notice shown, as by notify-osd.
    public var answersTagsWithZero = false
    /// Closing a notice sooner after its showing ends it, as xfce4-notifyd, which has not drawn it by then.
    public var diesOfClosingWithin: Duration?
    /// What it draws a picture from.
    public var pictures: Set<PictureForm> = Set(PictureForm.allCases)
    /// The property Inhibited of Plasma.
    public var hasInhibited = false
    /// Before each true signal come ones for other programs' notices, of wrong types and without arguments.
    public var isNoisy = false
    /// Of each run of the server; they end at 2³²−1 and begin again at 1.
    public var firstID: UInt32 = 1

    public init(_ name: String, _ vendor: String, _ version: String, _ capabilities: [String]) {
        self.name = name
        self.vendor = vendor
        self.version = version
        self.capabilities = capabilities
    }

    /// GNOME Shell 43: signals twice, three notices an app, owners checked, wrong hints hang.
    public static var gnome: ServerProfile {
        var profile = ServerProfile(
            "gnome-shell",
            "GNOME",
            "43.9",
            ["actions", "body", "body-markup", "icon-static", "persistence", "sound"]
        )
        profile.audience = .both
        profile.keepsUnknownIDs = false
        profile.limit = 3
        profile.limitsEachApp = true
        profile.checksPoster = true
        profile.hangsOnWrongHints = true
        return profile
    }

    /// Plasma 5.27: a field to reply in, activation tokens, repeats refused, do-not-disturb as a property.
    public static var kde: ServerProfile {
        var profile = ServerProfile(
            "Plasma",
            "KDE",
            "5.27.5",
            [
                "actions", "body", "body-hyperlinks", "body-images", "body-markup", "icon-static", "inhibitions",
                "inline-reply", "persistence", "x-kde-display-appname", "x-kde-origin-name", "x-kde-urls",
            ]
        )
        profile.closesAfterAction = 3
        profile.activationToken = "belfry;1;2;3_TIME4"
        profile.unknownClose = .announced
        profile.refusesRepeats = true
        profile.hasInhibited = true
        return profile
    }

    /// Shows a title and a body, and nothing else.
    public static var minimal: ServerProfile { ServerProfile("minimal", "Belfry", "1", ["body"]) }

    /// Everything that has been seen to go wrong, and keeps to the interface: noise before each signal, Closed twice
    /// and for notices of nobody, nothing after an action, few at once. What breaks the interface is told to it call by
    /// call.
    public static var hostile: ServerProfile {
        var profile = ServerProfile(
            "hostile",
            "Belfry",
            "1",
            ["actions", "body", "body-markup", "inline-reply", "persistence", "sound", "synchronous"]
        )
        profile.closesAfterAction = nil
        profile.closesTwice = true
        profile.unknownClose = .announced
        profile.keepsUnknownIDs = false
        profile.isNoisy = true
        profile.limit = 20
        profile.limitError = "org.freedesktop.Notifications.MaxNotificationsExceeded"
        return profile
    }

    public static var all: [ServerProfile] { [.gnome, .kde, .minimal, .hostile, .mako] }
}
