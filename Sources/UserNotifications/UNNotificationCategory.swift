import Belfry
public import Foundation

/// How an action behaves. A desktop has no counterpart: the options are kept for the compiler and have no effect.
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
    }

    init(_ action: NoticeAction) { self.action = action }

    static func made(from action: NoticeAction) -> UNNotificationAction {
        if case .reply = action.kind { UNTextInputNotificationAction(action) } else { UNNotificationAction(action) }
    }
}

/// A button with a text field, where the server has one.
public final class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
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
        super.init(NoticeAction(identifier, title: title, kind: kind, icon: icon?.name))
    }

    override init(_ action: NoticeAction) { super.init(action) }
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
    public var actions: [UNNotificationAction] { category.actions.map(UNNotificationAction.made) }
    /// How it behaves.
    public var options: UNNotificationCategoryOptions { category.reportsDismissal ? .customDismissAction : [] }

    /// Makes a category. Intents, the text of hidden previews and the format of summaries have no effect: they are Siri's
    /// and Apple's own.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String? = nil,
        categorySummaryFormat: String? = nil,
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            NoticeCategory(
                identifier,
                actions: actions.map(\.action),
                reportsDismissal: options.contains(.customDismissAction)
            )
        )
    }

    init(_ category: NoticeCategory) { self.category = category }

    /// Whether the other says the same.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationCategory)?.category == category }
    /// The hash of what it says.
    public override var hash: Int { category.hashValue }
}
