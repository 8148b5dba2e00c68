package import Belfry

/// The known properties of one notification server: a row of the table ``KnownServer/all``.
package struct KnownServer: Sendable, Hashable {
    package typealias Feature = DeliveryCapabilities.Feature

    /// How the server presents actions.
    package enum Buttons: Sendable { case drawn, inMenu }

    /// How the server presents the action `default`.
    package enum DefaultAction: Sendable {
        /// A click on the notice itself; nothing is drawn.
        case hidden
        /// A button beside the others.
        case drawn
    }

    /// How the server accepts an image that is a file or a name of the theme.
    package enum PictureForm: Sendable {
        /// The hint `image-path` with a `file:` URL, as the specification says.
        case address
        /// The hint `image-path` with a plain path; a URL shows nothing.
        case path
        /// Only as the icon: `image-path` shows nothing.
        case icon
    }

    /// Where the server exposes whether "do not disturb" is on.
    package enum SilenceSource: Sendable, Hashable {
        case unknown
        /// The property `Inhibited` of org.freedesktop.Notifications.
        case inhibited
        /// The property `paused` of org.dunstproject.cmd0, at the server's own name and path.
        case dunst
        /// `ListModes` of fr.emersion.Mako, at the server's own name; the mode is the one of mako(5) for this.
        case mako
        /// `GetDnd` of org.erikreider.swaync.cc.
        case swaync
        /// `/do-not-disturb` of the channel xfce4-notifyd, from org.xfce.Xfconf.
        case xfconf
        /// A key of GSettings, and the value that means "do not disturb".
        case settings(schema: String, key: String, silence: Bool)
    }

    /// The desktop whose settings have a permission per app.
    package enum AppPermissionSource: Sendable { case unknown, gnome, plasma, xfce }

    /// The name that `GetServerInformation` returns, compared case-insensitively.
    package var name: String
    /// Nil matches any vendor: two servers are called "Notification Daemon".
    package var vendor: String?
    /// Features that the server supports but doesn't list.
    package var does: Set<Feature> = []
    /// Features that the server doesn't support, listed or not.
    package var doesNot: Set<Feature> = []
    /// The longest texts that the server handles well, in characters.
    package var titleLimit = 256
    package var bodyLimit = 2000
    /// The maximum number of buttons.
    package var actionLimit = 32
    package var buttons = Buttons.drawn
    package var defaultAction = DefaultAction.hidden
    package var pictures = PictureForm.address
    /// The hint for pixels: version 1.1 of the specification called it `image_data`.
    package var pixelsHint = "image-data"
    /// Lists a hint for tags, and replies with 0 to a call that has one.
    package var mistakesTags = false
    /// Replies with 0 for notices that it shows nevertheless; these can be neither closed nor replaced.
    package var showsWithoutNumber = false
    /// With the hint `value`, shows a bar and neither title nor body.
    package var valueHidesText = false
    /// Keeps critical notices on the screen, whatever timeout they have.
    package var keepsCritical = false
    /// How long a notice must have been shown before it is closed: if closed sooner, the server crashes.
    package var shortestShowing = Duration.zero
    /// The close reason for a click on the close button, if it isn't 2 (dismissed).
    package var closedByHand: UInt32?
    /// Omits the button that follows the action `default`, which is therefore sent last.
    package var skipsAfterDefault = false
    /// The lock screen reads the hint `x-gnome-privacy-scope`.
    package var hasPrivacyScope = false
    package var silence = SilenceSource.unknown
    package var appSwitch = AppPermissionSource.unknown

    /// Returns the row of the server with this name and vendor; for an unknown one, the promises of the specification.
    package static func row(for name: String, vendor: String) -> KnownServer {
        let (name, vendor) = (name.lowercased(), vendor.lowercased())
        return all.first { row in
            row.name.lowercased() == name && (row.vendor.map { $0.lowercased() == vendor } ?? true)
        } ?? KnownServer(name: name)
    }
}
