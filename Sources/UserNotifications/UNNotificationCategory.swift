import Belfry
public import Foundation

/// How an action behaves. A desktop has no counterpart: the options have no effect.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Only on an unlocked device.
    public static let authenticationRequired = Self(rawValue: 1)
    /// Drawn as a warning.
    public static let destructive = Self(rawValue: 2)
    /// Brings the app to the front.
    public static let foreground = Self(rawValue: 4)
}

/// The picture of a button, on servers that draw icons in place of titles.
public final class UNNotificationActionIcon: NSObject, Sendable {
    let name: String

    /// A name of the desktop's icon theme: its names are others than Apple's.
    public init(systemImageName: String) { name = systemImageName }
    /// A name of the desktop's icon theme.
    public init(templateImageName: String) { name = templateImageName }
}

/// A button of a notice.
public class UNNotificationAction: NSObject, @unchecked Sendable {
    let action: NoticeAction

    /// How it behaves on Apple's systems; no effect here.
    public let options: UNNotificationActionOptions
    /// The name that its response has.
    public var identifier: String { action.id }
    /// The button's text.
    public var title: String { action.title }

    /// The button's picture.
    public var icon: UNNotificationActionIcon? { action.icon.map { UNNotificationActionIcon(systemImageName: $0) } }

    /// Makes a button.
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
}

/// A button with a text field, where the server has one.
public final class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
    /// What Apple's sending button says; servers name theirs themselves.
    public let textInputButtonTitle: String
    /// What the empty field shows.
    public var textInputPlaceholder: String {
        if case .reply(let placeholder) = action.kind { placeholder } else { "" }
    }

    /// Makes a button with a field. Servers name the sending button themselves.
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
}

/// How a category behaves.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The delegate also learns that a notice was closed by hand, where the server reports it.
    public static let customDismissAction = Self(rawValue: 1)
    /// Apple's alone: no effect.
    public static let allowInCarPlay = Self(rawValue: 2)
    /// No effect: what a locked screen shows is the desktop's, or `content.desktop.privacy` of Belfry.
    public static let hiddenPreviewsShowTitle = Self(rawValue: 4)
    /// No effect, as ``hiddenPreviewsShowTitle``.
    public static let hiddenPreviewsShowSubtitle = Self(rawValue: 8)
    /// Apple's alone: no effect.
    public static let allowAnnouncement = Self(rawValue: 16)
}

/// Actions that several notices share.
public final class UNNotificationCategory: NSObject, Sendable {
    let category: NoticeCategory

    /// The name by which contents choose it.
    public var identifier: String { category.id }
    /// The buttons.
    public let actions: [UNNotificationAction]
    /// How it behaves.
    public let options: UNNotificationCategoryOptions
    /// Siri's intents, which are Apple's alone: no effect.
    public let intentIdentifiers: [String]
    /// No effect: what a locked screen shows is the desktop's.
    public let hiddenPreviewsBodyPlaceholder: String
    /// No effect: Belfry's summaries are worded by `content.summary`.
    public let categorySummaryFormat: String

    /// Makes a category. Of its options ``UNNotificationCategoryOptions/customDismissAction`` has an effect; intents, the
    /// text of hidden previews and the format of summaries have none.
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

    /// A category that another run of the program has set.
    init(_ category: NoticeCategory) {
        self.category = category
        actions = category.actions.map(UNNotificationAction.made)
        options = category.reportsDismissal ? .customDismissAction : []
        intentIdentifiers = []
        hiddenPreviewsBodyPlaceholder = ""
        categorySummaryFormat = ""
    }

    /// Whether the other has the same buttons and options.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationCategory else { return false }
        return category == other.category && options == other.options
            && actions.map(\.options) == other.actions.map(\.options) && intentIdentifiers == other.intentIdentifiers
            && hiddenPreviewsBodyPlaceholder == other.hiddenPreviewsBodyPlaceholder
            && categorySummaryFormat == other.categorySummaryFormat
    }
    /// The hash of its buttons.
    public override var hash: Int { category.hashValue }
}
