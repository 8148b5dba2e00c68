import Belfry
public import Foundation

/// The behavior of an action. Desktops have no counterpart, so the options have no effect.
///
/// ```swift
/// let delete = UNNotificationAction(identifier: "delete", title: "Delete", options: [.destructive])
/// print(delete.options.contains(.foreground))   // false
/// ```
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Requires an unlocked device.
    public static let authenticationRequired = Self(rawValue: 1)
    /// Draws the action as a warning.
    public static let destructive = Self(rawValue: 2)
    /// Brings the app to the front.
    public static let foreground = Self(rawValue: 4)
}

/// The icon of a button, on servers that draw icons instead of titles.
///
/// ```swift
/// let icon = UNNotificationActionIcon(systemImageName: "mail-reply-sender")
/// let reply = UNNotificationAction(identifier: "reply", title: "Reply", icon: icon)
/// ```
public final class UNNotificationActionIcon: NSObject, NSCopying, Sendable {
    let name: String

    /// Creates an icon by its name in the desktop's icon theme, whose names differ from Apple's.
    public init(systemImageName: String) { name = systemImageName }
    /// Creates an icon by its name in the desktop's icon theme.
    public init(templateImageName: String) { name = templateImageName }

    /// Whether the other has the same name.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationActionIcon)?.name == name }
    /// The hash of the name.
    public override var hash: Int { name.hashValue }
    /// Returns the icon itself, which can't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A button of a notice.
///
/// ```swift
/// let again = UNNotificationAction(identifier: "again", title: "Another cup")
/// let tea = UNNotificationCategory(identifier: "tea", actions: [again], intentIdentifiers: [])
/// UNUserNotificationCenter.current().setNotificationCategories([tea])
/// ```
public class UNNotificationAction: NSObject, NSCopying, @unchecked Sendable {
    let action: NoticeAction

    /// The behavior on Apple's systems; no effect here.
    public let options: UNNotificationActionOptions
    /// The action identifier of its response.
    public var identifier: String { action.id }
    /// The button's text.
    public var title: String { action.title }

    /// The button's icon.
    public var icon: UNNotificationActionIcon? { action.icon.map { UNNotificationActionIcon(systemImageName: $0) } }

    /// Creates a button.
    public init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon? = nil
    ) {
        action = NoticeAction(identifier, title: title, icon: icon?.name)
        self.options = options
    }

    init(_ action: NoticeAction, _ options: UNNotificationActionOptions = []) {
        self.action = action
        self.options = options
    }

    static func made(from action: NoticeAction) -> UNNotificationAction {
        if case .reply = action.kind { UNTextInputNotificationAction(action) } else { UNNotificationAction(action) }
    }

    /// The values by which two are equal.
    var parts: [AnyHashable] { [action, options.rawValue] }

    /// Whether the other has the same values.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationAction)?.parts == parts }
    /// The hash of its values.
    public override var hash: Int { parts.hashValue }
    /// Returns the action itself, which can't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A button with a text field, if the server supports it.
///
/// ```swift
/// let reply = UNTextInputNotificationAction(
///     identifier: "reply",
///     title: "Reply",
///     textInputButtonTitle: "Send",
///     textInputPlaceholder: "Message"
/// )
/// let message = UNNotificationCategory(identifier: "message", actions: [reply], intentIdentifiers: [])
/// ```
public final class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
    /// The send button's title on Apple's systems; servers here use their own.
    public let textInputButtonTitle: String
    /// The placeholder of the empty field.
    public var textInputPlaceholder: String {
        if case .reply(let placeholder) = action.kind { placeholder } else { "" }
    }

    /// Creates a button with a text field. Servers use their own title for the send button.
    public init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon? = nil,
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        let kind = NoticeAction.Kind.reply(placeholder: textInputPlaceholder)
        self.textInputButtonTitle = textInputButtonTitle
        super.init(NoticeAction(identifier, title: title, kind: kind, icon: icon?.name), options)
    }

    override init(_ action: NoticeAction, _ options: UNNotificationActionOptions = []) {
        textInputButtonTitle = ""
        super.init(action, options)
    }

    override var parts: [AnyHashable] { super.parts + [textInputButtonTitle] }
}

/// The behavior of a category.
///
/// ```swift
/// // The delegate also gets to know that the user closed a message.
/// let message = UNNotificationCategory(
///     identifier: "message",
///     actions: [],
///     intentIdentifiers: [],
///     options: [.customDismissAction]
/// )
/// ```
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Also reports notices that the user closed to the delegate, if the server reports them.
    public static let customDismissAction = Self(rawValue: 1)
    /// No effect outside Apple's systems.
    public static let allowInCarPlay = Self(rawValue: 2)
    /// No effect: the desktop decides what a locked screen shows, or `content.desktop.privacy` of Belfry.
    public static let hiddenPreviewsShowTitle = Self(rawValue: 4)
    /// No effect, as ``hiddenPreviewsShowTitle``.
    public static let hiddenPreviewsShowSubtitle = Self(rawValue: 8)
    /// No effect outside Apple's systems.
    public static let allowAnnouncement = Self(rawValue: 16)
}

/// Actions that several notices share.
///
/// ```swift
/// let again = UNNotificationAction(identifier: "again", title: "Another cup")
/// let tea = UNNotificationCategory(identifier: "tea", actions: [again], intentIdentifiers: [])
/// UNUserNotificationCenter.current().setNotificationCategories([tea])
/// let content = UNMutableNotificationContent()
/// content.title = "Tea is ready"
/// content.categoryIdentifier = "tea"
/// ```
public final class UNNotificationCategory: NSObject, NSCopying, Sendable {
    let category: NoticeCategory

    /// The identifier that contents refer to.
    public var identifier: String { category.id }
    /// The buttons.
    public let actions: [UNNotificationAction]
    /// The behavior of the category.
    public let options: UNNotificationCategoryOptions
    /// Siri's intents: no effect outside Apple's systems.
    public let intentIdentifiers: [String]
    /// No effect: the desktop decides what a locked screen shows.
    public let hiddenPreviewsBodyPlaceholder: String
    /// No effect: `content.summary` sets the text of Belfry's summaries.
    public let categorySummaryFormat: String

    /// Creates a category. Only the option ``UNNotificationCategoryOptions/customDismissAction`` has an effect;
    /// intents, the text of hidden previews and the format of summaries have none.
    public init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String? = nil,
        categorySummaryFormat: String? = nil,
        options: UNNotificationCategoryOptions = []
    ) {
        category = NoticeCategory(
            identifier,
            actions: actions.map(\.action),
            reportsDismissal: options.contains(.customDismissAction)
        )
        self.actions = actions
        self.options = options
        self.intentIdentifiers = intentIdentifiers
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
        self.categorySummaryFormat = categorySummaryFormat ?? ""
    }

    /// Creates a category that another run of the program has set.
    init(_ category: NoticeCategory) {
        self.category = category
        actions = category.actions.map(UNNotificationAction.made)
        options = category.reportsDismissal ? .customDismissAction : []
        intentIdentifiers = []
        hiddenPreviewsBodyPlaceholder = ""
        categorySummaryFormat = ""
    }

    /// The values by which two are equal.
    private var parts: [AnyHashable] {
        [
            identifier, actions, options.rawValue, intentIdentifiers, hiddenPreviewsBodyPlaceholder,
            categorySummaryFormat,
        ]
    }

    /// Whether the other has the same values.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationCategory)?.parts == parts }
    /// The hash of its values.
    public override var hash: Int { parts.hashValue }
    /// Returns the category itself, which can't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
