import Belfry
import Foundation

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

/// A button of a notice.
public class UNNotificationAction: NSObject, @unchecked Sendable {
    let action: NoticeAction

    /// The name that its response has.
    public var identifier: String { action.id }
    /// The button's text.
    public var title: String { action.title }

    /// Makes a button.
    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        action = NoticeAction(identifier, title: title)
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
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        super.init(NoticeAction(identifier, title: title, kind: .reply(placeholder: textInputPlaceholder)))
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

    /// Makes a category. Intents are Siri's: they have no effect.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
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
