import Belfry
import BelfryBus
import BelfryBusBackend

extension NoticeError {
    /// Creates the notice error for an error of the bus or of the server.
    init(_ error: BusError) {
        if error.code == .remoteError, Self.isBusy(error.name ?? "") {
            self.init(.serverBusy, error.message, cause: error.cause ?? error.name)
        } else {
            self.init(bus: error)
        }
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
