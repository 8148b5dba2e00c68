import Belfry
import BelfryBus

extension NoticeError {
    /// Creates the notice error for an error of a call to the portal.
    init(portal error: BusError) {
        let missing =
            "There is no desktop portal: install xdg-desktop-portal and the part of it for this desktop "
            + "(Debian: apt install xdg-desktop-portal-gtk)."
        let noNotices =
            "The desktop portal here shows no notifications: install the part of it for this desktop "
            + "(Debian: apt install xdg-desktop-portal-gtk), and log in again."
        let cause = error.cause ?? error.message
        switch error.code {
        case .noBus, .disconnected, .invalidAddress, .authenticationFailed:
            self.init(.noBus, error.message, cause: error.cause)
        case .noOwner, .noReply: self.init(.noServer, missing, cause: cause)
        case .timedOut, .peerOverdue: self.init(.serverTimedOut, error.message, cause: error.cause)
        case .limitsExceeded, .outgoingFull, .outOfMemory: self.init(.serverBusy, error.message, cause: error.cause)
        case .closed, .cancelled: self.init(.backendStopped, error.message, cause: error.cause)
        case .invalidValue, .invalidName, .invalidSignature, .tooLarge:
            self.init(.invalidContent, error.message, cause: error.cause)
        case .unknownMember, .unexpectedReply: self.init(.unsupported, noNotices, cause: cause)
        case .accessDenied: self.init(.unsupported, "The bus does not let this program reach the portal.", cause: cause)
        default:
            switch error.name {
            case "org.freedesktop.portal.Error.NotAllowed":
                self.init(
                    .notAuthorized,
                    "The portal shows no notices of this app: they are turned off in the desktop's settings.",
                    cause: cause
                )
            // GLib's reply if the object lacks the property's interface.
            case "org.freedesktop.DBus.Error.InvalidArgs", "org.freedesktop.DBus.Error.UnknownProperty":
                self.init(.unsupported, noNotices, cause: cause)
            default: self.init(.rejected, error.message, cause: error.name)
            }
        }
    }
}
