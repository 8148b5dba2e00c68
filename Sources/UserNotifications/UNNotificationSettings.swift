import Belfry
public import Foundation

/// Whether the app may notify.
public enum UNAuthorizationStatus: Int, Sendable {
    /// Nobody was asked yet.
    case notDetermined
    /// The user, or the desktop's settings, said no.
    case denied
    /// The user said yes, or nobody has to be asked.
    case authorized
    /// Notices come silent and without popup.
    case provisional
    /// App clips alone have it: never here.
    case ephemeral
}

/// Whether a way of notifying is there, and switched on.
public enum UNNotificationSetting: Int, Sendable {
    /// This desktop doesn't have it, or doesn't tell.
    case notSupported
    /// It is switched off.
    case disabled
    /// It is there.
    case enabled
}

/// How a notice comes.
public enum UNAlertStyle: Int, Sendable {
    /// Without a popup.
    case none
    /// In a popup that goes away by itself.
    case banner
    /// In a window that waits: no desktop has it.
    case alert
}

/// When the text of a notice is shown on the lock screen.
public enum UNShowPreviewsSetting: Int, Sendable {
    /// Always; the desktop decides.
    case always
    /// After unlocking.
    case whenAuthenticated
    /// Never.
    case never
}

/// What the user and the desktop allow, as far as the desktop tells: asked anew each time.
public final class UNNotificationSettings: NSObject, Sendable {
    /// Whether the app may notify.
    public let authorizationStatus: UNAuthorizationStatus
    /// Popups.
    public let alertSetting: UNNotificationSetting
    /// How a notice comes.
    public let alertStyle: UNAlertStyle
    /// Sounds.
    public let soundSetting: UNNotificationSetting
    /// The number on the app's icon.
    public let badgeSetting: UNNotificationSetting
    /// A list that keeps notices.
    public let notificationCenterSetting: UNNotificationSetting
    /// Notices that are shown whatever else holds.
    public let criticalAlertSetting: UNNotificationSetting
    /// Notices that can't wait.
    public let timeSensitiveSetting: UNNotificationSetting
    /// Notices on the lock screen: no desktop tells.
    public let lockScreenSetting = UNNotificationSetting.notSupported
    /// Apple's alone.
    public let carPlaySetting = UNNotificationSetting.notSupported
    /// Apple's alone.
    public let announcementSetting = UNNotificationSetting.notSupported
    /// Apple's alone; Belfry's quiet hours are the center's.
    public let scheduledDeliverySetting = UNNotificationSetting.notSupported
    /// Apple's alone.
    public let directMessagesSetting = UNNotificationSetting.notSupported
    /// Texts on the lock screen: the desktop decides, and doesn't tell.
    public let showPreviewsSetting = UNShowPreviewsSetting.always
    /// Apple's alone.
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
        func setting(_ feature: DeliveryCapabilities.Feature) -> UNNotificationSetting {
            features.contains(feature) ? .enabled : .notSupported
        }
        alertSetting = comesUp ? .enabled : .disabled
        alertStyle = comesUp ? .banner : .none
        soundSetting = setting(.sound)
        badgeSetting = setting(.badge)
        notificationCenterSetting = setting(.persistence)
        criticalAlertSetting = setting(.urgency)
        timeSensitiveSetting = setting(.urgency)
    }
}
