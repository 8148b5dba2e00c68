import Belfry

/// The servers of Debian 12, and later versions where named, each tested by clicks and screenshots on a private screen.
/// Entries that were not measured name their source. Capabilities are queried from the running server; this table adds
/// what its list omits or gets wrong.
extension KnownServer {
    package static let all: [KnownServer] = [
        // dunst 1.9.0. Has its own colors and bar. Shows the text of a link, but its URL nowhere. Actions are in a menu
        // (dunstctl context); the middle button is the default action.
        KnownServer(
            name: "dunst",
            does: [.progress, .icon, .image],
            doesNot: [.links],
            buttons: .inMenu,
            silence: .dunst
        ),
        // notification-daemon 3.20.0. Lists links, and shows their markup raw. Shows one bubble and queues 21.
        KnownServer(name: "Notification Daemon", vendor: "GNOME", doesNot: [.links, .progress]),
        // xfce4-notifyd 0.7.3. `value` is a bar instead of title and body, in 0.9.7 too. Omits the whole body if it has
        // any tag but b, i, u and a. Draws a notice from an idle source that holds no reference to it
        // (`notify_show_window` in xfce-notify-daemon.c, up to 0.9.7): closing it before that crashes the server, with
        // all apps' notices.
        KnownServer(
            name: "Xfce Notify Daemon",
            doesNot: [.progress],
            defaultAction: .drawn,
            valueHidesText: true,
            keepsCritical: true,
            shortestShowing: .milliseconds(250),
            silence: .xfconf,
            appSwitch: .xfce
        ),
        // mate-notification-daemon 1.26.0. Lays out unbroken text in quadratic time: 1 KiB takes 0.4 s, 8 KiB hang it.
        // The subtitle is a line of the body and has its own limit: both together stay below 1 KiB.
        KnownServer(
            name: "Notification Daemon",
            vendor: "MATE",
            doesNot: [.progress],
            bodyLimit: 750,
            closedByHand: 1,
            silence: .settings(schema: "org.mate.NotificationDaemon", key: "do-not-disturb", silence: true)
        ),
        // lxqt-notificationd 1.2.0. Doesn't close after an action. Draws pixels and icons, and ignores `image-path`.
        KnownServer(name: "lxqt-notificationd", doesNot: [.progress], defaultAction: .drawn, pictures: .icon),
        // mako 1.7.1. Lists actions and draws no buttons (makoctl menu has them); a click is the default action. The
        // bar is from its manual (progress-color). Crashes on a tag with a number to replace (1.10.0 too).
        KnownServer(name: "mako", does: [.progress], buttons: .inMenu, silence: .mako),
        // swaync 0.7.3. Reports a withdrawal twice, and sends signals for unknown notices. Draws a bar, which it
        // doesn't list. 0.12.6 crashes when a notice is closed at the moment it is shown.
        KnownServer(
            name: "SwayNotificationCenter",
            does: [.progress],
            pictures: .path,
            shortestShowing: .milliseconds(250),
            silence: .swaync
        ),
        // notify-osd 1.0. Lists no actions: if sent anyway, they open a dialog on top of everything, under number 0.
        // Lists markup, but strips the tags without applying them. Of images it draws the icon.
        KnownServer(
            name: "notify-osd",
            doesNot: [.actions, .progress, .expiry, .markup],
            pictures: .icon,
            mistakesTags: true,
            showsWithoutNumber: true
        ),
        // awesome 4.3. Draws icons from files, and pixels under the hint's former name.
        KnownServer(name: "naughty", vendor: "awesome", pictures: .icon, pixelsHint: "image_data"),
        // GNOME Shell 43.9. Banners stay 4 s; three buttons; three notices per app, then the oldest is removed. Shows
        // the markup of links raw.
        KnownServer(
            name: "gnome-shell",
            doesNot: [.links, .expiry, .progress],
            actionLimit: 3,
            hasPrivacyScope: true,
            silence: .settings(schema: "org.gnome.desktop.notifications", key: "show-banners", silence: false),
            appSwitch: .gnome
        ),
        // Cinnamon 5.6, 6.4 and 6.6. Banners stay 4 s whatever timeout they have.
        KnownServer(name: "cinnamon", doesNot: [.expiry], closedByHand: 0),
        // Budgie 10.7 and 10.9.
        KnownServer(name: "Budgie Notification Server", skipsAfterDefault: true),
        // Plasma 5.27.5. Accepts `value` and draws nothing. Refuses the same text twice in a second. A MiB of text
        // freezes it.
        KnownServer(
            name: "Plasma",
            does: [.icon, .image],
            doesNot: [.progress],
            keepsCritical: true,
            silence: .inhibited,
            appSwitch: .plasma
        ),
    ]
}
