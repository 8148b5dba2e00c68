import Belfry
public import Foundation

/// The parts of a notice that are shown.
///
/// ```swift
/// final class Silence: NSObject, UNUserNotificationCenterDelegate {
///     func userNotificationCenter(
///         _ center: UNUserNotificationCenter,
///         willPresent notification: UNNotification
///     ) async -> UNNotificationPresentationOptions { [.banner, .list] }   // without a sound
/// }
/// ```
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The number on the icon.
    public static let badge = Self(rawValue: 1)
    /// The sound.
    public static let sound = Self(rawValue: 2)
    /// The popup and the list.
    public static let alert = Self(rawValue: 4)
    /// The list of notices: without ``banner``, the popup is omitted if the server keeps a list.
    public static let list = Self(rawValue: 8)
    /// The popup.
    public static let banner = Self(rawValue: 16)
}

/// An app's decisions about what is shown, and its handler of responses. Implement either the completion handler form
/// or the `async` form of each method.
///
/// All methods are called on the main actor, so that a `@MainActor` class can implement either form, also in Swift 6. A
/// method that is marked `nonisolated` stays nonisolated.
///
/// ```swift
/// final class Tea: NSObject, UNUserNotificationCenterDelegate {
///     func userNotificationCenter(
///         _ center: UNUserNotificationCenter,
///         didReceive response: UNNotificationResponse
///     ) async {
///         if response.actionIdentifier == "again" { print("Put the kettle on.") }
///     }
/// }
/// ```
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Called before each notice is shown. Desktops have no foreground: without an implementation everything is shown.
    @MainActor
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    )
    /// The `async` form.
    @MainActor
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions
    /// Handles a response, which stays stored until the completion handler was called.
    @MainActor
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    )
    /// The `async` form.
    @MainActor
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async
    /// Never called outside Apple's systems.
    @MainActor
    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
    /// Does nothing.
    @MainActor
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        openSettingsFor notification: UNNotification?
    ) {}

    /// Shows everything.
    @MainActor
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .list, .sound, .badge])
    }

    /// Calls the form with a completion handler.
    @MainActor
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        await withCheckedContinuation { done in
            userNotificationCenter(center, willPresent: notification) { done.resume(returning: $0) }
        }
    }

    /// Does nothing.
    @MainActor
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        completionHandler()
    }

    /// Calls the form with a completion handler.
    @MainActor
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        await withCheckedContinuation { done in
            userNotificationCenter(center, didReceive: response) { done.resume() }
        }
    }
}

/// Adapts the app's delegate for Belfry, which holds this bridge. It holds the app's weakly, as Apple does.
final class DelegateBridge: NoticeCenterDelegate {
    func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation {
        let center = UNUserNotificationCenter.current()
        // Without a delegate, don't wait for the main actor.
        guard center.delegate != nil, let options = await options(for: UNNotification(delivery), center) else {
            return .present
        }
        guard !options.isDisjoint(with: [.alert, .banner, .list]) else {
            return .suppress(reason: "the delegate's willPresent returned neither .banner nor .list")
        }
        var content = delivery.content
        if options.isDisjoint(with: [.alert, .banner]) { content.level = .passive }
        if !options.contains(.sound) { content.sound = .silent }
        if !options.contains(.badge) { content.badge = nil }
        return content == delivery.content ? .present : .presentInstead(content)
    }

    func handle(_ response: NoticeResponse) async {
        let center = UNUserNotificationCenter.current()
        guard center.delegate != nil else { return }
        await receive(.made(from: response, deliveredAt: await center.deliveryDate(of: response)), center)
    }

    @MainActor
    private func options(
        for notice: UNNotification,
        _ center: UNUserNotificationCenter
    ) async -> UNNotificationPresentationOptions? {
        await center.delegate?.userNotificationCenter(center, willPresent: notice)
    }

    @MainActor
    private func receive(_ response: UNNotificationResponse, _ center: UNUserNotificationCenter) async {
        await center.delegate?.userNotificationCenter(center, didReceive: response)
    }
}
