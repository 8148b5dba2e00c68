import Belfry
public import Foundation

/// Whether the app may show notices.
///
/// ```swift
/// let settings = await UNUserNotificationCenter.current().notificationSettings()
/// if settings.authorizationStatus == .denied { print("Notices are off.") }
/// ```
public enum UNAuthorizationStatus: Int, Sendable {
    /// The user has not been asked yet.
    case notDetermined
    /// The user, or the desktop's settings, denied it.
    case denied
    /// The user allowed it, or no permission is needed.
    case authorized
    /// Notices are silent and have no popup.
    case provisional
    /// Only for app clips: never used here.
    case ephemeral
}

/// Whether a kind of notification is supported and switched on.
///
/// ```swift
/// let settings = await UNUserNotificationCenter.current().notificationSettings()
/// if settings.badgeSetting == .notSupported { print("This desktop draws no number on the icon.") }
/// ```
public enum UNNotificationSetting: Int, Sendable {
    /// This desktop doesn't support it, or doesn't report it.
    case notSupported
    /// It is switched off.
    case disabled
    /// It is supported and switched on.
    case enabled
}

/// The way a notice appears.
///
/// ```swift
/// let settings = await UNUserNotificationCenter.current().notificationSettings()
/// if settings.alertStyle == .none { print("Notices have no popup.") }
/// ```
public enum UNAlertStyle: Int, Sendable {
    /// Without a popup.
    case none
    /// In a popup that disappears by itself.
    case banner
    /// In a window that waits: no desktop supports it.
    case alert
}

/// When the text of a notice is shown on the lock screen.
///
/// ```swift
/// let settings = await UNUserNotificationCenter.current().notificationSettings()
/// print(settings.showPreviewsSetting == .always)   // true: the desktop doesn't report it
/// ```
public enum UNShowPreviewsSetting: Int, Sendable {
    /// Always; the desktop decides.
    case always
    /// After unlocking.
    case whenAuthenticated
    /// Never.
    case never
}

/// The permissions of the user and the desktop, as far as the desktop reports them; queried anew each time.
///
/// ```swift
/// let settings = await UNUserNotificationCenter.current().notificationSettings()
/// if settings.soundSetting != .enabled { print("Notices are silent on this desktop.") }
/// ```
public final class UNNotificationSettings: NSObject, Sendable {
    /// Whether the app may show notices.
    public let authorizationStatus: UNAuthorizationStatus
    /// Popups.
    public let alertSetting: UNNotificationSetting
    /// The way a notice appears.
    public let alertStyle: UNAlertStyle
    /// Sounds.
    public let soundSetting: UNNotificationSetting
    /// The number on the app's icon.
    public let badgeSetting: UNNotificationSetting
    /// A list that keeps notices.
    public let notificationCenterSetting: UNNotificationSetting
    /// Critical notices, shown regardless of quiet hours and other restrictions.
    public let criticalAlertSetting: UNNotificationSetting
    /// Time-sensitive notices.
    public let timeSensitiveSetting: UNNotificationSetting
    /// Notices on the lock screen: no desktop reports it.
    public let lockScreenSetting = UNNotificationSetting.notSupported
    /// Not supported outside Apple's systems.
    public let carPlaySetting = UNNotificationSetting.notSupported
    /// Not supported outside Apple's systems.
    public let announcementSetting = UNNotificationSetting.notSupported
    /// Not supported outside Apple's systems; Belfry's quiet hours belong to the center.
    public let scheduledDeliverySetting = UNNotificationSetting.notSupported
    /// Not supported outside Apple's systems.
    public let directMessagesSetting = UNNotificationSetting.notSupported
    /// Texts on the lock screen: the desktop decides, and doesn't report it.
    public let showPreviewsSetting = UNShowPreviewsSetting.always
    /// Not supported outside Apple's systems.
    public let providesAppNotificationSettings = false

    init(
        _ status: AuthorizationStatus,
        _ desktop: DesktopPermission,
        _ features: Set<DeliveryCapabilities.Feature>
    ) {
        authorizationStatus =
            switch (status, desktop) {
            case (_, .off), (.denied, _): .denied
            case (.notDetermined, _): .notDetermined
            case (.authorized, _): .authorized
            case (.provisional, _): .provisional
            }
        let comesUp = status != .denied && status != .provisional && desktop != .off && desktop != .quiet
        let isShown = authorizationStatus != .denied
        // Without full permission the center makes notices silent.
        let sounds = authorizationStatus == .authorized && desktop != .quiet
        func setting(_ feature: DeliveryCapabilities.Feature, ifOn isOn: Bool) -> UNNotificationSetting {
            guard features.contains(feature) else { return .notSupported }
            return isOn ? .enabled : .disabled
        }
        alertSetting = comesUp ? .enabled : .disabled
        alertStyle = comesUp ? .banner : .none
        soundSetting = setting(.sound, ifOn: sounds)
        badgeSetting = setting(.badge, ifOn: isShown)
        notificationCenterSetting = setting(.persistence, ifOn: isShown)
        criticalAlertSetting = setting(.urgency, ifOn: isShown)
        timeSensitiveSetting = setting(.urgency, ifOn: isShown)
    }
}
