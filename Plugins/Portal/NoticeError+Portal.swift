import Belfry
import BelfryBus
import BelfryBusBackend

extension NoticeError {
    /// Creates the notice error for an error of a call to the portal.
    init(portal error: BusError) {
        let cause = error.cause ?? error.message
        switch (error.code, error.name) {
        case (.noOwner, _), (.noReply, _):
            self.init(
                .noServer,
                "There is no desktop portal: install xdg-desktop-portal and the part of it for this desktop "
                    + "(Debian: apt install xdg-desktop-portal-gtk).",
                cause: cause
            )
        case (.unknownMember, _), (.unexpectedReply, _):
            self.init(
                .unsupported,
                "The desktop portal here shows no notifications: install the part of it for this desktop "
                    + "(Debian: apt install xdg-desktop-portal-gtk), and log in again.",
                cause: cause
            )
        case (.accessDenied, _):
            self.init(.unsupported, "The bus does not let this program reach the portal.", cause: cause)
        case (.remoteError, "org.freedesktop.portal.Error.NotAllowed"):
            self.init(
                .notAuthorized,
                "The portal shows no notices of this app: they are turned off in the desktop's settings.",
                cause: cause
            )
        default: self.init(bus: error)
        }
    }
}
