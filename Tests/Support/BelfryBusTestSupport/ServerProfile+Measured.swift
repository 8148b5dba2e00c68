/// More servers as they were measured, by what sets them apart for the one who calls `Notify`.
extension ServerProfile {
    /// mako 1.7.1, and 1.10.0 in this: a tag beside a number to replace crashes it.
    public static var mako: ServerProfile {
        var profile = ServerProfile(
            "mako",
            "emersion",
            "0.0.0",
            ["actions", "body", "body-markup", "icon-static", "x-canonical-private-synchronous", "x-dunst-stack-tag"]
        )
        profile.keepsUnknownIDs = false
        profile.diesOfTagWithNumber = true
        return profile
    }

    /// xfce4-notifyd 0.7.3 and 0.9.7: draws a notice when it has nothing else to do, and crashes if that is closed by
    /// then.
    public static var xfce: ServerProfile {
        var profile = ServerProfile(
            "Xfce Notify Daemon",
            "Xfce",
            "0.7.3",
            ["actions", "body", "body-markup", "body-hyperlinks", "icon-static", "x-canonical-private-icon-only"]
        )
        profile.diesOfClosingWithin = .milliseconds(50)
        return profile
    }

    /// swaync 0.7.3: images by their plain path, a withdrawal told twice.
    public static var swaync: ServerProfile {
        var profile = ServerProfile(
            "SwayNotificationCenter",
            "ErikReider",
            "0.7.3",
            [
                "actions", "body", "body-images", "body-markup", "persistence", "synchronous", "private-synchronous",
                "x-canonical-private-synchronous",
            ]
        )
        profile.keepsUnknownIDs = false
        profile.unknownClose = .announced
        profile.closesTwice = true
        profile.pictures.remove(.imageAddress)
        return profile
    }

    /// notify-osd 1.0: no actions, 0 for whatever has a tag, pictures as icons.
    public static var notifyOSD: ServerProfile {
        var profile = ServerProfile(
            "notify-osd",
            "Canonical Ltd",
            "1.0",
            [
                "append", "body", "body-markup", "icon-static", "image/svg+xml", "private-icon-only",
                "private-synchronous", "truncation", "x-canonical-append", "x-canonical-private-icon-only",
                "x-canonical-private-synchronous", "x-canonical-truncation",
            ]
        )
        profile.specification = "1.1"
        profile.closesAfterAction = 3
        profile.answersTagsWithZero = true
        profile.pictures.subtract([.imageAddress, .imagePath])
        return profile
    }

    /// lxqt-notificationd 1.2.0: nothing follows an action, images by pixels or as icons.
    public static var lxqt: ServerProfile {
        var profile = ServerProfile(
            "lxqt-notificationd",
            "lxqt.org",
            "1.2.0",
            ["actions", "body", "body-hyperlinks", "body-images", "body-markup", "persistence"]
        )
        profile.closesAfterAction = nil
        profile.pictures.subtract([.imageAddress, .imagePath])
        return profile
    }

    /// awesome 4.3: pixels under the hint's former name, files as icons.
    public static var awesome: ServerProfile {
        var profile = ServerProfile("naughty", "awesome", "v4.3", ["actions", "body", "body-markup", "icon-static"])
        profile.specification = "1.0"
        profile.firstID = 2
        profile.pictures = [.formerPixels, .icon]
        return profile
    }
}
