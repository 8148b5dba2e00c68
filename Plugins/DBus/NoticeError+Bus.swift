import Belfry
import BelfryBus

extension NoticeError {
    /// Creates the notice error for an error of the bus or of the server.
    init(_ error: BusError) {
        let code: NoticeError.Code =
            switch error.code {
            case .noBus, .disconnected, .invalidAddress, .authenticationFailed: .noBus
            case .noOwner, .noReply: .noServer
            case .timedOut, .peerOverdue: .serverTimedOut
            case .limitsExceeded, .outgoingFull, .outOfMemory: .serverBusy
            case .closed, .cancelled: .backendStopped
            case .invalidValue, .invalidName, .invalidSignature, .tooLarge: .invalidContent
            case .remoteError: Self.isBusy(error.name ?? "") ? .serverBusy : .rejected
            default: .rejected
            }
        self.init(code, error.message, cause: error.cause ?? error.name)
    }

    /// The error names for too many notices: notification-daemon after 21, mate after 21 (GDBus's name for an unnamed
    /// error), notify-osd after 51, Plasma for the same text twice in a second.
    private static func isBusy(_ name: String) -> Bool {
        [
            "org.freedesktop.Notifications.MaxNotificationsExceeded",
            "org.freedesktop.Notifications.Error.ExcessNotificationGeneration",
            "org.freedesktop.DBus.GLib.UnmappedError.NotifyOsd.Code1",
        ].contains(name)
            || (name.hasPrefix("org.gtk.GDBus.UnmappedGError") && name.hasSuffix("Code1"))
    }
}
