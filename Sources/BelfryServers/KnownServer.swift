package import Belfry

/// What is known of one notification server: a row of the table in ``KnownServer/all``.
package struct KnownServer: Sendable, Hashable {
    package typealias Feature = DeliveryCapabilities.Feature

    /// What becomes of actions.
    package enum Buttons: Sendable { case drawn, inMenu }

    /// What becomes of the action `default`.
    package enum DefaultAction: Sendable {
        /// The click on the notice itself; nothing is drawn.
        case hidden
        /// A button beside the others.
        case drawn
    }

    /// How it takes a picture that is a file or a name of the theme.
    package enum PictureForm: Sendable {
        /// The hint `image-path` with a `file:` address, as the specification says.
        case address
        /// The hint `image-path` with a plain path; an address shows nothing.
        case path
        /// As the icon alone: `image-path` shows nothing.
        case icon
    }

    /// Where it says whether the user wants to be left alone.
    package enum SilenceSource: Sendable, Hashable {
        case unknown
        /// The property `Inhibited` of org.freedesktop.Notifications.
        case inhibited
        /// The property `paused` of org.dunstproject.cmd0, at the server's own name and path.
        case dunst
        /// `ListModes` of fr.emersion.Mako, at the server's own name; the mode is the one that mako(5) has for it.
        case mako
        /// `GetDnd` of org.erikreider.swaync.cc.
        case swaync
        /// `/do-not-disturb` of the channel xfce4-notifyd, from org.xfce.Xfconf.
        case xfconf
        /// A key of GSettings, and the value that means silence.
        case settings(schema: String, key: String, silence: Bool)
    }

    /// Whose settings have a switch for each app.
    package enum AppPermissionSource: Sendable { case unknown, gnome, plasma, xfce }

    /// As `GetServerInformation` tells it, upper and lower case alike.
    package var name: String
    /// Nil for any: two servers are called "Notification Daemon".
    package var vendor: String?
    /// Does it, and doesn't list it.
    package var does: Set<Feature> = []
    /// Doesn't do it, listed or not.
    package var doesNot: Set<Feature> = []
    /// Longest texts that it bears, in characters.
    package var titleLimit = 256
    package var bodyLimit = 2000
    /// Most buttons.
    package var actionLimit = 32
    package var buttons = Buttons.drawn
    package var defaultAction = DefaultAction.hidden
    package var pictures = PictureForm.address
    /// The hint that it reads pixels from: version 1.1 of the specification called it `image_data`.
    package var pixelsHint = "image-data"
    /// Lists a tag by which it replaces, and answers a call that has one with 0.
    package var mistakesTags = false
    /// Answers 0 for notices that it shows all the same: they can be neither closed nor replaced.
    package var showsWithoutNumber = false
    /// With the hint `value` it shows a bar and neither title nor body.
    package var valueHidesText = false
    /// What is critical stays, whatever time it was given.
    package var keepsCritical = false
    /// How long after its showing a notice may be closed: sooner, the server crashes.
    package var shortestShowing = Duration.zero
    /// The reason that it gives for a click on its close button, where that isn't 2, dismissed.
    package var closedByHand: UInt32?
    /// It leaves out the button that follows the action `default`: that one is sent last.
    package var skipsAfterDefault = false
    /// Its lock screen reads the hint `x-gnome-privacy-scope`.
    package var hasPrivacyScope = false
    package var silence = SilenceSource.unknown
    package var appSwitch = AppPermissionSource.unknown

    /// The row for a server that calls itself so; for a stranger what the specification promises.
    package static func row(for name: String, vendor: String) -> KnownServer {
        let (name, vendor) = (name.lowercased(), vendor.lowercased())
        return all.first { row in
            row.name.lowercased() == name && (row.vendor.map { $0.lowercased() == vendor } ?? true)
        } ?? KnownServer(name: name)
    }
}
