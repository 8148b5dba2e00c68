import Belfry

/// Debian's servers, each clicked and photographed on a private screen: 12's, and later ones where named. What was
/// not measured says where it is from. Lists of capabilities are asked of the running server; here is only what they
/// leave out, and what isn't so.
extension KnownServer {
    package static let all: [KnownServer] = [
        // dunst 1.9.0. Colours and a bar of its own. It shows the text of a link and its address nowhere. What there is
        // to do stands in a menu (dunstctl context); the middle button is the default action.
        KnownServer(
            name: "dunst",
            does: [.progress, .icon, .image],
            doesNot: [.links],
            buttons: .inMenu,
            silence: .dunst
        ),
        // notification-daemon 3.20.0. Lists links, and shows their markup raw. One bubble at a time, 21 in line.
        KnownServer(name: "Notification Daemon", vendor: "GNOME", doesNot: [.links, .progress]),
        // xfce4-notifyd 0.7.3. `value` is a bar in place of title and body, in 0.9.7 too. Leaves out the whole body for any tag but b, i, u and a. It draws a notice from an idle
        // source that holds no reference to it (`notify_show_window` in xfce-notify-daemon.c, up to 0.9.7): one that is
        // closed before that crashes it, with everybody's notices.
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
        // mate-notification-daemon 1.26.0. Lays unbroken text out in quadratic time: 1 KiB takes 0.4 s, 8 KiB hang it.
        // The subtitle is a line of the body and has its own limit: both together are below 1 KiB.
        KnownServer(
            name: "Notification Daemon",
            vendor: "MATE",
            doesNot: [.progress],
            bodyLimit: 750,
            closedByHand: 1,
            silence: .settings(schema: "org.mate.NotificationDaemon", key: "do-not-disturb", silence: true)
        ),
        // lxqt-notificationd 1.2.0. Doesn't close after an action. Draws pixels and icons, and nothing of `image-path`.
        KnownServer(name: "lxqt-notificationd", doesNot: [.progress], defaultAction: .drawn, pictures: .icon),
        // mako 1.7.1. Lists actions and draws no buttons (makoctl menu has them); a click is the default action. The
        // bar is from its manual (progress-color). A tag beside a number to replace ends it (1.10.0 too): no call has
        // both.
        KnownServer(name: "mako", does: [.progress], buttons: .inMenu, silence: .mako),
        // swaync 0.7.3. Tells of a withdrawal twice, and of notices of nobody. Draws a bar, which it doesn't list. 0.12.6
        // crashes when a notice is closed in the moment of its showing.
        KnownServer(
            name: "SwayNotificationCenter",
            does: [.progress],
            pictures: .path,
            shortestShowing: .milliseconds(250),
            silence: .swaync
        ),
        // notify-osd 1.0. Lists no actions: sent all the same they open a dialog over everything, under number 0. It
        // lists markup, and takes the tags out without following them. Of pictures it draws the icon.
        KnownServer(
            name: "notify-osd",
            doesNot: [.actions, .progress, .expiry, .markup],
            pictures: .icon,
            mistakesTags: true,
            showsWithoutNumber: true
        ),
        // awesome 4.3. Draws icons of files, and pixels under the hint's former name.
        KnownServer(name: "naughty", vendor: "awesome", pictures: .icon, pixelsHint: "image_data"),
        // GNOME Shell 43.9. Banners stay 4 s; three buttons; three notices an app, of which the oldest goes. Shows the
        // markup of links raw.
        KnownServer(
            name: "gnome-shell",
            doesNot: [.links, .expiry, .progress],
            actionLimit: 3,
            hasPrivacyScope: true,
            silence: .settings(schema: "org.gnome.desktop.notifications", key: "show-banners", silence: false),
            appSwitch: .gnome
        ),
        // Cinnamon 5.6, 6.4 and 6.6. Banners stay 4 s whatever time they are given.
        KnownServer(name: "cinnamon", doesNot: [.expiry], closedByHand: 0),
        // Budgie 10.7 and 10.9.
        KnownServer(name: "Budgie Notification Server", skipsAfterDefault: true),
        // Plasma 5.27.5. Takes `value` and draws nothing; the same text twice in a second is refused; a mebibyte of
        // text freezes it.
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
