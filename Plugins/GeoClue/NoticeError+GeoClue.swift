import Belfry
import BelfryBus

extension NoticeError {
    /// The step at which the bus or GeoClue failed.
    enum GeoClueStep {
        /// Finding the bus and the service.
        case starting
        /// Getting a client, for which GeoClue waits for an agent.
        case client
        /// Getting the permission to start.
        case consent
        /// Running.
        case running
    }

    /// Creates the location error for an error of the bus or of GeoClue, with advice on what to do.
    init(geoClue error: BusError, _ step: GeoClueStep) {
        let message: String
        switch (error.code, step) {
        case (.accessDenied, _):
            self.init(denied: error)
            return
        case (.noBus, _), (.invalidAddress, _), (.authenticationFailed, _), (.disconnected, _):
            message =
                "There is no system bus, and GeoClue is reached over it: start dbus, or set DBUS_SYSTEM_BUS_ADDRESS."
            self.init(.locationUnavailable, message, cause: error.message)
            return
        case (.noOwner, .starting) where error.name == "org.freedesktop.DBus.Error.ServiceUnknown":
            message =
                "GeoClue is not installed: install it (Debian: apt install geoclue-2.0), or use another location "
                + "provider."
        case (.noOwner, _): message = "GeoClue can't be started: look at 'systemctl status geoclue'."
        case (.timedOut, .client), (.noReply, .client), (.peerOverdue, .client):
            message =
                "GeoClue does not reply. That happens if no agent can ask whether the user allows it: log in to a "
                + "desktop that has one, or start it (Debian: /usr/libexec/geoclue-2.0/demos/agent)."
        case (.timedOut, .consent):
            message =
                "The user has not allowed or denied the position yet: look for the question on the screen."
        case (.unexpectedReply, _), (.unknownMember, _):
            message =
                "The owner of GeoClue's name does not speak its interface: install GeoClue 2 (Debian: apt install "
                + "geoclue-2.0)."
        default: message = "GeoClue gives no positions: look at 'systemctl status geoclue'."
        }
        self.init(.locationUnavailable, message, cause: error.cause ?? error.name ?? error.message)
    }

    /// GeoClue gives the reason in words, and each reason needs different advice.
    private init(denied error: BusError) {
        let said = error.cause ?? ""
        let next =
            if said.contains("no agent") {
                "no agent can ask whether the user allows it. Log in to a desktop that has one, or start it "
                    + "(Debian: /usr/libexec/geoclue-2.0/demos/agent)."
            } else if said.contains("disabled") {
                "location services are switched off. Switch them on in the desktop's settings (GNOME: Privacy, "
                    + "Location)."
            } else if said.contains("by configuration") {
                "the system's configuration forbids it. Allow the app in /etc/geoclue/geoclue.conf."
            } else {
                "the user or the system refuses it. Allow it in the desktop's settings (GNOME: Privacy, Location), and "
                    + "check that the app's .desktop file is installed."
            }
        self.init(
            .locationDenied,
            "GeoClue gives this app no position: \(next)",
            cause: said.isEmpty ? error.name : said
        )
    }

    /// The agent has stopped a client that was allowed before.
    static let geoClueStopped = NoticeError(
        .locationDenied,
        "Location services were switched off while positions were wanted. Switch them on in the desktop's settings "
            + "(GNOME: Privacy, Location)."
    )
}
