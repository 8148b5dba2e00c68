import Belfry
public import Foundation

/// What of a notice is shown.
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
    /// The list of notices: without ``banner``, the popup is left out where the server keeps a list.
    public static let list = Self(rawValue: 8)
    /// The popup.
    public static let banner = Self(rawValue: 16)
}

/// An app's say in what is shown, and its handler of responses. Implement the form with a completion handler or the
/// `async` one of each.
///
/// All are called on the main actor, so that a `@MainActor` class can implement either form, also in Swift 6. A method
/// that is marked `nonisolated` stays so.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Called before each showing. There is no foreground on a desktop: without an implementation all is shown.
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
    /// Receives a response; it stays stored until the handler was called.
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
    /// Apple's alone: never called.
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

    /// Shows all.
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

/// The app's delegate as Belfry calls it. Belfry holds its delegate; this one holds the app's weakly, as Apple does.
final class DelegateBridge: NoticeCenterDelegate {
    func presentation(of delivery: Delivery) async -> NoticeCenter.Presentation {
        let center = UNUserNotificationCenter.current()
        // Without a delegate nothing waits for the main actor.
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
